import { BUDGET_MAX_USD, BUDGET_MIN_USD } from "#contract/models/budgets.ts";

/**
 * Reads a budget as a person enters it, with a point or a comma before the cents.
 * @returns US dollars; null for none; undefined if the text is no budget
 */
export function enteredBudget(text: string): number | null | undefined {
  const trimmed = text.trim().replace(",", ".");
  if (trimmed === "") return null;
  const usd = Number(trimmed);
  return /^\d+(?:\.\d{1,2})?$/.test(trimmed) && usd >= BUDGET_MIN_USD && usd <= BUDGET_MAX_USD ? usd : undefined;
}
