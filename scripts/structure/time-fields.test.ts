import { expect, test } from "vitest";
import { parseSourceFile } from "./source-files.ts";
import { timeFieldProblems } from "./time-fields.ts";

const problemsIn = (field: string, path = "contract/a.ts") =>
  timeFieldProblems([parseSourceFile(path, `export const a = z.object({ ${field} });`)]);

test.each([
  "createdAt: z.int()",
  "until: z.optional(z.int().check(z.minimum(0)))",
  "at: z.coerce.number()",
  "seenAt: z._default(z.nullable(z.number()), null)",
])("the time %s without bounds is reported", (field) => {
  const name = field.slice(0, field.indexOf(":"));
  expect(problemsIn(field)).toEqual([
    `contract/a.ts: ${name} is a time without bounds. Use timeField() of contract/times.ts.`,
  ]);
});

test.each(["createdAt: timeField()", "until: z.optional(timeField())", "size: z.int()", "format: z.string()"])(
  "the field %s is allowed",
  (field) => {
    expect(problemsIn(field)).toEqual([]);
  },
);

test("positions in the text of a part are no times", () => {
  expect(problemsIn("at: z.int()", "contract/conversation/parts.ts")).toEqual([]);
});
