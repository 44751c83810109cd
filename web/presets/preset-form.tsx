import { useTranslation } from "react-i18next";
import { INSTRUCTIONS_MAX } from "#contract/limits.ts";
import type { ModelGroup } from "#contract/models/models.ts";
import { FailureBanner } from "../forms/failure-banner.tsx";
import { Button } from "../ui/components/button.tsx";
import { Field } from "../ui/components/fields/field.tsx";
import { TextArea } from "../ui/components/fields/text-area.tsx";
import { EffortField } from "./effort-field.tsx";
import { ModelField } from "./model-field.tsx";
import { TemperatureField } from "./temperature-field.tsx";
import { ToolsField } from "./tools/tools-field.tsx";
import { type EditedPreset, usePresetForm } from "./use-preset-form.ts";

type PresetFormProps = EditedPreset & { groups: readonly ModelGroup[]; onCancel: () => void };

export function PresetForm({ groups, onCancel, ...edited }: PresetFormProps) {
  const { t } = useTranslation("presets");
  const { form, given, put, labels, errors, isRestored, isSending, failure, submit, forget } = usePresetForm(edited);
  return (
    <form ref={form} noValidate className="flex flex-col gap-4" onSubmit={submit}>
      <FailureBanner failure={failure} />
      {isRestored && <p className="text-muted text-sm">{t("unsaved")}</p>}
      <Field
        label={labels.name}
        name="name"
        dir="auto"
        autoComplete="off"
        value={given.name}
        error={errors.name}
        onChange={(event) => put({ name: event.target.value })}
      />
      <TextArea
        label={labels.instructions}
        name="instructions"
        rows={5}
        limit={INSTRUCTIONS_MAX}
        placeholder={t("form.instructionsHint")}
        value={given.instructions}
        error={errors.instructions}
        onChange={(event) => put({ instructions: event.target.value })}
      />
      <ModelField groups={groups} value={given.model} onChange={(value) => put({ model: value })} />
      <TemperatureField
        groups={groups}
        model={given.model}
        value={given.temperature}
        onChange={(value) => put({ temperature: value })}
      />
      <EffortField
        groups={groups}
        model={given.model}
        value={given.effort ?? null}
        onChange={(value) => put({ effort: value })}
      />
      <ToolsField value={given.tools ?? null} onChange={(value) => put({ tools: value })} />
      <p aria-live="polite" className="sr-only">
        {Object.values(errors).join(". ")}
      </p>
      <div className="mt-1 flex justify-end gap-3">
        <Button
          variant="secondary"
          onClick={() => {
            forget();
            onCancel();
          }}
        >
          {t("form.cancel")}
        </Button>
        <Button type="submit" busy={isSending} aria-disabled={isSending || undefined}>
          {t(isSending ? "form.saving" : "form.save")}
        </Button>
      </div>
    </form>
  );
}
