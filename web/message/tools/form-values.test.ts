import { expect, test } from "vitest";
import type { FormField } from "#contract/conversation/tool-forms.ts";
import { fieldProblems, fieldValue, firstEntry, parseNumber } from "./form-values.ts";

const field = (more: Partial<FormField>): FormField => ({ name: "a", kind: "text", isRequired: false, ...more });
const options = ["red", "blue"].map((value) => ({ value, label: value }));

test.each([
  ["1.5", "en", 1.5],
  [" 7 ", "en", 7],
  ["1,5", "de", 1.5],
  ["1.5", "de", 1.5],
  ["-2", "de", -2],
  ["٤٢", "ar", 42],
])("reads the number “%s” of a person who reads %s", (text, language, expected) => {
  expect(parseNumber(text, language)).toBe(expected);
});

test.each([
  ["1,000", "en"],
  ["1.000", "de"],
  ["1.000,5", "de"],
  ["seven", "en"],
])("refuses the number “%s” of a person who reads %s", (text, language) => {
  expect(parseNumber(text, language)).toBeNaN();
});

test.each<[string, Partial<FormField>, unknown]>([
  ["a text", { default: "tea" }, "tea"],
  ["a number", { kind: "number", default: 1.5 }, "1.5"],
  ["a default of another kind", { kind: "number", default: "many" }, ""],
  ["a choice", { kind: "choice", options, default: "red" }, "red"],
  ["a choice that is no option", { kind: "choice", options, default: "green" }, ""],
  ["choices", { kind: "choices", options, default: ["blue", "green"] }, ["blue"]],
  ["a boolean", { kind: "boolean", default: true }, true],
  ["a field without a default", { kind: "boolean" }, false],
])("shows the default of %s", (_, more, expected) => {
  expect(firstEntry(field(more))).toEqual(expected);
});

test("a moment is entered in the local time and sent in UTC", () => {
  const moment = field({ format: "date-time", default: "2025-06-01T10:00:00Z" });
  const entry = firstEntry(moment);
  expect(entry).toMatch(/^2025-0[56]-\d\dT\d\d:\d\d$/);
  expect(fieldValue(moment, entry, "en")).toBe("2025-06-01T10:00:00.000Z");
});

test("an empty field has no value, and a required one a problem", () => {
  expect(fieldValue(field({}), " ", "en")).toBeUndefined();
  expect(fieldValue(field({ kind: "choices", options }), [], "en")).toBeUndefined();
  const form = { key: "f", message: "", fields: [field({ isRequired: true }), field({ name: "b" })] };
  expect([...fieldProblems(form, ["", ""], "en").values()]).toEqual([{ field: "a", rule: "required" }]);
});
