import { sql } from "kysely";
import { DAY } from "#contract/limits.ts";
import { prepared, preparedForRows } from "../database/prepared.ts";
import type { BudgetReservationRow, BudgetTotalRow, Queryable } from "../database/schema.ts";
import { holderOf } from "./scopes.ts";

type Total = Pick<BudgetTotalRow, "scope" | "month">;

/** A call and the amount that is reserved for it in each of its budgets. */
export type LeftReservation = Pick<BudgetReservationRow, "id" | "amount">;

/** `room`: largest sum of spent and reserved money to which the amount may be added. */
const addReserved = prepared((db, { scope, month, amount, room }: Total & { amount: number; room: number }) =>
  db
    .insertInto("budget_totals")
    .values({ scope, month, spent: 0, reserved: amount, warned: 0 })
    .onConflict((conflict) =>
      conflict
        .columns(["scope", "month"])
        .doUpdateSet((eb) => ({ reserved: eb("budget_totals.reserved", "+", amount) }))
        .where(({ eb, ref }) => eb(eb(ref("budget_totals.spent"), "+", ref("budget_totals.reserved")), "<=", room)),
    )
    .returning(["budget_totals.spent", "budget_totals.reserved", "budget_totals.warned"]),
);

/**
 * Adds an amount to the reserved money of a month, unless the sum would exceed `limit`. On PostgreSQL the month's row
 * is locked until the end of the transaction in both cases.
 * @returns the new sums; undefined if nothing was added
 */
export async function takeFromBudget(
  db: Queryable,
  { scope, month, amount, limit }: Total & { amount: number; limit: number },
): Promise<Pick<BudgetTotalRow, "spent" | "reserved" | "warned"> | undefined> {
  const room = limit - amount;
  if (room < 0) return undefined;
  const [total] = await addReserved(db, { scope, month, amount, room });
  return total;
}

/** Subtracts a part of what {@link takeFromBudget} has added in the same transaction. */
export async function giveBack(db: Queryable, { scope, month, amount }: Total & { amount: number }): Promise<void> {
  await book(db, { scope, month, cost: 0, amount });
}

const insert = preparedForRows((db, rows: BudgetReservationRow[]) => db.insertInto("budget_reservations").values(rows));

/** Stores the reservations of a call, one for each of its budgets. */
export async function insertReservations(db: Queryable, rows: readonly BudgetReservationRow[]): Promise<void> {
  await insert(db, rows);
}

/** Changes the amount of all reservations of a call. */
export async function setReservedAmount(db: Queryable, id: string, amount: number): Promise<void> {
  await db.updateTable("budget_reservations").set({ amount }).where("id", "=", id).execute();
}

/**
 * Sums the costs of a scope's calls, in 1e-9 US dollars; of a group, those of its present members.
 * @param since Unix time in ms
 */
export async function sumCosts(db: Queryable, scope: string, since: number): Promise<number> {
  const { groupId, userId } = holderOf(scope);
  const { cost } = await db
    .selectFrom("model_calls")
    .select(({ fn }) => fn.sum<number | string | null>("cost_nano_usd").as("cost"))
    .where("at", ">=", since)
    // The index of calls of all accounts.
    .where(sql`(at / 86400000)`, ">=", Math.floor(since / DAY))
    .$if(userId !== undefined, (calls) => calls.where("user_id", "=", userId ?? ""))
    .$if(groupId !== undefined, (calls) =>
      calls.where("user_id", "in", (eb) =>
        eb
          .selectFrom("users")
          .select("users.id")
          .where("group_id", "=", groupId ?? ""),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(cost ?? 0);
}

/** Raises what was spent of a budget to an amount; a larger one stays. */
export async function raiseSpent(db: Queryable, { scope, month, spent }: Total & { spent: number }): Promise<void> {
  await db
    .insertInto("budget_totals")
    .values({ scope, month, spent, reserved: 0, warned: 0 })
    .onConflict((conflict) =>
      conflict.columns(["scope", "month"]).doUpdateSet({ spent }).where("budget_totals.spent", "<", spent),
    )
    .execute();
}

export async function findTotal(db: Queryable, { scope, month }: Total): Promise<BudgetTotalRow | undefined> {
  return db
    .selectFrom("budget_totals")
    .selectAll()
    .where("scope", "=", scope)
    .where("month", "=", month)
    .executeTakeFirst();
}

const remove = prepared((db, { id }: { id: string }) =>
  db.deleteFrom("budget_reservations").where("id", "=", id).returningAll(),
);

/** Removes the reservations of a call, one for each budget. @returns none if they were settled before */
export async function removeReservations(db: Queryable, id: string): Promise<BudgetReservationRow[]> {
  return remove(db, { id });
}

/** Lists the calls of a reply for which money is reserved, oldest first. */
export async function listReservedCalls(db: Queryable, messageId: string): Promise<LeftReservation[]> {
  return db
    .selectFrom("budget_reservations")
    .select(["id", "amount"])
    .distinct()
    .where("message_id", "=", messageId)
    .orderBy("id")
    .execute();
}

const book = prepared((db, { scope, month, cost, amount }: Total & { cost: number; amount: number }) =>
  db
    .updateTable("budget_totals")
    .set((eb) => ({ spent: eb("spent", "+", cost), reserved: eb("reserved", "-", amount) }))
    .where("scope", "=", scope)
    .where("month", "=", month)
    .returningAll(),
);

/** Replaces a reserved amount by a cost. @returns the new sums */
export async function bookCost(
  db: Queryable,
  booked: Total & { cost: number; amount: number },
): Promise<BudgetTotalRow | undefined> {
  return (await book(db, booked))[0];
}

/** @returns whether this is the first warning of the month */
export async function markWarned(db: Queryable, { scope, month }: Total): Promise<boolean> {
  const marked = await db
    .updateTable("budget_totals")
    .set({ warned: 1 })
    .where("scope", "=", scope)
    .where("month", "=", month)
    .where("warned", "=", 0)
    .returning("warned")
    .executeTakeFirst();
  return marked !== undefined;
}

/** Lists reserved calls, except those of running replies, which settle them when they end or are interrupted. */
const selectLeft = (db: Queryable) =>
  db
    .selectFrom("budget_reservations")
    .select(["id", "amount"])
    .distinct()
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("messages")
            .select("messages.id")
            .whereRef("messages.id", "=", "budget_reservations.message_id")
            .where("state", "=", sql.lit("writing")),
        ),
      ),
    );

/** @param owners processes; undefined for all */
export async function listReservations(
  db: Queryable,
  owners: readonly string[] | undefined,
): Promise<LeftReservation[]> {
  const left = selectLeft(db);
  return (owners === undefined ? left : left.where("owner", "in", owners)).execute();
}

/** Lists the processes that have reserved money. */
export async function listOwnersOfReservations(db: Queryable): Promise<string[]> {
  const rows = await db.selectFrom("budget_reservations").select("owner").distinct().execute();
  return rows.map(({ owner }) => owner);
}

/** Removes the sums of old months for which nothing is reserved. `month`: the first that stays. */
export async function removeTotalsBefore(db: Queryable, month: string): Promise<void> {
  await db.deleteFrom("budget_totals").where("month", "<", month).where("reserved", "=", 0).execute();
}
