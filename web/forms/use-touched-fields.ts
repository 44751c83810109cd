import { type ChangeEvent, useState } from "react";
import type { FieldIssue } from "#contract/text/validation.ts";
import { afterPointer } from "../ui/after-pointer.ts";
import { type FieldErrors, firstBroken, focusField, type Labels, without, wordIssues } from "./field-errors.ts";

type Options<Name extends string> = {
  labels: Labels<Name>;
  /** Takes over what was typed. */
  onChange: (change: (values: Record<Name, string>) => Record<Name, string>) => void;
  /** What is wrong with the values now. */
  issues: readonly FieldIssue[];
};

export type TouchedFields<Name extends string> = {
  fieldProps: (name: Name) => {
    name: Name;
    error: string | undefined;
    onChange: (event: ChangeEvent<HTMLInputElement>) => void;
    onBlur: () => void;
    required: true;
  };
  /** Nothing is wrong, as far as it is known here. */
  isValid: boolean;
  /** When the form is sent: tells all that is wrong, and the first such field takes the focus. Gives {@link isValid}. */
  check: (form: HTMLFormElement) => boolean;
  /** Tells what only the server, or nobody before the sending, has found; at each field until it is typed in. */
  refuse: (issues: readonly FieldIssue[]) => void;
};

/**
 * Fields that are checked at every key press. What is wrong with one is told once it was left, and all of it once the form
 * was sent; from then on the sentences follow the typing.
 */
export function useTouchedFields<Name extends string>(options: Options<Name>): TouchedFields<Name> {
  const { labels, onChange, issues } = options;
  const [touched, setTouched] = useState<readonly string[]>([]);
  const [refused, setRefused] = useState<FieldErrors<Name>>({});
  const broken = wordIssues(issues, labels);
  const isValid = issues.length === 0;
  return {
    fieldProps: (name) => ({
      name,
      error: (touched.includes(name) ? broken[name] : undefined) ?? refused[name],
      onChange: ({ currentTarget: { value } }) => {
        setRefused((before) => without(before, name));
        onChange((before) => ({ ...before, [name]: value }));
      },
      onBlur: () => afterPointer(() => setTouched((before) => (before.includes(name) ? before : [...before, name]))),
      required: true,
    }),
    isValid,
    check: (form) => {
      setTouched(Object.keys(labels));
      focusField(form, firstBroken(labels, broken));
      return isValid;
    },
    refuse: (found) => setRefused(wordIssues(found, labels)),
  };
}
