import {
  BUDGET_LOW_SHARE,
  BUDGET_USED_UP_SHARE,
  type BudgetState,
  type GroupBudgets,
  type OwnBudgets,
  spentShare,
} from "#contract/models/budgets.ts";
import type { Clock } from "../concurrency/clock.ts";
import { toUsd } from "../database/nano-usd.ts";
import type { Database } from "../database/schema.ts";
import { findBudgetColumns, listGroupBudgets, listTotals } from "./budget-states-store.ts";
import { sumCosts } from "./budget-store.ts";
import { periodIn } from "./months.ts";
import { accountScopes, type BudgetScope, groupScope, installationScope } from "./scopes.ts";

export type BudgetStatesDeps = { database: Database; clock: Clock; config: { monthlyBudget: number | undefined } };

/** Returns the budget of the installation in this month (UTC); undefined if it has none. */
export async function installationBudget(deps: BudgetStatesDeps): Promise<BudgetState | undefined> {
  const [state] = await readStates(deps, installationScope(deps.config.monthlyBudget));
  return state;
}

/** Returns the budget of an account, and the one of its group; absent if there is none. */
export async function budgetsOfAccount(
  deps: BudgetStatesDeps,
  userId: string,
): Promise<{ account?: BudgetState; group?: BudgetState }> {
  const columns = await findBudgetColumns(deps.database, userId);
  if (!columns) return {};
  const states = await readStates(deps, accountScopes(userId, columns));
  return Object.fromEntries(states.map((state) => [state.scope, state]));
}

/** Returns the budgets of a caller, who does not learn the amounts of its group. */
export async function ownBudgets(deps: BudgetStatesDeps, userId: string): Promise<OwnBudgets> {
  const { account, group } = await budgetsOfAccount(deps, userId);
  if (!group) return { ...(account && { account }) };
  const { month, resetsAt } = group;
  const percent = Math.floor(100 * spentShare(group));
  return { ...(account && { account }), group: { percent, month, resetsAt } };
}

/**
 * Returns the budgets of all groups in the current months of their time zones, by the groups' ids. Groups without a
 * budget are left out.
 */
export async function budgetsOfGroups(deps: Omit<BudgetStatesDeps, "config">): Promise<Map<string, BudgetState>> {
  const groups = await listGroupBudgets(deps.database);
  const states = await readStates(
    deps,
    groups.map(({ id, budget, time_zone }) => {
      return { kind: "group", scope: groupScope(id), limit: budget, timeZone: time_zone };
    }),
  );
  return new Map(groups.flatMap(({ id }, nth) => (states[nth] ? [[id, states[nth]] as const] : [])));
}

/** Counts the groups whose budget is nearly or wholly used up. */
export async function countGroupBudgets(deps: BudgetStatesDeps): Promise<GroupBudgets> {
  const shares = [...(await budgetsOfGroups(deps)).values()].map(spentShare);
  const usedUp = shares.filter((share) => share >= BUDGET_USED_UP_SHARE).length;
  return { usedUp, nearlyUsed: shares.filter((share) => share >= BUDGET_LOW_SHARE).length - usedUp };
}

/** Returns the states of budgets in the given order. */
async function readStates(
  { database, clock }: Omit<BudgetStatesDeps, "config">,
  scopes: readonly BudgetScope[],
): Promise<BudgetState[]> {
  const now = clock.now();
  const zones = new Set(scopes.map(({ timeZone }) => timeZone));
  const periods = new Map([...zones].map((zone) => [zone, periodIn(zone, now)]));
  const rows = await listTotals(
    database,
    scopes.map(({ scope }) => scope),
    [...new Set([...periods.values()].map(({ month }) => month))],
  );
  const totals = new Map(rows.map((row) => [`${row.scope} ${row.month}`, row]));
  const stateOf = async ({ kind, scope, limit, timeZone }: BudgetScope): Promise<BudgetState> => {
    const period = periods.get(timeZone) ?? periodIn(timeZone, now);
    const total = totals.get(`${scope} ${period.month}`);
    const { spent = 0, reserved = 0, begins_at: countedFrom = null } = total ?? {};
    // As the next reservation counts it.
    const earlier = countedFrom === period.beginsAt ? 0 : await sumCosts(database, scope, period);
    return {
      scope: kind,
      limit: toUsd(limit),
      spent: toUsd(Math.max(spent, earlier)),
      reserved: toUsd(reserved),
      month: period.month,
      resetsAt: period.endsAt,
    };
  };
  return Promise.all(scopes.map(stateOf));
}
