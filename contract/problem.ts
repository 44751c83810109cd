/** Answers of failed calls: problem documents. */

import * as z from "zod/mini";

export const problemMediaType = "application/problem+json";

/**
 * Body of every failed call. `code`: one of `errors.ts`, or of a later version. `issues` names the invalid fields of a
 * 400 with the rule that each breaks. `file`: id of the file that was refused, of several in one request.
 */
export const problemSchema = z.object({
  detail: z.union([
    z.string(),
    z.object({ message: z.string(), email_verified: z.literal(false) }),
    z.object({ message: z.string(), second_factor: z.literal(true) }),
  ]),
  error: z.string(),
  code: z.string(),
  /** Of a sign-in that needs a second step, or a second factor. */
  ticket: z.optional(z.string()),
  file: z.optional(z.string()),
  issues: z.optional(
    z.array(z.object({ field: z.string(), rule: z.string(), n: z.optional(z.number()), message: z.string() })),
  ),
});
export type Problem = z.infer<typeof problemSchema>;
