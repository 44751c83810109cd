import { type FormEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import * as z from "zod/mini";
import { type NewPreset, newPresetSchema } from "#contract/conversation/preset-calls.ts";
import { INSTRUCTIONS_MAX } from "#contract/limits.ts";
import { effortSchema } from "#contract/models/effort.ts";
import type { ModelGroup } from "#contract/models/models.ts";
import { fieldIssues } from "#contract/text/validation.ts";
import { unsavedWords } from "../accounts/session/unsaved-words.ts";
import { parseJson } from "../api/api-error.ts";
import { detailText, isUnreachable, textByCode } from "../api/problem-text.ts";
import { type ChangedFields, changedFields, isUnchanged } from "../forms/changed-fields.ts";
import { FailureBanner } from "../forms/failure-banner.tsx";
import { type FieldErrors, refusedIssues, wordIssues } from "../forms/field-errors.ts";
import { useSending } from "../forms/use-sending.ts";
import { Button } from "../ui/components/button.tsx";
import { Field } from "../ui/components/field.tsx";
import { TextArea } from "../ui/components/text-area.tsx";
import { EffortField } from "./effort-field.tsx";
import { ModelField } from "./model-field.tsx";
import { TemperatureField } from "./temperature-field.tsx";

type PresetFormProps = {
  /** Storage name of the unsaved text. */
  draftKey: string;
  initial: NewPreset;
  groups: readonly ModelGroup[];
  onCancel: () => void;
  /** `changed`: the fields of `given` that differ from `initial` as it was when the form was opened. */
  onSave: (given: NewPreset, changed: ChangedFields<NewPreset>) => Promise<void>;
};

type FieldName = "name" | "instructions";

/** Schema of an unsaved preset: checks only the shape, because an unsent preset may violate every other rule. */
const unsavedSchema = z.object({
  name: z.string(),
  instructions: z.string(),
  model: z.nullable(z.string()),
  temperature: z.nullable(z.number()),
  effort: z.nullable(effortSchema),
});

/** Returns a preset with its unsaved changes; null if there are none. */
function withUnsaved(initial: NewPreset, words: string | null): NewPreset | null {
  if (words === null) return null;
  return unsavedSchema.safeParse(Object.assign({}, initial, parseJson(words))).data ?? null;
}

function useUnsaved(draftKey: string, initial: NewPreset) {
  const [unsaved] = useState(() => unsavedWords(`preset:${draftKey}`));
  const [left] = useState(() => withUnsaved(initial, unsaved.read()));
  const keep = (given: NewPreset) => {
    const changed = changedFields(initial, given);
    unsaved.keep(isUnchanged(changed) ? null : JSON.stringify(changed));
  };
  return { left, keep, forget: () => unsaved.keep(null) };
}

export function PresetForm({ draftKey, initial, groups, onCancel, onSave }: PresetFormProps) {
  const { t } = useTranslation("presets");
  const [stored] = useState((): NewPreset => {
    const { name, instructions, model, temperature, effort = null } = initial;
    return { name, instructions, model, temperature, effort };
  });
  const { left, keep, forget } = useUnsaved(draftKey, stored);
  const [given, setGiven] = useState<NewPreset>(left ?? stored);
  const [errors, setErrors] = useState<FieldErrors<FieldName>>({});
  const form = useRef<HTMLFormElement>(null);
  const { send, isSending, failure, dismiss } = useSending(
    (error) => (isUnreachable(error) ? null : (textByCode(error) ?? detailText(error))) ?? t("form.failed"),
  );
  const labels = { name: t("form.name"), instructions: t("form.instructions") };

  const put = (change: Partial<NewPreset>) => {
    const next = { ...given, ...change };
    setGiven(next);
    keep(next);
    setErrors({});
  };
  const showErrors = (broken: FieldErrors<FieldName>) => {
    setErrors(broken);
    const first = (["name", "instructions"] as const).find((field) => broken[field] !== undefined);
    const field = first && form.current?.elements.namedItem(first);
    if (field instanceof HTMLElement) field.focus();
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    // React events bubble through portals to the React parent: the chat's form would be submitted too.
    event.stopPropagation();
    if (isSending) return;
    dismiss();
    const checked = z.safeParse(newPresetSchema, given);
    if (!checked.success) {
      showErrors(wordIssues(fieldIssues(checked.error.issues), labels));
      return;
    }
    void send(async () => {
      try {
        await onSave(checked.data, changedFields(stored, checked.data));
        forget();
      } catch (error) {
        showErrors(wordIssues(refusedIssues(error), labels));
        throw error;
      }
    });
  };

  return (
    <form ref={form} noValidate className="flex flex-col gap-4" onSubmit={submit}>
      <FailureBanner failure={failure} />
      {left !== null && given === left && <p className="text-muted text-sm">{t("unsaved")}</p>}
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
