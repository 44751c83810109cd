import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type NamesChange, namesSchema } from "#contract/accounts/account-settings.ts";
import { updateUser, useSession } from "../../accounts/session/session.ts";
import { changedFields } from "../../forms/changed-fields.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { failureText } from "../../forms/failure-text.ts";
import { FormFooter } from "../../forms/form-footer.tsx";
import { useCheckedForm } from "../../forms/use-checked-form.ts";
import { withProof } from "../../proof/proof.ts";
import { Field } from "../../ui/components/fields/field.tsx";
import { settingsApi } from "../settings-api.ts";

export function NamesForm() {
  const { t } = useTranslation("settings");
  const { user } = useSession();
  const [opened, setOpened] = useState<Partial<NamesChange>>({ ...user });
  const form = useCheckedForm({
    schema: namesSchema,
    labels: { firstname: t("fields.firstname"), lastname: t("fields.lastname") },
    textOf: failureText,
    unchanged: t("form.unchanged"),
    send: async (names) => {
      const saved = await withProof(() => settingsApi.changeNames(changedFields(opened, names)));
      setOpened(saved);
      updateUser(saved);
      return t("profile.namesDone");
    },
  });
  return (
    <form {...form.formProps} className="flex flex-col gap-4 p-4 sm:p-5">
      <FailureBanner failure={form.failure} />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field
          label={t("fields.firstname")}
          autoComplete="given-name"
          defaultValue={user?.firstname}
          {...form.fieldProps("firstname")}
        />
        <Field
          label={t("fields.lastname")}
          autoComplete="family-name"
          defaultValue={user?.lastname}
          {...form.fieldProps("lastname")}
        />
      </div>
      <FormFooter
        form={form}
        variant={form.isChanged ? "primary" : "secondary"}
        idle={form.isChanged ? undefined : t("form.unchanged")}
        submit={t("profile.saveNames")}
        submitting={t("form.saving")}
      />
    </form>
  );
}
