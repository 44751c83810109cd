import { expect, test } from "vitest";
import type { FormField } from "../conversation/tool-forms.ts";
import { type FormValues, formProblems } from "./form-problems.ts";

const field = (more: Partial<FormField>): FormField => ({ name: "a", kind: "text", isRequired: false, ...more });
const options = ["red", "blue"].map((value) => ({ value, label: value }));
const rules = (fields: FormField[], values: FormValues) =>
  formProblems({ fields }, values).map(({ field: name, rule, limit }) =>
    limit === undefined ? `${name} ${rule}` : `${name} ${rule} ${limit}`,
  );

test.each<[string, Partial<FormField>, FormValues, string[]]>([
  ["an absent value of an optional field", {}, {}, []],
  ["an absent value of a required field", { isRequired: true }, {}, ["a required"]],
  ["an empty text of a required field", { isRequired: true }, { a: "" }, ["a required"]],
  ["an empty text of an optional field, whatever its format", { format: "email" }, { a: "" }, []],
  ["a number for a text", {}, { a: 1 }, ["a type"]],
  ["a text at its limits", { minLength: 2, maxLength: 2 }, { a: "ab" }, []],
  ["a text that is too short", { minLength: 3 }, { a: "ab" }, ["a min-length 3"]],
  ["a text that is too long", { maxLength: 1 }, { a: "ab" }, ["a max-length 1"]],
  ["an address of mail", { format: "email" }, { a: "ada@example.org" }, []],
  ["a text that is no address of mail", { format: "email" }, { a: "ada example" }, ["a email"]],
  ["an absolute address", { format: "uri" }, { a: "https://example.org/a?b" }, []],
  ["a relative address", { format: "uri" }, { a: "/a" }, ["a uri"]],
  ["a day", { format: "date" }, { a: "2024-02-29" }, []],
  ["a day that the calendar lacks", { format: "date" }, { a: "2025-02-29" }, ["a date"]],
  ["a month that the calendar lacks", { format: "date" }, { a: "2025-13-01" }, ["a date"]],
  ["a moment in UTC", { format: "date-time" }, { a: "2025-02-28T23:59:00.123Z" }, []],
  ["a moment with an offset", { format: "date-time" }, { a: "2025-02-28T23:59:00+05:30" }, []],
  ["a moment without an offset", { format: "date-time" }, { a: "2025-02-28T23:59:00" }, ["a date-time"]],
  [
    "a moment of a day that the calendar lacks",
    { format: "date-time" },
    { a: "2025-02-30T10:00:00Z" },
    ["a date-time"],
  ],
  ["a text of an unknown format", { format: "color" }, { a: "anything" }, []],
  ["zero of a required number", { kind: "number", isRequired: true }, { a: 0 }, []],
  ["a text for a number", { kind: "number" }, { a: "1" }, ["a type"]],
  ["a number that is not finite", { kind: "number" }, { a: Number.NaN }, ["a type"]],
  ["a number below its limit", { kind: "number", minimum: 0.5 }, { a: 0.4 }, ["a minimum 0.5"]],
  ["a number above its limit", { kind: "integer", maximum: 5 }, { a: 6 }, ["a maximum 5"]],
  ["a fraction for a whole number", { kind: "integer" }, { a: 1.5 }, ["a integer"]],
  ["“no” for a required boolean", { kind: "boolean", isRequired: true }, { a: false }, []],
  ["a text for a boolean", { kind: "boolean" }, { a: "true" }, ["a type"]],
  ["one of the options", { kind: "choice", options }, { a: "red" }, []],
  ["a choice that is no option", { kind: "choice", options }, { a: "green" }, ["a option"]],
  ["a choice without options", { kind: "choice" }, { a: "green" }, ["a option"]],
  ["several options for a choice", { kind: "choice", options }, { a: ["red"] }, ["a type"]],
  ["several of the options", { kind: "choices", options }, { a: ["red", "blue"] }, []],
  ["an option twice", { kind: "choices", options }, { a: ["red", "red"] }, ["a option"]],
  ["too few options", { kind: "choices", options, minItems: 1 }, { a: [] }, ["a min-items 1"]],
  ["too many options", { kind: "choices", options, maxItems: 1 }, { a: ["red", "blue"] }, ["a max-items 1"]],
  ["a value of no field", {}, { b: "x" }, ["b unknown"]],
  ["a value of an inherited name", {}, { constructor: "x" }, ["constructor unknown"]],
])("checks %s", (_, more, values, expected) => {
  expect(rules([field(more)], values)).toEqual(expected);
});

test("lists one problem of each field, in the order of the form", () => {
  const fields = [field({ name: "b", isRequired: true }), field({ name: "a", minLength: 5, format: "email" })];
  expect(rules(fields, { a: "x" })).toEqual(["b required", "a min-length 5"]);
});
