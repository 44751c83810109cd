import { type Catalogue, type CatalogueModel, modelsOf, speaksMessages } from "./catalogue.ts";

/** What all models below take beside text. */
const multimodal = { images: true, pdf: true, tools: true };

// GPT-5's window is 400,000 tokens, of which at most 272,000 are prompt. For longer prompts, GPT-6 costs twice as much.
const gpt = { contextTokens: 300_000, maxOutputTokens: 32_768, ...multimodal };
const reasoningGpt = { ...gpt, takesTemperature: false, reasoning: "effort", returnsReasoning: true } as const;
const gpt5 = { ...reasoningGpt, efforts: ["minimal", "low", "medium", "high"] } as const;

const claude = { ...multimodal, prefill: true, cacheMinTokens: 1024 };
// A reply may have up to 64,000 tokens (3.5: 8,192). The limit here is lower, because the provider counts it against
// the rate limit at the start of a call.
const claude4 = {
  ...claude,
  contextTokens: 200_000,
  maxOutputTokens: 16_384,
  reasoning: "budget",
  efforts: ["off", "low", "medium", "high"],
  returnsReasoning: true,
} as const;
// Reasoning counts against `maxOutputTokens`. Some models of this generation cannot switch it off, so none offers `off`.
const claude55 = {
  ...multimodal,
  contextTokens: 1_000_000,
  maxOutputTokens: 64_000,
  takesTemperature: false,
  prefill: false,
  reasoning: "adaptive",
  efforts: ["low", "medium", "high", "xhigh", "max"],
  returnsReasoning: true,
  cacheMinTokens: 512,
} as const;

/** Facts of GPT-5.3 and later. */
const currentGpt = { ...reasoningGpt, labelsAnswers: true } as const;

const currentGpts: CatalogueModel[] = [
  {
    label: "gpt-6.1-sol",
    value: "GPT:gpt-6.1-sol",
    ...currentGpt,
    efforts: ["low", "medium", "high", "xhigh", "max"],
  },
  {
    label: "gpt-6.1-terra",
    value: "GPT:gpt-6.1-terra",
    ...currentGpt,
    efforts: ["off", "low", "medium", "high", "xhigh", "max"],
  },
  {
    label: "gpt-6-luna",
    value: "GPT:gpt-6-luna",
    ...currentGpt,
    efforts: ["off", "low", "medium", "high", "xhigh", "max"],
  },
];

const currentClaudes: CatalogueModel[] = [
  { label: "Claude Opus 5.5", value: "CLAUDE:claude-opus-5-5", ...claude55 },
  { label: "Claude Sonnet 5.5", value: "CLAUDE:claude-sonnet-5-5", ...claude55 },
  {
    label: "Claude Haiku 5.5",
    value: "CLAUDE:claude-haiku-5-5",
    ...claude55,
    // The price of a longer prompt than 100,000 tokens is five times as high.
    contextTokens: 132_768,
    maxOutputTokens: 32_768,
  },
];

/**
 * The models of a server without a `MODELS_FILE`. Its groups, labels, values and order are the product's; the facts are
 * from the providers' documentation of November 2026.
 */
export const defaultCatalogue: Catalogue = {
  groups: [
    {
      label: "GPT",
      models: [
        { label: "gpt-4.1-nano", value: "GPT:gpt-4.1-nano", ...gpt, contextTokens: 1_000_000 },
        { label: "gpt-5-nano", value: "GPT:gpt-5-nano", ...gpt5 },
        { label: "gpt-5-mini", value: "GPT:gpt-5-mini", ...gpt5, successor: "GPT:gpt-6-luna" },
        { label: "gpt-5", value: "GPT:gpt-5", ...gpt5 },
      ],
      further: currentGpts,
    },
    {
      label: "Antropic",
      models: [
        {
          label: "Claude Sonnet 3.5 (20241022)",
          value: "CLAUDE:claude-3-5-sonnet-20241022",
          ...claude,
          contextTokens: 200_000,
          maxOutputTokens: 8192,
        },
        { label: "Claude Sonnet 4 (20250514)", value: "CLAUDE:claude-sonnet-4-20250514", ...claude4 },
        {
          label: "Claude Sonnet 4.5 (20250929)",
          value: "CLAUDE:claude-sonnet-4-5-20250929",
          ...claude4,
          successor: "CLAUDE:claude-sonnet-5-5",
        },
      ],
      further: currentClaudes,
    },
  ],
  automatic: ["GPT:gpt-5-mini", "CLAUDE:claude-sonnet-4-5-20250929"],
};

const known = new Map(modelsOf(defaultCatalogue).map((model) => [model.value, model]));

/** Returns the entry of the built-in list for a value such as `GPT:gpt-5-mini`. */
export function builtInModel(value: string): CatalogueModel | undefined {
  return known.get(value);
}

/**
 * Adds the facts that the built-in list has for a model of the same value, unless the model names them itself. A model
 * behind another API, such as a gateway's, keeps its own facts only.
 */
function withKnownFacts(model: CatalogueModel): CatalogueModel {
  const entry = known.get(model.value);
  if (!entry || entry === model || speaksMessages(entry) !== speaksMessages(model)) return model;
  const { reasoning, efforts, ...facts } = entry;
  // The efforts belong to the form of reasoning.
  return { ...facts, ...(model.reasoning === undefined && { reasoning, efforts }), ...model };
}

/** Returns a catalogue whose models have the facts of the built-in list, see {@link withKnownFacts}. */
export function catalogueWithFacts({ groups, automatic }: Catalogue): Catalogue {
  return {
    groups: groups.map(({ label, models, further }) => ({
      label,
      models: models.map(withKnownFacts),
      further: further?.map(withKnownFacts),
    })),
    automatic,
  };
}
