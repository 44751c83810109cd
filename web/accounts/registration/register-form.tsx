import { type FormEvent, type KeyboardEvent, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import * as z from "zod/mini";
import { type RegisterForm as Registration, registerFormSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { fieldIssues } from "#contract/text/validation.ts";
import { api } from "../../api/client.ts";
import { focusField, refusedIssues } from "../../forms/field-errors.ts";
import { useSending } from "../../forms/use-sending.ts";
import { useTouchedFields } from "../../forms/use-touched-fields.ts";
import { Button } from "../../ui/components/button.tsx";
import { Field } from "../../ui/components/fields/field.tsx";
import { useAuthConfig } from "../auth-config.ts";
import { registerErrorText } from "../error-texts.ts";
import { PasswordField } from "../password-field.tsx";
import { ReservedFailureBanner } from "../reserved-failure-banner.tsx";
import { NewPasswordField, usePasswordAdvice } from "./password-advice.tsx";
import { isDeadInvitation } from "./use-invitation-key.ts";

const empty: Registration = { firstname: "", lastname: "", username: "", email: "", password: "", confirmPassword: "" };
const plain = { autoCapitalize: "none", autoCorrect: "off", spellCheck: false } as const;

type RegisterFormProps = {
  email: string;
  /** `isBound`: only `email` can use the invitation. `onDead`: called if the server refuses it for good. */
  invitation?: { key: string; isBound: boolean; onDead: () => void };
  /** Receives the registered address. */
  onDone: (email: string) => void;
};

export function RegisterForm({ email, invitation, onDone }: RegisterFormProps) {
  const { t } = useTranslation("accounts");
  const { passwordMin } = useAuthConfig();
  const schema = useMemo(() => registerFormSchema(passwordMin), [passwordMin]);
  const [values, setValues] = useState<Registration>({ ...empty, email });
  const advice = usePasswordAdvice(values.password, values);
  const { send, isSending, failure, isHeld } = useSending(registerErrorText);
  const { fieldProps, check, refuse, ...fields } = useTouchedFields({
    labels: {
      firstname: t("fields.firstname"),
      lastname: t("fields.lastname"),
      username: t("fields.username"),
      email: t("fields.email"),
      password: t("fields.password"),
      confirmPassword: t("fields.confirmPassword"),
    },
    onChange: setValues,
    issues: fieldIssues(z.safeParse(schema, values).error?.issues ?? []),
  });
  const isValid = fields.isValid && !advice.isRefused;

  const register = async ({ confirmPassword: _, ...request }: Registration) => {
    try {
      await api.post(accountPaths.register, invitation ? { ...request, invitation: invitation.key } : request, null);
    } catch (error) {
      if (invitation && isDeadInvitation(error)) return invitation.onDead();
      refuse(refusedIssues(error));
      throw error;
    }
    onDone(request.email);
  };

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!check(event.currentTarget)) return;
    if (advice.isRefused && advice.reason) {
      refuse([{ field: "password", rule: advice.reason }]);
      focusField(event.currentTarget, "password");
    } else void send(() => register(values));
  };

  return (
    <form noValidate onSubmit={submit} onKeyDown={isValid ? undefined : submitOnEnter} className="flex flex-col gap-3">
      <div className="grid items-start gap-x-4 gap-y-3 sm:grid-cols-2">
        <Field label={t("register.firstname")} autoComplete="given-name" {...fieldProps("firstname")} />
        <Field label={t("register.lastname")} autoComplete="family-name" {...fieldProps("lastname")} />
      </div>
      <Field label={t("register.username")} autoComplete="username" {...plain} {...fieldProps("username")} />
      <Field
        label={t("register.email")}
        type="email"
        autoComplete="email"
        defaultValue={email}
        readOnly={invitation?.isBound}
        hint={invitation?.isBound ? t("invited.address") : undefined}
        {...plain}
        {...fieldProps("email")}
      />
      <NewPasswordField label={t("register.password")} chooser={values} {...fieldProps("password")} />
      <PasswordField
        label={t("register.confirmPassword")}
        autoComplete="new-password"
        {...fieldProps("confirmPassword")}
      />
      <Button type="submit" size="large" busy={isSending} disabled={isHeld || !isValid} className="mt-2 w-full">
        {t(isSending ? "register.submitting" : "register.submit")}
      </Button>
      <ReservedFailureBanner failure={failure} />
    </form>
  );
}

/** Submits on Enter, which shows what is missing: browsers ignore Enter while a form's button is disabled. */
function submitOnEnter(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}
