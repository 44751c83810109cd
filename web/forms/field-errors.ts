import { type FieldIssue, parseRule } from "#contract/text/validation.ts";
import { brokenFields, issueText } from "../api/problem-text.ts";

/** Labels of a form's fields as used in sentences, in the order of the fields. */
export type Labels<Name extends string> = Record<Name, string>;

/** Error sentences by field. */
export type FieldErrors<Name extends string> = Partial<Record<Name, string>>;

/** Returns the error sentences of the issues; issues of fields that the form does not have are ignored. */
export function wordIssues<Name extends string>(
  issues: readonly FieldIssue[],
  labels: Labels<Name>,
): FieldErrors<Name> {
  const errors: FieldErrors<Name> = {};
  for (const issue of issues) {
    for (const name in labels) if (name === issue.field) errors[name] = issueText(issue, labels[name]);
  }
  return errors;
}

/** Returns the field issues of the server's refusal. */
export function refusedIssues(error: unknown): FieldIssue[] {
  return brokenFields(error).map(({ field, rule }) => ({ field, ...parseRule(rule) }));
}

export function without<Name extends string>(errors: FieldErrors<Name>, name: Name): FieldErrors<Name> {
  const { [name]: _, ...others } = errors;
  return others as FieldErrors<Name>;
}

export const inputsOf = (form: HTMLFormElement) =>
  [...form.elements].filter((element) => element instanceof HTMLInputElement);

export function focusField(form: HTMLFormElement | null, name: string | undefined): void {
  if (form && name !== undefined)
    inputsOf(form)
      .find((input) => input.name === name)
      ?.focus();
}

/** Returns the first field that has an error. */
export function firstBroken<Name extends string>(labels: Labels<Name>, errors: FieldErrors<Name>): Name | undefined {
  for (const name in labels) if (errors[name] !== undefined) return name;
  return undefined;
}
