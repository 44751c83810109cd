import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ToolPart } from "#contract/conversation/known-parts.ts";
import type { ToolQuestion } from "#contract/conversation/tool-forms.ts";
import type { FormProblem } from "#contract/mcp/form-problems.ts";
import { useMessageContext } from "../message-context.ts";
import { type Entry, fieldProblems, firstEntry, isEntryOf, valuesOf } from "./form-values.ts";
import { useDecision } from "./use-decision.ts";

/** By the position of the form, and of the field in it. */
type Entries = readonly (readonly Entry[])[];

const firstEntries = ({ forms }: ToolQuestion): Entries => forms.map(({ fields }) => fields.map(firstEntry));

/** Parses the stored entries of a question; null for those of another one, or of another form. */
function parseEntries({ id, forms }: ToolQuestion, words: string | null): Entries | null {
  if (words === null) return null;
  try {
    const stored: unknown = JSON.parse(words);
    if (!Array.isArray(stored) || stored[0] !== id || !Array.isArray(stored[1])) return null;
    const all: unknown[] = stored[1];
    return forms.map(({ fields }, form) => {
      const entries = all[form];
      return fields.map((field, index) => {
        const entry: unknown = Array.isArray(entries) ? entries[index] : undefined;
        return isEntryOf(field, entry) ? entry : firstEntry(field);
      });
    });
  } catch {
    return null;
  }
}

/** The answers to a question of a call until they are sent. A reload keeps them, as other drafts. */
export function useQuestion(part: ToolPart, question: ToolQuestion, reply: string | null) {
  const { i18n } = useTranslation();
  const { formDraft } = useMessageContext();
  const [entries, setEntries] = useState(
    () => parseEntries(question, formDraft?.read() ?? null) ?? firstEntries(question),
  );
  const [isChecked, setChecked] = useState(false);
  const decision = useDecision(part, reply);
  const fields = useRef(new Map<string, HTMLElement>());
  // Each failed attempt to send focuses the first field with a problem.
  const [attempts, setAttempts] = useState(0);
  const problems = question.forms.map((form, index) => fieldProblems(form, entries[index] ?? [], i18n.language));
  const problemAt = (form: number, name: string): FormProblem | undefined =>
    isChecked ? problems[form]?.get(name) : undefined;
  const isWrong = problems.some(({ size }) => size > 0);
  useEffect(() => {
    if (attempts > 0)
      [...fields.current.values()].find((field) => field.getAttribute("aria-invalid") === "true")?.focus();
  }, [attempts]);
  const finish = async (sending: Promise<boolean>) => {
    if (await sending) formDraft?.store(null);
  };
  return {
    ...decision,
    entries,
    problemAt,
    change: (form: number, field: number, entry: Entry) => {
      const next = entries.map((each, index) => (index === form ? each.with(field, entry) : each));
      setEntries(next);
      formDraft?.store(JSON.stringify([question.id, next]));
    },
    refOf: (form: number, name: string) => (element: HTMLElement | null) => {
      const key = `${form} ${name}`;
      if (element) fields.current.set(key, element);
      else fields.current.delete(key);
    },
    send: () => {
      setChecked(true);
      if (isWrong) {
        setAttempts(attempts + 1);
        return;
      }
      const forms = question.forms.map((form, index) => ({
        key: form.key,
        values: valuesOf(form, entries[index] ?? [], i18n.language),
      }));
      void finish(decision.decide("submit", { id: question.id, forms }));
    },
    refuse: () => void finish(decision.decide("no")),
  };
}

export type QuestionState = ReturnType<typeof useQuestion>;
