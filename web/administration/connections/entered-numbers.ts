import { CONTEXT_TOKENS_MAX, PRICE_MAX } from "#contract/models/model-facts.ts";

/**
 * Reads a number of tokens as a person enters it, with any separator of thousands.
 * @returns null for none; undefined if the text is none from `min` to the contract's maximum
 */
export function enteredTokens(text: string, min: number): number | null | undefined {
  const digits = text.replaceAll(/[\s.,'’]/gu, "");
  if (digits === "") return null;
  const tokens = Number(digits);
  return /^\d{1,9}$/.test(digits) && tokens >= min && tokens <= CONTEXT_TOKENS_MAX ? tokens : undefined;
}

/** Reads a price in US dollars, with a point or a comma. @returns null for none; undefined if the text is no price */
export function enteredPrice(text: string): number | null | undefined {
  const trimmed = text.trim().replace(",", ".");
  if (trimmed === "") return null;
  return /^\d+(?:\.\d+)?$/.test(trimmed) && Number(trimmed) <= PRICE_MAX ? Number(trimmed) : undefined;
}
