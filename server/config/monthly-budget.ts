import { BUDGET_MAX_USD, BUDGET_MIN_USD } from "#contract/models/budgets.ts";
import { toNanoUsd } from "../database/nano-usd.ts";

export const budgetProblem = `must be a number from ${BUDGET_MIN_USD} to ${BUDGET_MAX_USD}`;

/** Whether a text is a budget in US dollars. */
export function isBudget(text: string): boolean {
  return /^\d+(?:\.\d+)?$/.test(text) && Number(text) >= BUDGET_MIN_USD && Number(text) <= BUDGET_MAX_USD;
}

/** Converts a budget in US dollars to 1e-9 US dollars, an integer. */
export function budgetOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : toNanoUsd(Number(text));
}
