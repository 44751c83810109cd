import { useTranslation } from "react-i18next";
import * as z from "zod/mini";
import { type ModelChanges, modelNameField } from "#contract/administration/connections.ts";
import { FailureBanner } from "../../../forms/failure-banner.tsx";
import { failureText } from "../../../forms/failure-text.ts";
import { useCheckedForm } from "../../../forms/use-checked-form.ts";
import { Button } from "../../../ui/components/button.tsx";
import { Field } from "../../../ui/components/fields/field.tsx";

const formSchema = z.object({ name: modelNameField() });

/** Adds a model by its name: some servers list none, or not all. @param save sends the changes, after a proof */
export function AddModel({ save }: { save: (changes: ModelChanges["changes"]) => Promise<void> }) {
  const { t } = useTranslation("connections");
  const form = useCheckedForm({
    schema: formSchema,
    labels: { name: t("fields.model") },
    textOf: failureText,
    send: async ({ name }) => {
      await save([{ name }]);
      const input = form.formProps.ref.current;
      input?.reset();
      return t("models.added", { name });
    },
  });
  return (
    <form {...form.formProps}>
      <FailureBanner failure={form.failure} className="mb-3" />
      <div className="flex flex-wrap items-start gap-3">
        <Field
          label={t("models.name")}
          hint={t("models.nameHint")}
          className="min-w-0 flex-1 basis-56"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...form.fieldProps("name")}
        />
        <Button type="submit" variant="secondary" className="mt-[1.625rem] min-h-11" busy={form.isSending}>
          {t("models.add")}
        </Button>
      </div>
      <p role="status" className="text-muted text-xs">
        {form.status}
      </p>
    </form>
  );
}
