import { useTranslation } from "react-i18next";
import { usernameSchema } from "#contract/accounts/account-settings.ts";
import { updateUser, useSession } from "../../accounts/session/session.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { failureText } from "../../forms/failure-text.ts";
import { FormFooter } from "../../forms/form-footer.tsx";
import { useCheckedForm } from "../../forms/use-checked-form.ts";
import { withProof } from "../../proof/proof.ts";
import { Field } from "../../ui/components/fields/field.tsx";
import { settingsApi } from "../settings-api.ts";

export function UsernameForm() {
  const { t } = useTranslation("settings");
  const { user } = useSession();
  const form = useCheckedForm({
    schema: usernameSchema,
    labels: { username: t("fields.username") },
    fieldOfCode: { "username-taken": "username" },
    textOf: failureText,
    unchanged: t("form.unchanged"),
    send: async ({ username }) => {
      updateUser(await withProof(() => settingsApi.changeUsername(username)));
      return t("profile.usernameDone");
    },
  });
  return (
    <form {...form.formProps} className="flex flex-col gap-4 p-4 sm:p-5">
      <FailureBanner failure={form.failure} />
      <Field
        label={t("fields.username")}
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        defaultValue={user?.username}
        {...form.fieldProps("username")}
      />
      <FormFooter
        form={form}
        variant={form.isChanged ? "primary" : "secondary"}
        idle={form.isChanged ? undefined : t("form.unchanged")}
        submit={t("profile.saveUsername")}
        submitting={t("form.saving")}
      />
    </form>
  );
}
