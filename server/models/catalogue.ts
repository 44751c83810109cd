import type { Effort } from "#contract/models/effort.ts";
import { AUTO_MODEL } from "#contract/models/models.ts";
import type { ProviderName } from "./model.ts";
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
  pdf?: boolean | undefined;
  /** Value of the model that automatic choice asks once the provider no longer has this one. Absent: none. */
  successor?: string | undefined;
  /** Sound as input, and calls of tools. No code uses them yet. */
  audio?: boolean | undefined;
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

/** The largest of the minimums that Anthropic documents for its models. */
export const CACHE_MIN_TOKENS = 4096;

const PREFIXES = { GPT: "openai", CLAUDE: "anthropic", LOCAL: "local" } as const satisfies Record<string, ProviderName>;
/** Form of a model's value. */
export const VALUE = /^(GPT|CLAUDE|LOCAL):(\S.*)$/;

/** Splits a value such as `GPT:gpt-5-mini` into provider and name. Returns `undefined` if it is malformed. */
export function parseModelValue(
  value: string,
): { provider: "openai" | "anthropic" | "local"; name: string } | undefined {
  const [, prefix, name] = VALUE.exec(value) ?? [];
  if (prefix === undefined || name === undefined) return undefined;
  return { provider: PREFIXES[prefix as keyof typeof PREFIXES], name };
}

/** Returns all models of a catalogue, in the order of its groups. */
export function modelsOf({ groups }: Pick<Catalogue, "groups">): CatalogueModel[] {
  return groups.flatMap(({ models, further = [] }) => [...models, ...further]);
}

/**
 * Returns the API of OpenAI's models at a base URL. OpenAI itself has the Responses API; gateways and imitators may have
 * chat completions only.
 */
export function apiOfOpenAi(baseUrl: string): Api {
  return /^(?:[a-z0-9-]+\.)?api\.openai\.com$/.test(new URL(baseUrl).hostname) ? "responses" : "chat-completions";
}

/** Whether the API of a model is Anthropic's, by its entry or else by its provider. */
export function speaksMessages({ api, value }: Pick<CatalogueModel, "api" | "value">): boolean {
  return api === undefined ? parseModelValue(value)?.provider === "anthropic" : api === "messages";
}

/** Whether a choice asks for automatic choice of the model. */
export function isAutomatic(choice: string | undefined): choice is undefined | "" | typeof AUTO_MODEL {
  return choice === undefined || choice === "" || choice === AUTO_MODEL;
}
