import { type FieldIssue, parseRule } from "#contract/text/validation.ts";
import { brokenFields, issueText } from "../api/problem-text.ts";

/** The fields of a form in their order, named as in sentences. */
export type Labels<Name extends string> = Record<Name, string>;

/** What is wrong with fields, in sentences. */
export type FieldErrors<Name extends string> = Partial<Record<Name, string>>;

/** Only of the fields that the form has. */
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

/** What the server has found at the fields. */
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

/** The first field that has an error. */
export function firstBroken<Name extends string>(labels: Labels<Name>, errors: FieldErrors<Name>): Name | undefined {
  for (const name in labels) if (errors[name] !== undefined) return name;
  return undefined;
}
