const MIN_USD = 0.01;
const MAX_USD = 1_000_000;
const NANO_USD = 1e9;

export const budgetProblem = `must be a number from ${MIN_USD} to ${MAX_USD}`;

/** Whether a text is a budget in US dollars. */
export function isBudget(text: string): boolean {
  return /^\d+(?:\.\d+)?$/.test(text) && Number(text) >= MIN_USD && Number(text) <= MAX_USD;
}

/** Converts a budget in US dollars to 1e-9 US dollars, an integer. */
export function budgetOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Math.round(Number(text) * NANO_USD);
}
