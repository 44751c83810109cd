/** Prices in US dollars per million tokens. Where a price of the cache is absent, its input costs as other input. */
export type Price = {
  input: number;
  output: number;
  cacheRead?: number | undefined;
  cacheWrite?: number | undefined;
};

/** Prices of an entry of the catalogue, in US dollars per million tokens. The price of output is named if that of input is. */
export type ModelPrices = {
  inputPrice?: number | undefined;
  outputPrice?: number | undefined;
  /** Absent: as other input. */
  cacheWritePrice?: number | undefined;
  /** Absent: as other input. */
  cacheReadPrice?: number | undefined;
};

/** Date of the providers' public prices below. */
export const PRICES_AS_OF = "2026-11-01";

const sonnet: Price = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };

/** Public prices of the default catalogue's models, by their values. A `MODELS_FILE` may contain others. */
export const listPrices: Readonly<Record<string, Price>> = {
  "GPT:gpt-4.1-nano": { input: 0.1, output: 0.4, cacheRead: 0.025 },
  "GPT:gpt-5-nano": { input: 0.05, output: 0.4, cacheRead: 0.005 },
  "GPT:gpt-5-mini": { input: 0.25, output: 2, cacheRead: 0.025 },
  "GPT:gpt-5": { input: 1.25, output: 10, cacheRead: 0.125 },
  "GPT:gpt-6.1-sol": { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 },
  "GPT:gpt-6.1-terra": { input: 1, output: 5, cacheRead: 0.05, cacheWrite: 1.25 },
  "GPT:gpt-6-luna": { input: 0.1, output: 0.5, cacheRead: 0.01, cacheWrite: 0.125 },
  "CLAUDE:claude-3-5-sonnet-20241022": sonnet,
  "CLAUDE:claude-sonnet-4-20250514": sonnet,
  "CLAUDE:claude-sonnet-4-5-20250929": sonnet,
  "CLAUDE:claude-opus-5-5": { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 },
  "CLAUDE:claude-sonnet-5-5": { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 },
  "CLAUDE:claude-haiku-5-5": { input: 0.1, output: 0.5, cacheRead: 0.01, cacheWrite: 0.125 },
};

/** Returns the price in the catalogue, else the public price; `undefined` if neither is known. */
export function priceOf(model: { value: string } & ModelPrices): Price | undefined {
  const { value, inputPrice: input, outputPrice: output } = model;
  if (input === undefined || output === undefined)
    return Object.hasOwn(listPrices, value) ? listPrices[value] : undefined;
  const { cacheReadPrice: cacheRead, cacheWritePrice: cacheWrite } = model;
  return {
    input,
    output,
    ...(cacheRead !== undefined && { cacheRead }),
    ...(cacheWrite !== undefined && { cacheWrite }),
  };
}
