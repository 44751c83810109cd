import { useTranslation } from "react-i18next";
import * as z from "zod/mini";
import type { OfferedProvider } from "#contract/accounts/identity-providers.ts";
import { type DirectoryCredentials, directoryCredentialsSchema } from "#contract/accounts/single-sign-on.ts";
import { PasswordField } from "../../accounts/password-field.tsx";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { failureText } from "../../forms/failure-text.ts";
import { FormFooter } from "../../forms/form-footer.tsx";
import { useCheckedForm } from "../../forms/use-checked-form.ts";
import { Button } from "../../ui/components/button.tsx";
import { Field } from "../../ui/components/fields/field.tsx";

const { username, password } = directoryCredentialsSchema.shape;
const schema = z.object({ username, password });

type DirectoryConnectionProps = {
  directory: OfferedProvider;
  /** Throws ApiError. */
  send: (credentials: DirectoryCredentials) => Promise<void>;
  onCancel: () => void;
};

/** Form that connects the person's identity in a directory, by name and password there. */
export function DirectoryConnection({ directory: { slug, name }, send, onCancel }: DirectoryConnectionProps) {
  const { t } = useTranslation(["settings", "secondFactor", "accounts"]);
  const form = useCheckedForm({
    schema,
    labels: { username: t("accounts:fields.username"), password: t("accounts:fields.password") },
    textOf: failureText,
    isFocused: true,
    send: async (entered) => {
      await send({ provider: slug, ...entered });
      return null;
    },
  });
  const submit = t("secondFactor:identities.connectLabel", { name });
  return (
    <form {...form.formProps} aria-label={submit} className="flex flex-col gap-4 p-4 sm:p-5">
      <FailureBanner failure={form.failure} />
      <Field
        {...form.fieldProps("username")}
        label={t("accounts:login.username")}
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
      />
      <PasswordField
        {...form.fieldProps("password")}
        label={t("accounts:login.password")}
        autoComplete="current-password"
      />
      <FormFooter form={form} submit={submit} submitting={submit}>
        <Button variant="secondary" onClick={onCancel}>
          {t("form.cancel")}
        </Button>
      </FormFooter>
    </form>
  );
}
