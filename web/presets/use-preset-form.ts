import { type FormEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import * as z from "zod/mini";
import { type NewPreset, newPresetSchema } from "#contract/conversation/preset-calls.ts";
import { effortSchema } from "#contract/models/effort.ts";
import { fieldIssues } from "#contract/text/validation.ts";
import { unsavedWords } from "../accounts/session/unsaved-words.ts";
import { parseJson } from "../api/api-error.ts";
import { detailText, isUnreachable, textByCode } from "../api/problem-text.ts";
import { type ChangedFields, changedFields, isUnchanged } from "../forms/changed-fields.ts";
import { type FieldErrors, refusedIssues, wordIssues } from "../forms/field-errors.ts";
import { useSending } from "../forms/use-sending.ts";

export type EditedPreset = {
  /** Storage name of the unsaved text. */
  draftKey: string;
  initial: NewPreset;
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
  tools: z.nullable(z.array(z.string())),
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

/**
 * Edits a preset; its unsaved text outlives the page. `isRestored`: the form shows such a text. `form`: ref of the form,
 * whose first wrong field takes the focus.
 */
export function usePresetForm({ draftKey, initial, onSave }: EditedPreset) {
  const { t } = useTranslation("presets");
  const [stored] = useState((): NewPreset => {
    const { name, instructions, model, temperature, effort = null, tools = null } = initial;
    return { name, instructions, model, temperature, effort, tools };
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

  return {
    form,
    given,
    put,
    labels,
    errors,
    isRestored: left !== null && given === left,
    isSending,
    failure,
    submit,
    forget,
  };
}
