import { type FormEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import * as z from "zod/mini";
import { newPasswordField, noticeSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { type FieldIssue, fieldIssues } from "#contract/text/validation.ts";
import { ApiError, api } from "../../api/client.ts";
import { refusedIssues } from "../../forms/field-errors.ts";
import { hasFinePointer } from "../../forms/has-fine-pointer.ts";
import { useSending } from "../../forms/use-sending.ts";
import { useTouchedFields } from "../../forms/use-touched-fields.ts";
import { Button } from "../../ui/components/button.tsx";
import { useAuthConfig } from "../auth-config.ts";
import { PasswordField } from "../password-field.tsx";
import { NewPasswordField, usePasswordAdvice } from "../registration/password-advice.tsx";
import { ReservedFailureBanner } from "../reserved-failure-banner.tsx";
import { resetErrorText } from "./recovery-texts.ts";

type ResetFormProps = {
  linkedKey: string;
  titleId: string;
  /** Called with the server's sentence. */
  onDone: (sentence: string) => Promise<void>;
  onDeadLink: () => void;
};

/** Form for a new password. As in the registration, errors appear after a field's blur, and all of them on submit. */
export function ResetForm({ linkedKey, titleId, onDone, onDeadLink }: ResetFormProps) {
  const { t } = useTranslation(["accounts", "recovery"]);
  const [values, setValues] = useState({ password: "", confirmPassword: "" });
  const { fieldProps, check, refuse } = useTouchedFields({
    labels: { password: t("fields.password"), confirmPassword: t("fields.confirmPassword") },
    onChange: setValues,
    issues: [...usePasswordIssues(values.password), ...repetitionIssues(values)],
  });
  const { send, isSending, failure, isHeld } = useSending(resetErrorText);
  const first = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (hasFinePointer()) first.current?.focus();
  }, []);

  const reset = async () => {
    try {
      const body = { key: linkedKey, password: values.password };
      const { message } = await api.post(accountPaths.resetPassword, body, noticeSchema);
      await onDone(message);
    } catch (error) {
      const refused = refusedIssues(error).filter(({ field }) => field === "password");
      if (refused.length > 0) refuse(refused);
      else if (error instanceof ApiError && error.code === "bad-link") onDeadLink();
      else throw error;
    }
  };

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isHeld && check(event.currentTarget)) void send(reset);
  };

  return (
    <form noValidate aria-labelledby={titleId} onSubmit={submit} className="flex flex-col gap-3">
      <NewPasswordField ref={first} label={t("recovery:reset.password")} {...fieldProps("password")} />
      <PasswordField
        label={t("recovery:reset.confirmPassword")}
        autoComplete="new-password"
        {...fieldProps("confirmPassword")}
      />
      <Button type="submit" size="large" busy={isSending} aria-disabled={isHeld || undefined} className="mt-2 w-full">
        {t(isSending ? "recovery:reset.submitting" : "recovery:reset.submit")}
      </Button>
      <ReservedFailureBanner failure={failure} />
    </form>
  );
}

/** Returns the issues of the new password: violated rules, else that it is too easily guessed for this server. */
function usePasswordIssues(password: string): FieldIssue[] {
  const { passwordMin } = useAuthConfig();
  const { reason, isRefused } = usePasswordAdvice(password);
  const checked = z.safeParse(z.object({ password: newPasswordField(passwordMin) }), { password });
  if (!checked.success) return fieldIssues(checked.error.issues);
  return isRefused && reason ? [{ field: "password", rule: reason }] : [];
}

function repetitionIssues({ password, confirmPassword }: { password: string; confirmPassword: string }): FieldIssue[] {
  if (confirmPassword === "") return [{ field: "confirmPassword", rule: "required" }];
  return confirmPassword === password ? [] : [{ field: "confirmPassword", rule: "mismatch" }];
}
