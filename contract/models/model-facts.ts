/** Facts of a model that its server reports, and what an owner enters instead. */

import * as z from "zod/mini";
import { nameText } from "../text/name-text.ts";
import { rule } from "../text/validation.ts";
import { effortSchema, efforts } from "./effort.ts";

/** Purposes of models that cannot chat. */
export const otherPurposes = [
  "embedding",
  "rerank",
  "speech",
  "transcription",
  "picture",
  "video",
  "moderation",
] as const;
export type OtherPurpose = (typeof otherPurposes)[number];

/** In UTF-16 units. */
export const MODEL_LABEL_MAX = 100;
export const CONTEXT_TOKENS_MIN = 512;
export const CONTEXT_TOKENS_MAX = 100_000_000;
/** US dollars per million tokens. */
export const PRICE_MAX = 1_000_000;

const invalid = { error: rule("invalid") };
const tokens = () =>
  z.int(invalid).check(z.minimum(CONTEXT_TOKENS_MIN, invalid), z.maximum(CONTEXT_TOKENS_MAX, invalid));
const outputTokens = () => z.int(invalid).check(z.minimum(1, invalid), z.maximum(CONTEXT_TOKENS_MAX, invalid));
const price = () => z.number(invalid).check(z.minimum(0, invalid), z.maximum(PRICE_MAX, invalid));
const effortList = () => z.array(effortSchema).check(z.maxLength(efforts.length));

/** US dollars per million tokens. `cacheRead`, `cacheWrite`: absent, cached input costs as other input. */
export const modelPriceSchema = z.object({
  input: price(),
  output: price(),
  cacheRead: z.optional(price()),
  cacheWrite: z.optional(price()),
});
export type ModelPrice = z.infer<typeof modelPriceSchema>;

const facts = {
  /** Tokens of prompt and reply together. */
  contextTokens: z.optional(tokens()),
  /** Tokens of a reply. */
  maxOutputTokens: z.optional(outputTokens()),
  images: z.optional(z.boolean()),
  pdf: z.optional(z.boolean()),
  tools: z.optional(z.boolean()),
  reasoning: z.optional(z.boolean()),
  /** Efforts of reasoning to choose from, ascending. */
  efforts: z.optional(effortList()),
  price: z.optional(modelPriceSchema),
};

/** What a server reports of a model. Absent fields are not reported. */
export const modelFactsSchema = z.object({
  ...facts,
  label: z.optional(z.string()),
  audio: z.optional(z.boolean()),
  /** Whether its answers may have pictures. */
  imageOutput: z.optional(z.boolean()),
  /** What the model is for if it cannot chat. */
  purpose: z.optional(z.enum(otherPurposes)),
});
export type ModelFacts = z.infer<typeof modelFactsSchema>;

/** What an owner enters; it is stronger than what the server reports. `isChat`: whether the model is offered at all. */
export const modelOverridesSchema = z.object({
  ...facts,
  label: z.optional(nameText(MODEL_LABEL_MAX)),
  isChat: z.optional(z.boolean()),
});
export type ModelOverrides = z.infer<typeof modelOverridesSchema>;
