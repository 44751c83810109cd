import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import * as z from "zod/mini";
import { newPasswordField, presentPasswordField } from "#contract/accounts/accounts.ts";
import { rule } from "#contract/text/validation.ts";
import { useAuthConfig } from "../../accounts/auth-config.ts";
import { PasswordField } from "../../accounts/password-field.tsx";
import { NewPasswordField } from "../../accounts/registration/password-advice.tsx";
import { useSession } from "../../accounts/session/session.ts";
import { UsernameForManagers } from "../../accounts/username-for-managers.tsx";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { failureText } from "../../forms/failure-text.ts";
import { FormFooter } from "../../forms/form-footer.tsx";
import { useCheckedForm } from "../../forms/use-checked-form.ts";
import { withProof } from "../../proof/proof.ts";
import { prove } from "../../proof/proof-api.ts";
import { Button } from "../../ui/components/button.tsx";
import { settingsApi } from "../settings-api.ts";

const repeated = () => z.string({ error: rule("required") }).check(z.minLength(1, { error: rule("required") }));

const isRepeated = z.refine<{ password: string; confirmPassword: string }>(
  ({ password, confirmPassword }) => password === confirmPassword,
  { error: rule("mismatch"), path: ["confirmPassword"] },
);

/** Schema of the form that changes a password: the sent fields, and the repeated password, which is not sent. */
const changeFormSchema = (passwordMin: number) =>
  z
    .object({
      currentPassword: presentPasswordField(),
      password: newPasswordField(passwordMin),
      confirmPassword: repeated(),
    })
    .check(isRepeated);

/** Schema of the form for accounts without a password. */
const setFormSchema = (passwordMin: number) =>
  z.object({ password: newPasswordField(passwordMin), confirmPassword: repeated() }).check(isRepeated);

type PasswordFormProps = { hasPassword: boolean; onDone: () => void; onCancel: () => void };
type Values = { currentPassword?: string; password: string; confirmPassword: string };

/** Sends the current password as the proof too, so that it is asked for only once. */
async function changePassword({ currentPassword, password }: Values): Promise<void> {
  if (currentPassword === undefined) return withProof(() => settingsApi.changePassword({ password }));
  await prove({ password: currentPassword });
  await settingsApi.changePassword({ currentPassword, password });
}

export function PasswordForm({ hasPassword, onDone, onCancel }: PasswordFormProps) {
  const { t } = useTranslation("settings");
  const { passwordMin } = useAuthConfig();
  const { user } = useSession();
  const schema = useMemo(
    () => (hasPassword ? changeFormSchema(passwordMin) : setFormSchema(passwordMin)),
    [hasPassword, passwordMin],
  );
  const form = useCheckedForm<keyof Values, Values>({
    schema,
    labels: {
      currentPassword: t("fields.currentPassword"),
      password: t("fields.password"),
      confirmPassword: t("fields.confirmPassword"),
    },
    fieldOfCode: { "wrong-password": "currentPassword" },
    textOf: failureText,
    isFocused: true,
    send: async (values) => {
      await changePassword(values);
      onDone();
      return null;
    },
  });
  return (
    <form {...form.formProps} className="flex flex-col gap-4 p-4 sm:p-5">
      <FailureBanner failure={form.failure} />
      <UsernameForManagers />
      {hasPassword && (
        <PasswordField
          label={t("password.current")}
          autoComplete="current-password"
          {...form.fieldProps("currentPassword")}
        />
      )}
      <NewPasswordField label={t("password.new")} {...(user && { chooser: user })} {...form.fieldProps("password")} />
      <PasswordField label={t("password.repeat")} autoComplete="new-password" {...form.fieldProps("confirmPassword")} />
      <FormFooter
        form={form}
        submit={t(hasPassword ? "password.change" : "password.set")}
        submitting={t("password.submitting")}
      >
        <Button variant="quiet" onClick={onCancel}>
          {t("form.cancel")}
        </Button>
      </FormFooter>
    </form>
  );
}
