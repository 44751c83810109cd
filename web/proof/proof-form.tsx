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

/** `children`: controls beside the submit button. */
export function ProofForm({ onProved, children }: { onProved: () => void; children: ReactNode }) {
  const { t } = useTranslation("settings");
  const form = useCheckedForm({
    schema,
    labels: { password: t("proof.password") },
    fieldOfCode: { "wrong-password": "password" },
    textOf: failureText,
    isFocused: true,
    send: async ({ password }) => {
      await prove({ password });
      onProved();
      return null;
    },
  });
  return (
    <form {...form.formProps} className="flex flex-col gap-5">
      <FailureBanner failure={form.failure} />
      <UsernameForManagers />
      <PasswordField label={t("proof.password")} autoComplete="current-password" {...form.fieldProps("password")} />
      <FormFooter form={form} submit={t("proof.submit")} submitting={t("proof.submitting")}>
        {children}
      </FormFooter>
    </form>
  );
}
