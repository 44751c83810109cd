import { useTranslation } from "react-i18next";
import { changeEmailSchema } from "#contract/accounts/account-settings.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { failureText } from "../../forms/failure-text.ts";
import { FormFooter } from "../../forms/form-footer.tsx";
import { useCheckedForm } from "../../forms/use-checked-form.ts";
import { withProof } from "../../proof/proof.ts";
import { Button } from "../../ui/components/button.tsx";
import { Field } from "../../ui/components/fields/field.tsx";
import { settingsApi } from "../settings-api.ts";

type EmailFormProps = {
  onDone: (pending: string, text: string) => void;
  onCancel: () => void;
};

/** Form for a new address, which takes effect once the link mailed to it is confirmed. */
export function EmailForm({ onDone, onCancel }: EmailFormProps) {
  const { t } = useTranslation("settings");
  const form = useCheckedForm({
    schema: changeEmailSchema,
    labels: { email: t("fields.email") },
    textOf: failureText,
    isFocused: true,
    send: async ({ email }) => {
      await withProof(() => settingsApi.askForEmail(email));
      onDone(email, t("email.done", { email }));
      return null;
    },
  });
  return (
    <form {...form.formProps} className="flex flex-col gap-4 border-hairline border-t p-4 sm:p-5">
      <FailureBanner failure={form.failure} />
      <Field
        label={t("email.new")}
        hint={t("email.hint")}
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        {...form.fieldProps("email")}
      />
      <FormFooter form={form} submit={t("email.submit")} submitting={t("email.submitting")}>
        <Button variant="quiet" onClick={onCancel}>
          {t("form.cancel")}
        </Button>
      </FormFooter>
    </form>
  );
}
