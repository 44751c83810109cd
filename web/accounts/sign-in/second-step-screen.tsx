/** Lazy module of the second step of a sign-in, with its texts. */

import { useEffect, useId } from "react";
import { useTranslation } from "react-i18next";
import { REMEMBERED_DAYS } from "#contract/accounts/second-factor.ts";
import secondStepTexts from "../../locales/en/secondStep.json";
import { registerTexts } from "../../locales/i18n.ts";
import { Button } from "../../ui/components/button.tsx";
import { CheckField } from "../../ui/components/fields/check-field.tsx";
import { Field } from "../../ui/components/fields/field.tsx";
import { textLink } from "../../ui/components/text-link.ts";
import { AccountLayout } from "../account-layout.tsx";
import { useAuthConfig } from "../auth-config.ts";
import { PageHeading } from "../page-heading.tsx";
import { PasskeyButton } from "../passkeys/passkey-button.tsx";
import { ReservedFailureBanner } from "../reserved-failure-banner.tsx";
import { LostFactor } from "./lost-factor.tsx";
import { closeSecondStep, type SecondStepProps } from "./second-step.ts";
import { useCloseWithSession } from "./use-close-with-session.ts";
import { useSecondStep } from "./use-second-step.ts";

registerTexts("secondStep", secondStepTexts);

/** Asks for a code of the authenticator app, or for a recovery code. */
export default function SecondStepScreen(props: SecondStepProps) {
  const { t } = useTranslation(["secondStep", "accounts", "app", "passkey"]);
  const { productName, hasPasskeys } = useAuthConfig();
  const { form, field, isRecovery, toggle, passkey } = useSecondStep({ ...props, onClose: closeSecondStep });
  const { formProps, isSending, isHeld, failure, spoken } = form;
  const titleId = useId();
  useCloseWithSession();
  return (
    <AccountLayout>
      <PageHeading id={titleId} title={t("title")}>
        {isRecovery ? t("recoveryText") : t("appText", { product: productName })}
      </PageHeading>
      <form {...formProps} aria-labelledby={titleId} className="flex flex-col gap-2">
        {/* Browsers apply a changed input mode to a new field only. */}
        <CodeField key={String(isRecovery)} field={field} isRecovery={isRecovery} />
        <CheckField name="remember" label={t("remember", { days: REMEMBERED_DAYS })} />
        <p aria-live="polite" className="sr-only">
          {spoken}
        </p>
        <Button
          type="submit"
          size="large"
          busy={isSending}
          aria-disabled={isSending || undefined}
          disabled={isHeld && !isSending}
          className="mt-3 w-full"
        >
          {t(isSending ? "accounts:login.submitting" : "accounts:login.submit")}
        </Button>
        {hasPasskeys && <PasskeyButton {...passkey} label={t("passkey:use")} />}
        <Button variant="quiet" size="large" className="w-full" onClick={closeSecondStep}>
          {t("app:cancel")}
        </Button>
        <ReservedFailureBanner failure={failure ?? passkey.failure} />
      </form>
      <div className="mt-8 flex flex-col items-start gap-4 text-sm">
        <button type="button" className={textLink} onClick={toggle}>
          {t(isRecovery ? "useApp" : "useRecovery")}
        </button>
        {isRecovery && <LostFactor ticket={props.ticket} />}
      </div>
    </AccountLayout>
  );
}

/** The field of the code, which takes the focus when it appears. */
function CodeField({ field, isRecovery }: Pick<ReturnType<typeof useSecondStep>, "field" | "isRecovery">) {
  const { t } = useTranslation("secondStep");
  const { ref } = field;
  useEffect(() => ref.current?.focus(), [ref]);
  return (
    <Field
      {...field}
      label={t(isRecovery ? "recoveryCode" : "code")}
      className="tabular-nums"
      maxLength={64}
      autoComplete={isRecovery ? "off" : "one-time-code"}
      autoCapitalize={isRecovery ? "characters" : "none"}
      {...(!isRecovery && { inputMode: "numeric" })}
      autoCorrect="off"
      spellCheck={false}
    />
  );
}
