import * as z from "zod/mini";

/** `PROVIDER:model-name`, e.g. `GPT:gpt-5-mini`. */
export const modelOptionSchema = z.object({
  label: z.string(),
  value: z.string(),
  /** Whether this server has what the model needs (a key, a local server). */
  available: z.boolean(),
  /** Missing: it does. */
  takesTemperature: z.optional(z.literal(false)),
  /** How many tokens a prompt and its reply may have together; missing where nobody knows. */
  contextTokens: z.optional(z.number()),
  /** US dollars for a million tokens; missing where nobody knows. */
  price: z.optional(z.object({ input: z.number(), output: z.number() })),
});
export type ModelOption = z.infer<typeof modelOptionSchema>;

export const modelGroupSchema = z.object({ label: z.string(), models: z.array(modelOptionSchema) });
export type ModelGroup = z.infer<typeof modelGroupSchema>;

export const modelListSchema = z.array(modelGroupSchema);

/** The value of automatic choice; never sent. */
export const AUTO_MODEL = "auto";
