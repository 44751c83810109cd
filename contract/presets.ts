/** What models are told besides the conversation: instructions, and presets that hold them with a model and a temperature. */

import * as z from "zod/mini";

/** What a chat has of its own; only what there is. A preset that is not in the list of presets counts as none. */
export const chatGuidanceSchema = z.object({ presetId: z.optional(z.string()), instructions: z.optional(z.string()) });
export type ChatGuidance = z.infer<typeof chatGuidanceSchema>;

/** `model`: a model's value, whether it is there at present or not; none where it is chosen as without a preset. */
export const presetSchema = z.object({
  id: z.string(),
  name: z.string(),
  instructions: z.string(),
  model: z.nullable(z.string()),
  /** 0 to {@link TEMPERATURE_MAX}; none: the model's own. */
  temperature: z.nullable(z.number()),
});
export type Preset = z.infer<typeof presetSchema>;

/** In the order in which they are shown. */
export const presetListSchema = z.array(presetSchema);
