import * as z from "zod/mini";
import type { ToolEffect } from "#contract/conversation/tools.ts";

/** A tool as a server lists it. `inputSchema`: JSON Schema of an object. Hints are those of the protocol. */
export const storedToolSchema = z.object({
  name: z.string(),
  title: z.optional(z.string()),
  description: z.string(),
  inputSchema: z.record(z.string(), z.unknown()),
  hints: z.object({
    readOnly: z.optional(z.boolean()),
    destructive: z.optional(z.boolean()),
    idempotent: z.optional(z.boolean()),
  }),
  /** Whether a call of it may, or must, become a task. */
  task: z.optional(z.enum(["optional", "required"])),
});
export type StoredTool = z.infer<typeof storedToolSchema>;

const storedToolsSchema = z.array(storedToolSchema);

/** Returns the tools of a stored list; none of a list that another version has stored by other rules. */
export function parseTools(json: string | null): StoredTool[] {
  if (json === null) return [];
  return storedToolsSchema.safeParse(JSON.parse(json)).data ?? [];
}

/** Returns what a call may do, as the server states it; a tool that states nothing may do anything. */
export function effectOf({ hints }: Pick<StoredTool, "hints">): ToolEffect {
  if (hints.readOnly === true) return "read";
  return hints.destructive === false ? "add" : "change";
}
