/** Requests for presets and instructions. Separate from their data types, because the chat page needs only those. */

import * as z from "zod/mini";
import { INSTRUCTIONS_MAX, PRESET_NAME_MAX, PRESETS_MAX, TEMPERATURE_MAX, TOOL_GROUPS_MAX } from "../limits.ts";
import { effortSchema } from "../models/effort.ts";
import { nameText } from "../text/name-text.ts";
import { rule } from "../text/validation.ts";
import { wellFormed } from "../text/well-formed.ts";

/** An empty string means no instructions. */
export const instructionsField = () =>
  z
    .string({ error: rule("required") })
    .check(z.overwrite(wellFormed), z.maxLength(INSTRUCTIONS_MAX, { error: rule("max", INSTRUCTIONS_MAX) }));

/** Groups of tools to switch on, by their slugs. Unknown ones are stored, because a server may come back. */
export const newToolGroups = () =>
  z.array(z.string().check(z.regex(/^[a-z][a-z0-9-]{0,39}$/))).check(z.maxLength(TOOL_GROUPS_MAX));

export const instructionsSchema = z.object({ instructions: instructionsField() });
export type Instructions = z.infer<typeof instructionsSchema>;

/** An id of any form: a malformed one is answered with "not found", like an unknown one. */
export const presetParamsSchema = z.object({ id: z.string().check(z.overwrite(wellFormed)) });

const modelField = () => z.nullable(z.string().check(z.minLength(1), z.maxLength(200), z.overwrite(wellFormed)));

const temperatureField = () =>
  z.nullable(z.number().check(z.minimum(0), z.maximum(TEMPERATURE_MAX), z.multipleOf(0.01)));

export const newPresetSchema = z.object({
  name: nameText(PRESET_NAME_MAX),
  instructions: instructionsField(),
  model: modelField(),
  temperature: temperatureField(),
  /** Null is the model's default. */
  effort: z.optional(z.nullable(effortSchema)),
  tools: z.optional(z.nullable(newToolGroups())),
});
export type NewPreset = z.infer<typeof newPresetSchema>;

/** Partial change. `position`: zero-based index in the list; larger values mean the end. */
export const presetChangeSchema = z
  .extend(z.partial(newPresetSchema), {
    position: z.optional(z.int().check(z.minimum(0), z.maximum(PRESETS_MAX))),
  })
  .check(z.refine((change) => Object.keys(change).length > 0, { error: rule("required") }));
export type PresetChange = z.infer<typeof presetChangeSchema>;
