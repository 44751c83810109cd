/** Instructions for models, and presets: instructions, a model and a temperature under a name. */

import * as z from "zod/mini";
import { effortSchema } from "../models/effort.ts";

/** Preset, instructions and effort of a chat; only fields that are set. An unknown preset id counts as none. */
export const chatGuidanceSchema = z.object({
  presetId: z.optional(z.string()),
  instructions: z.optional(z.string()),
  /** Effort of reasoning that was chosen last in the chat. */
  effort: z.optional(effortSchema),
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
});
export type Preset = z.infer<typeof presetSchema>;

/** In display order. */
export const presetListSchema = z.array(presetSchema);
