/** Tools that chats can use. Separate from the presets, because only the menu of tools loads them. */

import * as z from "zod/mini";
import { REPLY_TOOLS_MAX, TOOL_GROUPS_MAX } from "../limits.ts";

/**
 * What a call may do, as the server of the tool states it: `read` only; `add` or change without deleting; `change`:
 * anything, which also holds if the server states nothing.
 */
export const toolEffects = ["read", "add", "change"] as const;
export type ToolEffect = (typeof toolEffects)[number];

/**
 * Whether the tools of a server can be called. `connect`: after the person has signed in to it. `away`: it did not answer
 * the last time. `empty`: it has no tools.
 */
export const toolServerStates = ["ready", "connect", "away", "empty"] as const;
export type ToolServerState = (typeof toolServerStates)[number];

/**
 * A server outside of Parley. `id`: for its connection. `host`: where it is; empty for a program that runs beside Parley.
 * `isOwn`: the person has added it. `leftOut`: tools over the limit, which are not listed.
 */
export const toolServerSchema = z.object({
  id: z.string(),
  name: z.string(),
  host: z.string(),
  isOwn: z.boolean(),
  state: z.enum(toolServerStates),
  tools: z
    .array(z.object({ name: z.string(), title: z.optional(z.string()), effect: z.enum(toolEffects) }))
    .check(z.maxLength(REPLY_TOOLS_MAX)),
  leftOut: z.int(),
});
export type ToolServer = z.infer<typeof toolServerSchema>;

/** A group of tools. `server`: absent for a group of Parley itself. */
export const listedToolGroupSchema = z.object({ slug: z.string(), server: z.optional(toolServerSchema) });
export type ListedToolGroup = z.infer<typeof listedToolGroupSchema>;

/** Groups of tools that can be used now, by the slugs that `tools` of a chat names. */
export const toolListSchema = z.object({
  groups: z.array(listedToolGroupSchema).check(z.maxLength(TOOL_GROUPS_MAX)),
});
export type ToolList = z.infer<typeof toolListSchema>;
