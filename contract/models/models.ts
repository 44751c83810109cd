import * as z from "zod/mini";
import { effortSchema, efforts } from "./effort.ts";

/** One schema for all flags: the chat page loads it. */
const flag = z.optional(z.literal(true));

/** More kinds than this version has, for newer servers. */
const RECEIVED_FIELDS_MAX = 10;

/** `PROVIDER:model-name`, e.g. `GPT:gpt-5-mini`. */
export const modelOptionSchema = z.object({
  label: z.string(),
  value: z.string(),
  /** Whether the server has what the model requires (an API key, a local server). */
  available: z.boolean(),
  /** Its provider does not answer now. The model is not available, and becomes so again by itself. */
  unreachable: flag,
  /** Automatic choice asks this model first, for the account's group; absent for others. */
  default: flag,
  /** Position in the order of automatic choice, from 0; absent if it never asks the model. */
  automatic: z.optional(z.int()),
  /** False if the model refuses a temperature; absent if it accepts one. */
  takesTemperature: z.optional(z.literal(false)),
  /** Efforts of reasoning that the model has, ascending; absent if it has none to choose. */
  efforts: z.optional(z.array(effortSchema).check(z.maxLength(efforts.length))),
  /** Whether the model sees pictures, and reads PDF files as they are; absent if it does not, or if that is unknown. */
  images: flag,
  /** It is not known whether it sees pictures: one is sent, and a refusal is remembered. */
  triesPictures: flag,
  pdf: flag,
  /** Whether the model is known to call tools, and to reason. */
  tools: flag,
  reasoning: flag,
  /** Context window in tokens, for prompt and reply together; absent if unknown. */
  contextTokens: z.optional(z.number()),
  /** US dollars per million tokens; absent if unknown. */
  price: z.optional(
    z.object({
      input: z.number(),
      output: z.number(),
      /** Absent: cached input costs as other input. */
      cacheRead: z.optional(z.number()),
      cacheWrite: z.optional(z.number()),
    }),
  ),
});
export type ModelOption = z.infer<typeof modelOptionSchema>;

/**
 * Prefix of the values of a provider that does not answer now, such as `LOCAL:`. The group has the models that it had
 * last, perhaps none. A value with this prefix that is missing is not known to be gone.
 */
export const unreachableField = z.optional(z.string());

export const modelGroupSchema = z.object({
  label: z.string(),
  unreachable: unreachableField,
  /** What its server receives of the person with each call: `email`, `name`; absent: neither. */
  receives: z.optional(z.array(z.string()).check(z.maxLength(RECEIVED_FIELDS_MAX))),
  models: z.array(modelOptionSchema),
});
export type ModelGroup = z.infer<typeof modelGroupSchema>;

export const modelListSchema = z.array(modelGroupSchema);

/** The value of automatic choice; never sent to a provider. */
export const AUTO_MODEL = "auto";
