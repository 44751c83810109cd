/** What is entered in the fields of a form, and the values that it stands for. */

import type { FormField, FormValue, ToolForm } from "#contract/conversation/tool-forms.ts";
import { type FormProblem, formProblems } from "#contract/mcp/form-problems.ts";

/** What a field shows: a text; whether it is checked; the chosen options. */
export type Entry = string | boolean | readonly string[];

/** Returns what a field shows at first: its default, if that is a value of its kind. */
export function firstEntry(field: FormField): Entry {
  const { kind, default: given, options = [] } = field;
  switch (kind) {
    case "boolean":
      return given === true;
    case "choices":
      return Array.isArray(given) ? given.filter((each) => options.some(({ value }) => value === each)) : [];
    case "choice":
      return typeof given === "string" && options.some(({ value }) => value === given) ? given : "";
    case "number":
    case "integer":
      return typeof given === "number" ? String(given) : "";
    case "text":
      if (typeof given !== "string") return "";
      return field.format === "date-time" ? toLocalTime(given) : given;
  }
}

/** Whether a stored entry can be shown by a field. */
export function isEntryOf({ kind }: FormField, entry: unknown): entry is Entry {
  if (kind === "boolean") return typeof entry === "boolean";
  if (kind === "choices") return Array.isArray(entry) && entry.every((each) => typeof each === "string");
  return typeof entry === "string";
}

/** Returns the value of a field; undefined if it was left empty. @param language by which numbers are written */
export function fieldValue(
  { kind, format, isRequired }: FormField,
  entry: Entry,
  language: string,
): FormValue | undefined {
  if (typeof entry === "boolean") return entry;
  if (typeof entry !== "string") return entry.length === 0 && !isRequired ? undefined : [...entry];
  if (entry.trim() === "") return undefined;
  if (kind === "number" || kind === "integer") return parseNumber(entry, language);
  if (format === "date-time") return toMoment(entry);
  return kind === "text" && format !== undefined ? entry.trim() : entry;
}

export const valuesOf = (form: ToolForm, entries: readonly Entry[], language: string): Record<string, FormValue> =>
  Object.fromEntries(
    form.fields.flatMap((field, index) => {
      const value = fieldValue(field, entries[index] ?? "", language);
      return value === undefined ? [] : [[field.name, value]];
    }),
  );

/** Returns the problem of each field that has one, by its name. */
export function fieldProblems(form: ToolForm, entries: readonly Entry[], language: string): Map<string, FormProblem> {
  return new Map(formProblems(form, valuesOf(form, entries, language)).map((problem) => [problem.field, problem]));
}

/**
 * Parses a number with the decimal separator of a language, or with a point. A separator of thousands is refused, because
 * languages do not agree which of the two it is: NaN.
 */
export function parseNumber(text: string, language: string): number {
  const digits = text.trim().replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660));
  const separator = new Intl.NumberFormat(language).formatToParts(1.5).find(({ type }) => type === "decimal")?.value;
  if (separator !== ",") return Number(digits);
  return /\.\d{3}(?!\d)/.test(digits) ? Number.NaN : Number(digits.replace(",", "."));
}

const two = (number: number) => String(number).padStart(2, "0");

/** Returns a moment as the browser's field for the local time has it; empty if it is none. */
function toLocalTime(moment: string): string {
  const time = new Date(moment);
  if (Number.isNaN(time.getTime())) return "";
  const day = `${String(time.getFullYear()).padStart(4, "0")}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day}T${two(time.getHours())}:${two(time.getMinutes())}`;
}

/** Returns the moment of a local time in UTC; a text that is none is returned as it is. */
function toMoment(local: string): string {
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? local : time.toISOString();
}
