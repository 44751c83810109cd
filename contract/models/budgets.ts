/** Budgets of calls to models in a calendar month. Amounts are US dollars, times are Unix times in ms. */

import * as z from "zod/mini";
import { rule } from "../text/validation.ts";
import { timeField } from "../times.ts";

/** Whose calls a budget limits: those of everybody, of the members of a group together, or of one account. */
export const budgetScopes = ["installation", "group", "account"] as const;
export type BudgetScopeName = (typeof budgetScopes)[number];

/** Share of a budget from which on it is nearly used up. */
export const BUDGET_LOW_SHARE = 0.8;
/** Share from which on a budget counts as used up: the rest is too little for most calls. */
export const BUDGET_USED_UP_SHARE = 0.99;

export const BUDGET_MIN_USD = 0.01;
export const BUDGET_MAX_USD = 1_000_000;

const invalid = { error: rule("invalid") };
const usd = z
  .number(invalid)
  .check(z.minimum(BUDGET_MIN_USD, invalid), z.maximum(BUDGET_MAX_USD, invalid), z.multipleOf(0.01, invalid));

/** A budget of a month that an administrator sets, in whole cents; null: none. */
export const budgetUsdSchema = z.nullable(usd);

const period = {
  /** Calendar month in the time zone of the budget, such as `2026-11`. */
  month: z.string(),
  /** Beginning of its next month. */
  resetsAt: timeField(),
};

/** State of a budget. `reserved`: for calls that are running. `spent` and `reserved` together stay below `limit`. */
export const budgetStateSchema = z.object({
  scope: z.enum(budgetScopes),
  limit: z.number(),
  spent: z.number(),
  reserved: z.number(),
  ...period,
});
export type BudgetState = z.infer<typeof budgetStateSchema>;

/** State of a budget without its amount, which members of a group do not see. `percent`: what is spent, rounded down. */
export const budgetShareSchema = z.object({ percent: z.int(), ...period });
export type BudgetShare = z.infer<typeof budgetShareSchema>;

/** Budgets of the caller: its own one, and that of its group. */
export const ownBudgetsSchema = z.object({
  account: z.optional(budgetStateSchema),
  group: z.optional(budgetShareSchema),
});
export type OwnBudgets = z.infer<typeof ownBudgetsSchema>;

/** Returns what is spent of a budget, from 0 to 1. */
export const spentShare = ({ spent, limit }: Pick<BudgetState, "spent" | "limit">): number =>
  limit === 0 ? 1 : Math.min(1, spent / limit);

/** Numbers of groups by the state of their budgets. `nearlyUsed`: without those whose budget is used up. */
export const groupBudgetsSchema = z.object({ nearlyUsed: z.int(), usedUp: z.int() });
export type GroupBudgets = z.infer<typeof groupBudgetsSchema>;

/**
 * Fields of a problem `budget-reached` that refuses a call, besides those of every problem: which budget is used up,
 * and when its next month begins. `limit`: its amount, of the account's own only, because members do not see the others.
 * Separate from `errors.ts`, which every page loads.
 */
export const budgetProblemSchema = z.object({
  scope: z.enum(budgetScopes),
  limit: z.optional(z.number()),
  until: timeField(),
});
export type BudgetProblem = z.infer<typeof budgetProblemSchema>;
