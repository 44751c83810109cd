/** Tools that chats can use. Separate from the presets, because only the menu of tools loads them. */

import * as z from "zod/mini";
import { TOOL_GROUPS_MAX } from "../limits.ts";

/** Groups of tools that can be used now, by the slugs that `tools` of a chat names. */
export const toolListSchema = z.object({
  groups: z.array(z.object({ slug: z.string() })).check(z.maxLength(TOOL_GROUPS_MAX)),
});
export type ToolList = z.infer<typeof toolListSchema>;
