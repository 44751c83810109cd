import { sql } from "kysely";
import { RUNNING } from "#contract/conversation/reply-state.ts";
import { DAY } from "#contract/limits.ts";
import { prepared, preparedForRows } from "../database/prepared.ts";
import type { BudgetReservationRow, BudgetTotalRow, Queryable } from "../database/schema.ts";
import type { Period } from "./months.ts";
import { holderOf } from "./scopes.ts";

type Total = Pick<BudgetTotalRow, "scope" | "month">;

/** A call and the amount that is reserved for it in each of its budgets. */
export type LeftReservation = Pick<BudgetReservationRow, "id" | "amount">;

/** `room`: largest sum of spent and reserved money to which the amount may be added. */
const addReserved = prepared((db, { scope, month, amount, room }: Total & { amount: number; room: number }) =>
  db
    .insertInto("budget_totals")
    .values({ scope, month, spent: 0, reserved: amount, warned: 0, begins_at: null, ends_at: null })
    .onConflict((conflict) =>
      conflict
        .columns(["scope", "month"])
        .doUpdateSet((eb) => ({ reserved: eb("budget_totals.reserved", "+", amount) }))
        .where(({ eb, ref }) => eb(eb(ref("budget_totals.spent"), "+", ref("budget_totals.reserved")), "<=", room)),
    )
    .returning(["budget_totals.spent", "budget_totals.reserved", "budget_totals.warned", "budget_totals.begins_at"]),
);

/**
 * Adds an amount to the reserved money of a month, unless the sum would exceed `limit`. On PostgreSQL the month's row
 * is locked until the end of the transaction in both cases.
 * @returns the new sums; undefined if nothing was added
 */
export async function takeFromBudget(
  db: Queryable,
  { scope, month, amount, limit }: Total & { amount: number; limit: number },
): Promise<Pick<BudgetTotalRow, "spent" | "reserved" | "warned" | "begins_at"> | undefined> {
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

/** Sums the costs of a scope's calls that began in a month, in 1e-9 US dollars; of a group, those of its members then. */
export async function sumCosts(db: Queryable, scope: string, { beginsAt, endsAt }: Period): Promise<number> {
  const { groupId, userId } = holderOf(scope);
  const { cost } = await db
    .selectFrom("model_calls")
    .select(({ fn }) => fn.sum<number | string | null>("cost_nano_usd").as("cost"))
    .where("at", ">=", beginsAt)
    .where("at", "<", endsAt)
    // The index of calls of all accounts.
    .where(sql`(at / 86400000)`, ">=", Math.floor(beginsAt / DAY))
    .$if(userId !== undefined, (calls) => calls.where("user_id", "=", userId ?? ""))
    .$if(groupId !== undefined, (calls) => calls.where("group_id", "=", groupId ?? ""))
    .executeTakeFirstOrThrow();
  return Number(cost ?? 0);
}

type CountedMonth = Total & Pick<BudgetTotalRow, "spent"> & { begins_at: number; ends_at: number };

/** Raises what was spent in a month to an amount, if that is larger, and stores which time it counts. @returns the sum */
export async function countMonth(db: Queryable, { scope, month, spent, ...times }: CountedMonth): Promise<number> {
  const total = await db
    .insertInto("budget_totals")
    .values({ scope, month, spent, reserved: 0, warned: 0, ...times })
    .onConflict((conflict) =>
      conflict.columns(["scope", "month"]).doUpdateSet((eb) => ({
        spent: eb.case().when("budget_totals.spent", "<", spent).then(spent).else(eb.ref("budget_totals.spent")).end(),
        ...times,
      })),
    )
    .returning("budget_totals.spent")
    .executeTakeFirstOrThrow();
  return total.spent;
}

/** Marks the other months of a budget as not counted that overlap one, because its time zone was changed. */
export async function forgetOverlaps(db: Queryable, counted: Omit<CountedMonth, "spent">): Promise<void> {
  await db
    .updateTable("budget_totals")
    .set({ begins_at: null, ends_at: null })
    .where("scope", "=", counted.scope)
    .where("month", "!=", counted.month)
    .where("begins_at", "<", counted.ends_at)
    .where("ends_at", ">", counted.begins_at)
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
            .where("state", "=", sql.lit(RUNNING)),
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
