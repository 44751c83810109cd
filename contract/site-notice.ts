/** The notice to everybody that administrators set. Times are Unix times in ms. */

import * as z from "zod/mini";
import { rule } from "./text/validation.ts";
import { wellFormed } from "./text/well-formed.ts";

/** In UTF-16 units. */
export const NOTICE_MAX = 500;

/** Plain text of one or more lines. `until`: its end; absent: none. */
const fields = {
  text: z
    .string({ error: rule("required") })
    .check(
      z.overwrite(wellFormed),
      z.trim(),
      z.minLength(1, { error: rule("required") }),
      z.maxLength(NOTICE_MAX, { error: rule("max", NOTICE_MAX) }),
    ),
  until: z.optional(z.int().check(z.minimum(0))),
};

export const newSiteNoticeSchema = z.object(fields);
export type NewSiteNotice = z.infer<typeof newSiteNoticeSchema>;

/** `id` differs for each notice, so that a person can dismiss one for good. */
export const siteNoticeSchema = z.object({ ...fields, id: z.string() });
export type SiteNotice = z.infer<typeof siteNoticeSchema>;

/** `notice` is null if there is none, or it has ended. */
export const siteNoticeAnswerSchema = z.object({ notice: z.nullable(siteNoticeSchema) });
