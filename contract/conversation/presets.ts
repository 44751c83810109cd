/** Instructions for models, and presets: instructions, a model and a temperature under a name. */

import * as z from "zod/mini";
import { TOOL_GROUPS_MAX } from "../limits.ts";
import { effortSchema } from "../models/effort.ts";

/** Groups of tools that are switched on, by their slugs. Those that the server does not have are passed over. */
export const toolGroupsField = () => z.array(z.string().check(z.maxLength(64))).check(z.maxLength(TOOL_GROUPS_MAX));

/** Preset, instructions, effort and tools of a chat; only fields that are set. An unknown preset id counts as none. */
export const chatGuidanceSchema = z.object({
  presetId: z.optional(z.string()),
  instructions: z.optional(z.string()),
  /** Effort of reasoning that was chosen last in the chat. */
  effort: z.optional(effortSchema),
  tools: z.optional(toolGroupsField()),
});
export type ChatGuidance = z.infer<typeof chatGuidanceSchema>;

/** `model`: value of a model, available or not; null is the choice without a preset. */
export const presetSchema = z.object({
  id: z.string(),
  name: z.string(),
  instructions: z.string(),
  model: z.nullable(z.string()),
  /** 0 to {@link TEMPERATURE_MAX}; null is the model's default. */
  temperature: z.nullable(z.number()),
  /** Effort of reasoning; absent: the model's default. */
  effort: z.optional(effortSchema),
  /** Groups of tools of its chats; absent: none. */
  tools: z.optional(toolGroupsField()),
});
export type Preset = z.infer<typeof presetSchema>;

/** In display order. */
export const presetListSchema = z.array(presetSchema);
