import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import * as z from "zod/mini";
import { presentPasswordField } from "#contract/accounts/accounts.ts";
import { PasswordField } from "../accounts/password-field.tsx";
import { UsernameForManagers } from "../accounts/username-for-managers.tsx";
import { FailureBanner } from "../forms/failure-banner.tsx";
import { failureText } from "../forms/failure-text.ts";
import { FormFooter } from "../forms/form-footer.tsx";
import { useCheckedForm } from "../forms/use-checked-form.ts";
import { prove } from "./proof-api.ts";

const schema = z.object({ password: presentPasswordField() });

type ProofFormProps = {
  onProved: () => void;
  /** The directory that compares the password, and the person's name there; by default it is that of the account. */
  directory?: { provider: string; username: string };
  /** Label of the password's field. */
  label?: string;
  isFocused?: boolean;
  /** Controls beside the submit button. */
  children?: ReactNode;
};

export function ProofForm({ onProved, directory, label: given, isFocused = true, children }: ProofFormProps) {
  const { t } = useTranslation("settings");
  const label = given ?? t("proof.password");
  const form = useCheckedForm({
    schema,
    labels: { password: label },
    fieldOfCode: { "wrong-password": "password" },
    textOf: failureText,
    isFocused,
    send: async ({ password }) => {
      const { provider = "", username = "" } = directory ?? {};
      await prove(directory ? { directory: { provider, username, password } } : { password });
      onProved();
      return null;
    },
  });
  return (
    <form {...form.formProps} className="flex flex-col gap-5">
      <FailureBanner failure={form.failure} />
      {!directory && <UsernameForManagers />}
      <PasswordField label={label} autoComplete="current-password" {...form.fieldProps("password")} />
      <FormFooter form={form} submit={t("proof.submit")} submitting={t("proof.submitting")}>
        {children}
      </FormFooter>
    </form>
  );
}
