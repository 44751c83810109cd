import { type ChangeEvent, useState } from "react";
import type { FieldIssue } from "#contract/text/validation.ts";
import { afterPointer } from "../ui/after-pointer.ts";
import { type FieldErrors, firstBroken, focusField, type Labels, without, wordIssues } from "./field-errors.ts";

type Options<Name extends string> = {
  labels: Labels<Name>;
  /** Applies a change of the values. */
  onChange: (change: (values: Record<Name, string>) => Record<Name, string>) => void;
  /** Issues of the current values. */
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
  /** Whether the client finds no issue. */
  isValid: boolean;
  /** Called on submit: shows all issues and focuses the first invalid field. Returns {@link isValid}. */
  check: (form: HTMLFormElement) => boolean;
  /** Shows issues that were found only on submit, for example by the server; each one until its field is edited. */
  refuse: (issues: readonly FieldIssue[]) => void;
};

/**
 * Fields validated at every key press. The issues of a field are shown after its first blur, and all of them after the
 * first submit; from then on the sentences are updated while typing.
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
