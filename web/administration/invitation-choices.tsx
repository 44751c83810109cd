import { useId } from "react";
import { useTranslation } from "react-i18next";
import { INVITATION_LIFE_DEFAULT_MS, INVITATION_LIFE_MAX_MS } from "#contract/administration/invitations.ts";
import { DAY } from "#contract/limits.ts";
import { useAuthConfig } from "../accounts/auth-config.ts";

/** Times for which an invitation can be valid, in ms. */
export const invitationLives = [DAY, INVITATION_LIFE_DEFAULT_MS, 30 * DAY, INVITATION_LIFE_MAX_MS];

/** Whether the link is mailed. Without a mail server the mail would only be printed on the console. */
export function MailChoice({ label }: { label: string }) {
  const { t } = useTranslation("accounts");
  const { isMailOnConsole = false } = useAuthConfig();
  const hint = isMailOnConsole ? t("noMailServer") : undefined;
  return <CheckboxField name="mail" label={label} hint={hint} isChecked={!isMailOnConsole} />;
}

type CheckboxFieldProps = { name: string; label: string; hint?: string | undefined; isChecked?: boolean };

/** Checkbox of a form with its label beside it and its hint below. */
export function CheckboxField({ name, label, hint, isChecked = false }: CheckboxFieldProps) {
  const id = useId();
  return (
    <div>
      <label className="flex min-h-8 cursor-pointer items-center gap-3 text-sm pointer-coarse:min-h-11">
        <input
          type="checkbox"
          name={name}
          defaultChecked={isChecked}
          aria-describedby={hint === undefined ? undefined : id}
          className="size-4.5 shrink-0 accent-accent"
        />
        {label}
      </label>
      {hint !== undefined && (
        <p id={id} className="text-muted text-xs leading-text">
          {hint}
        </p>
      )}
    </div>
  );
}
