import type { AccountGroupRow, BudgetColumns, BudgetTotalRow, Queryable } from "../database/schema.ts";

/** Finds the columns that decide on the budgets of an account; undefined if it is gone. */
export async function findBudgetColumns(db: Queryable, userId: string): Promise<BudgetColumns | undefined> {
  return db
    .selectFrom("users")
    .leftJoin("account_groups", "account_groups.id", "users.group_id")
    .select([
      "users.group_id",
      "users.budget",
      "account_groups.budget as group_budget",
      "account_groups.member_budget",
      "account_groups.time_zone",
    ])
    .where("users.id", "=", userId)
    .executeTakeFirst();
}

export type GroupBudget = Pick<AccountGroupRow, "id" | "time_zone"> & { budget: number };

/** Lists the groups that have a budget. */
export async function listGroupBudgets(db: Queryable): Promise<GroupBudget[]> {
  return db
    .selectFrom("account_groups")
    .select(["id", "time_zone", "budget"])
    .where("budget", "is not", null)
    .$narrowType<{ budget: number }>()
    .execute();
}

/** Lists the sums of scopes in some months. */
export async function listTotals(
  db: Queryable,
  scopes: readonly string[],
  months: readonly string[],
): Promise<BudgetTotalRow[]> {
  if (scopes.length === 0) return [];
  return db.selectFrom("budget_totals").selectAll().where("scope", "in", scopes).where("month", "in", months).execute();
}
