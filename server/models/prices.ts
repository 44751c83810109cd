/** In US dollars for a million tokens. */
export type Price = { input: number; output: number };

/** When the prices below were the providers' public ones. */
export const PRICES_AS_OF = "2025-10-01";

const sonnet: Price = { input: 3, output: 15 };

/** Public prices of the built-in list's models, by their values. A `MODELS_FILE` may name others. */
export const listPrices: Readonly<Record<string, Price>> = {
  "GPT:gpt-4.1-nano": { input: 0.1, output: 0.4 },
  "GPT:gpt-5-nano": { input: 0.05, output: 0.4 },
  "GPT:gpt-5-mini": { input: 0.25, output: 2 },
  "GPT:gpt-5": { input: 1.25, output: 10 },
  "CLAUDE:claude-3-5-sonnet-20241022": sonnet,
  "CLAUDE:claude-sonnet-4-20250514": sonnet,
  "CLAUDE:claude-sonnet-4-5-20250929": sonnet,
};

type PricedEntry = { value: string; inputPrice?: number | undefined; outputPrice?: number | undefined };

/** A model's own price where the list of models names one, else the public one; none where nobody knows. */
export function priceOf({ value, inputPrice, outputPrice }: PricedEntry): Price | undefined {
  if (inputPrice !== undefined && outputPrice !== undefined) return { input: inputPrice, output: outputPrice };
  return Object.hasOwn(listPrices, value) ? listPrices[value] : undefined;
}
