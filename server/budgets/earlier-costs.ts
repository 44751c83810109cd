import type { Queryable } from "../database/schema.ts";
import { countMonth, forgetOverlaps, sumCosts } from "./budget-store.ts";
import type { Period } from "./months.ts";

/**
 * Counts all calls of a budget in a month, and marks its sum as counted: from then on a trigger adds the calls that are
 * not reserved in it (`0028-call-budgets.ts`). What was spent is only raised. Locks the sum.
 * @returns what is spent, in 1e-9 US dollars
 */
export async function countEarlierCosts(db: Queryable, scope: string, period: Period): Promise<number> {
  const { month, beginsAt: begins_at, endsAt: ends_at } = period;
  const spent = await sumCosts(db, scope, period);
  await forgetOverlaps(db, { scope, month, begins_at, ends_at });
  return countMonth(db, { scope, month, spent, begins_at, ends_at });
}
