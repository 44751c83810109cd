/** The notice to everybody that administrators set. Times are Unix times in ms. */

import * as z from "zod/mini";
import { timeField } from "../times.ts";

/** Path of the notice, relative to `API_BASE`; here, because every page loads the notice. */
export const SITE_NOTICE_PATH = "/notice";

/** `id` differs for each notice, so that a person can dismiss one for good. `until`: its end; absent: none. */
export const siteNoticeSchema = z.object({ id: z.string(), text: z.string(), until: z.optional(timeField()) });
export type SiteNotice = z.infer<typeof siteNoticeSchema>;

/** `notice` is null if there is none, or it has ended. */
export const siteNoticeAnswerSchema = z.object({ notice: z.nullable(siteNoticeSchema) });
