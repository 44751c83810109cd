/** Prices in US dollars per million tokens. */
export type Price = { input: number; output: number };

/** Date of the providers' public prices below. */
export const PRICES_AS_OF = "2025-10-01";

const sonnet: Price = { input: 3, output: 15 };

/** Public prices of the default catalogue's models, by their values. A `MODELS_FILE` may contain others. */
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

/** Returns the price in the catalogue, else the public price; `undefined` if neither is known. */
export function priceOf({ value, inputPrice, outputPrice }: PricedEntry): Price | undefined {
  if (inputPrice !== undefined && outputPrice !== undefined) return { input: inputPrice, output: outputPrice };
  return Object.hasOwn(listPrices, value) ? listPrices[value] : undefined;
}
