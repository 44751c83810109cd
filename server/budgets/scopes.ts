import type { BudgetScopeName } from "#contract/models/budgets.ts";
import type { BudgetColumns } from "../database/schema.ts";
import { UTC } from "./months.ts";

/** A budget in which a call must fit. `scope`: as in `budget_totals`; `limit`: in 1e-9 US dollars a month. */
export type BudgetScope = { kind: BudgetScopeName; scope: string; limit: number; timeZone: string };

export const INSTALLATION = "installation";
export const groupScope = (groupId: string): string => `group:${groupId}`;
export const accountScope = (userId: string): string => `account:${userId}`;

/** Returns the id of the group or account in a scope's name; none for the installation. */
export function holderOf(scope: string): { groupId?: string; userId?: string } {
  const [kind, id] = scope.split(":");
  if (id === undefined) return {};
  return kind === "group" ? { groupId: id } : { userId: id };
}

/**
 * Compares two scopes in the order in which sums are locked, which prevents deadlocks. Accounts are first and the
 * installation, for which most calls wait, is last: the alphabetical order of their names.
 */
export function compareScopes(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Returns the budget of the installation; none without a limit. */
export function installationScope(limit: number | undefined): BudgetScope[] {
  return limit === undefined ? [] : [{ kind: "installation", scope: INSTALLATION, limit, timeZone: UTC }];
}

/** Returns the budgets of an account and of its group, in the order of {@link compareScopes}. */
export function accountScopes(userId: string, columns: BudgetColumns): BudgetScope[] {
  const { group_id: groupId, budget, group_budget: ofGroup, member_budget: ofMember } = columns;
  const timeZone = columns.time_zone ?? UTC;
  const own = budget ?? ofMember;
  const scopes: BudgetScope[] = [];
  if (own !== null) scopes.push({ kind: "account", scope: accountScope(userId), limit: own, timeZone });
  if (groupId !== null && ofGroup !== null) {
    scopes.push({ kind: "group", scope: groupScope(groupId), limit: ofGroup, timeZone });
  }
  return scopes;
}
