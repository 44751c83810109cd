/** Rules of the forms by which tools ask. The browser checks an answer by them before it sends it, and the server again. */

import type { FormField, FormValue, ToolForm } from "../conversation/tool-forms.ts";

/** `unknown`: the form has no such field. `type`: a value of another kind. `option`: not one of the options, or twice. */
export type FormRule =
  | "required"
  | "type"
  | "unknown"
  | "integer"
  | "option"
  | "email"
  | "uri"
  | "date"
  | "date-time"
  | "min-length"
  | "max-length"
  | "minimum"
  | "maximum"
  | "min-items"
  | "max-items";

/** `limit`: of the rules that have one. */
export type FormProblem = { field: string; rule: FormRule; limit?: number };

export type FormValues = Readonly<Record<string, FormValue>>;

/** Lists what is wrong with the values of a form: at most one problem of each field, in the order of the form. */
export function formProblems({ fields }: Pick<ToolForm, "fields">, values: FormValues): FormProblem[] {
  const names = new Set(fields.map(({ name }) => name));
  const unknown = Object.keys(values).filter((name) => !names.has(name));
  return [
    ...fields.flatMap((field) => {
      const problem = fieldProblem(field, Object.hasOwn(values, field.name) ? values[field.name] : undefined);
      return problem === null ? [] : [{ field: field.name, ...problem }];
    }),
    ...unknown.map((field) => ({ field, rule: "unknown" as const })),
  ];
}

type Problem = Omit<FormProblem, "field">;

function fieldProblem(field: FormField, value: FormValue | undefined): Problem | null {
  if (value === undefined || value === "") return field.isRequired ? { rule: "required" } : null;
  switch (field.kind) {
    case "text":
      return typeof value === "string" ? textProblem(field, value) : { rule: "type" };
    case "number":
    case "integer":
      return typeof value === "number" ? numberProblem(field, value) : { rule: "type" };
    case "boolean":
      return typeof value === "boolean" ? null : { rule: "type" };
    case "choice":
      if (typeof value !== "string") return { rule: "type" };
      return optionsOf(field).has(value) ? null : { rule: "option" };
    case "choices":
      return Array.isArray(value) ? choicesProblem(field, value) : { rule: "type" };
  }
}

function textProblem({ minLength, maxLength, format }: FormField, value: string): Problem | null {
  if (minLength !== undefined && value.length < minLength) return { rule: "min-length", limit: minLength };
  if (maxLength !== undefined && value.length > maxLength) return { rule: "max-length", limit: maxLength };
  switch (format) {
    case "email":
      return /^[^\s@]+@[^\s@]+$/.test(value) ? null : { rule: "email" };
    case "uri":
      return /^[a-z][a-z0-9+.-]*:\S+$/i.test(value) ? null : { rule: "uri" };
    case "date":
      return isDate(value) ? null : { rule: "date" };
    case "date-time":
      return isDateTime(value) ? null : { rule: "date-time" };
    // JSON Schema lets unknown formats pass.
    default:
      return null;
  }
}

/** Whether a text is a day of the calendar, as RFC 3339 writes it. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  // `Date` accepts February 30 as a day of March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Whether a text is a moment with its offset, as RFC 3339 writes it. */
function isDateTime(text: string): boolean {
  const parts = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)(Z|[+-]\d{2}:\d{2})$/i.exec(text);
  return parts !== null && isDate(parts[1] ?? "") && !Number.isNaN(Date.parse(text.toUpperCase()));
}

function numberProblem({ kind, minimum, maximum }: FormField, value: number): Problem | null {
  if (!Number.isFinite(value)) return { rule: "type" };
  if (kind === "integer" && !Number.isSafeInteger(value)) return { rule: "integer" };
  if (minimum !== undefined && value < minimum) return { rule: "minimum", limit: minimum };
  if (maximum !== undefined && value > maximum) return { rule: "maximum", limit: maximum };
  return null;
}

function choicesProblem(field: FormField, value: readonly string[]): Problem | null {
  const { minItems, maxItems } = field;
  const options = optionsOf(field);
  if (new Set(value).size !== value.length || !value.every((each) => options.has(each))) return { rule: "option" };
  if (minItems !== undefined && value.length < minItems) return { rule: "min-items", limit: minItems };
  if (maxItems !== undefined && value.length > maxItems) return { rule: "max-items", limit: maxItems };
  return null;
}

const optionsOf = ({ options = [] }: FormField): ReadonlySet<string> => new Set(options.map(({ value }) => value));
