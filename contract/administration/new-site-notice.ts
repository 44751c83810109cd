/** A new notice to everybody, apart from `site-notice.ts`, which every page loads. */

import * as z from "zod/mini";
import { rule } from "../text/validation.ts";
import { wellFormed } from "../text/well-formed.ts";
import { timeField } from "../times.ts";

/** In UTF-16 units. */
export const NOTICE_MAX = 500;

/** `text`: plain text of one or more lines. `until`: its end (Unix time in ms); absent: none. */
export const newSiteNoticeSchema = z.object({
  text: z
    .string({ error: rule("required") })
    .check(
      z.overwrite(wellFormed),
      z.trim(),
      z.minLength(1, { error: rule("required") }),
      z.maxLength(NOTICE_MAX, { error: rule("max", NOTICE_MAX) }),
    ),
  until: z.optional(timeField()),
});
export type NewSiteNotice = z.infer<typeof newSiteNoticeSchema>;
