import type { Queryable } from "../database/schema.ts";
import { raiseSpent, sumCosts } from "./budget-store.ts";
import { monthIn, monthStartIn } from "./months.ts";
import type { BudgetScope } from "./scopes.ts";

/**
 * Counts what the calls of a scope have cost in this month before it had a budget. Locks its sums.
 * @returns 1e-9 US dollars
 */
export async function countEarlierCosts(
  db: Queryable,
  { scope, timeZone }: Pick<BudgetScope, "scope" | "timeZone">,
  now: number,
): Promise<number> {
  const spent = await sumCosts(db, scope, monthStartIn(timeZone, now));
  if (spent > 0) await raiseSpent(db, { scope, month: monthIn(timeZone, now), spent });
  return spent;
}
