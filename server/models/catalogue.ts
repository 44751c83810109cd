import type { FixedSlug } from "#contract/administration/connections.ts";
import type { Effort } from "#contract/models/effort.ts";
import { AUTO_MODEL } from "#contract/models/models.ts";
import type { ModelPrices } from "./prices.ts";

/** Wire format of a model's provider. */
export const apis = ["responses", "chat-completions", "messages"] as const;
export type Api = (typeof apis)[number];

/**
 * Form in which a provider takes the effort of reasoning. `effort`: by name (OpenAI and compatible servers). `adaptive`
 * and `budget`: forms of Anthropic's `thinking`; the effort is a name beside it, or a limit of tokens.
 */
export const reasoningForms = ["none", "effort", "adaptive", "budget"] as const;
export type ReasoningForm = (typeof reasoningForms)[number];

/** Model of the catalogue. For a model of the built-in list, absent facts are those of the list (`withKnownFacts`). */
export type CatalogueModel = ModelPrices & {
  label: string;
  value: string;
  /** As in {@link Model}. */
  contextTokens: number;
  /** The window is a guess, because its server reports none. Absent: it is known. */
  isWindowAssumed?: true | undefined;
  /** As in {@link Model}. */
  maxOutputTokens: number;
  /** Absent: the default of the provider and its base URL. */
  api?: Api | undefined;
  /** Whether a prompt may end with an answer, which the model continues. Only for `messages`; absent: it may not. */
  prefill?: boolean | undefined;
  /** Whether a temperature may be sent. Absent: it may. */
  takesTemperature?: boolean | undefined;
  /** Absent: `none`. */
  reasoning?: ReasoningForm | undefined;
  /** Efforts to choose from, ascending. Absent: the effort cannot be chosen. */
  efforts?: readonly Effort[] | undefined;
  /** Whether readable reasoning is asked for. Absent: it is. */
  returnsReasoning?: boolean | undefined;
  /** Whether answers in a prompt are labelled as final. Only for `responses`; absent: they are not. */
  labelsAnswers?: boolean | undefined;
  /** Fewest tokens of a prompt that the provider caches. Only for `messages`; absent: {@link CACHE_MIN_TOKENS}. */
  cacheMinTokens?: number | undefined;
  /** Whether it receives pictures, and PDF files, as they are. Absent: it does not, and receives the text of a PDF. */
  images?: boolean | undefined;
  /** Its server does not report whether it sees pictures: one is sent, and a refusal is remembered. Absent: it reports it. */
  triesPictures?: true | undefined;
  pdf?: boolean | undefined;
  /** Whether pictures are asked for in its answers. Only for `chat-completions`; absent: they are not. */
  imageOutput?: boolean | undefined;
  /** Value of the model that automatic choice asks once the provider no longer has this one. Absent: none. */
  successor?: string | undefined;
  /** Whether it takes sound as input. No code uses it yet. */
  audio?: boolean | undefined;
  /** Whether it takes tools. Absent: it is tried, and a refusal is remembered. */
  tools?: boolean | undefined;
};

export type CatalogueGroup = {
  label: string;
  models: readonly CatalogueModel[];
  /** Models behind the others, which are listed only if their provider is configured. */
  further?: readonly CatalogueModel[] | undefined;
};

export type Catalogue = {
  groups: readonly CatalogueGroup[];
  /** Values of models in the order of automatic choice; local models follow. */
  automatic: readonly string[];
};

const CLAUDE_SLUG: FixedSlug = "CLAUDE";

/** The largest of the minimums that Anthropic documents for its models. */
export const CACHE_MIN_TOKENS = 4096;

/** Form of a model's value in a `MODELS_FILE`. */
export const FILE_VALUE = /^(GPT|CLAUDE|LOCAL):(\S.*)$/;
const VALUE = /^([A-Z0-9-]{1,24}):(\S.*)$/;

/**
 * Splits a value such as `GPT:gpt-5-mini` into the slug of its connection and the model's name. Returns `undefined` if it
 * is malformed.
 */
export function parseModelValue(value: string): { slug: string; name: string } | undefined {
  const [, slug, name] = VALUE.exec(value) ?? [];
  return slug === undefined || name === undefined ? undefined : { slug, name };
}

/** Returns all models of a catalogue, in the order of its groups. */
export function modelsOf({ groups }: Pick<Catalogue, "groups">): CatalogueModel[] {
  return groups.flatMap(({ models, further = [] }) => [...models, ...further]);
}

/** Whether the API of a model of a `MODELS_FILE` is Anthropic's, by its entry or else by its value. */
export function speaksMessages({ api, value }: Pick<CatalogueModel, "api" | "value">): boolean {
  return api === undefined ? parseModelValue(value)?.slug === CLAUDE_SLUG : api === "messages";
}

/** Whether a choice asks for automatic choice of the model. */
export function isAutomatic(choice: string | undefined): choice is undefined | "" | typeof AUTO_MODEL {
  return choice === undefined || choice === "" || choice === AUTO_MODEL;
}
