import {
  CONTEXT_TOKENS_MIN,
  type ModelFacts,
  type ModelOverrides,
  type ModelPrice,
} from "#contract/models/model-facts.ts";
import type { CatalogueModel, ReasoningForm } from "../catalogue.ts";
import type { ModelPrices } from "../prices.ts";

/** A model of a connection: what its server reports of it, and what an owner has entered. */
export type DiscoveredModel = {
  name: string;
  facts: ModelFacts;
  overrides?: ModelOverrides | undefined;
  /** Whether an owner has selected it; absent: nobody has decided. */
  isOffered?: boolean | undefined;
  /** Whether the last list of the server has it; absent: it has. */
  isListed?: boolean | undefined;
};

/** Default window. Few servers report theirs; Ollama and others have a small one unless configured otherwise. */
const ASSUMED_CONTEXT_TOKENS = 16_384;
/** Limit of a reply, also of models that may write more: a prompt leaves room for it. */
const MAX_OUTPUT_TOKENS = 8192;

type EntryOptions = {
  /** Built-in facts of a model of this name. */
  known?: CatalogueModel | undefined;
  /** Form of the effort of reasoning of a model without built-in facts. */
  form?: ReasoningForm | undefined;
  /** Window of models whose server reports none. */
  assumedTokens?: number | undefined;
};

/**
 * Returns a model of a connection as an entry of the catalogue. What an owner has entered is stronger than what the server
 * reports, and that than the built-in facts.
 */
export function entryOf(
  slug: string,
  { name, facts, overrides = {} }: DiscoveredModel,
  { known, form = "effort", assumedTokens = ASSUMED_CONTEXT_TOKENS }: EntryOptions = {},
): CatalogueModel {
  const {
    label = name,
    contextTokens,
    maxOutputTokens,
    images,
    pdf,
    audio,
    imageOutput,
    tools,
    efforts,
    price,
  } = {
    ...facts,
    ...overrides,
  };
  const reasoning = known?.reasoning ?? (efforts !== undefined && efforts.length > 0 ? form : undefined);
  return {
    ...known,
    label,
    value: `${slug}:${name}`,
    ...windowOf(contextTokens ?? known?.contextTokens, { maxOutputTokens, known, assumedTokens }),
    ...(images === undefined ? !known && { triesPictures: true as const } : { images }),
    ...(pdf !== undefined && { pdf }),
    ...(audio !== undefined && { audio }),
    ...(imageOutput !== undefined && { imageOutput }),
    ...(tools !== undefined && { tools }),
    ...(reasoning !== undefined && { reasoning }),
    ...(efforts !== undefined && { efforts }),
    ...(price && pricesOf(price)),
  };
}

type WindowLimits = {
  maxOutputTokens: number | undefined;
  known: CatalogueModel | undefined;
  assumedTokens: number;
};

/** Returns the limits of a model. A window that cannot be true is unknown. */
function windowOf(reportedTokens: number | undefined, limits: WindowLimits) {
  const isKnown = reportedTokens !== undefined && reportedTokens >= CONTEXT_TOKENS_MIN;
  const contextTokens = isKnown ? reportedTokens : limits.assumedTokens;
  const maxOutput = limits.maxOutputTokens ?? limits.known?.maxOutputTokens ?? MAX_OUTPUT_TOKENS;
  const maxOutputTokens = Math.max(1, Math.min(maxOutput, Math.floor(contextTokens / 4)));
  return { contextTokens, maxOutputTokens, ...(!isKnown && { isWindowAssumed: true as const }) };
}

function pricesOf({ input, output, cacheRead, cacheWrite }: ModelPrice): ModelPrices {
  return {
    inputPrice: input,
    outputPrice: output,
    ...(cacheRead !== undefined && { cacheReadPrice: cacheRead }),
    ...(cacheWrite !== undefined && { cacheWritePrice: cacheWrite }),
  };
}
