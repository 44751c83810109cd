import { sql } from "kysely";
import { SECOND } from "#contract/limits.ts";
import type { Queryable } from "../../database/schema.ts";
import type { GuessPurpose } from "../../database/tables/sign-in-tables.ts";

/** From this number of consecutive wrong guesses on, each is followed by a wait. */
const FREE_FAILURES = 10;
/** After this number no password is checked any more. */
const FAILURES_MAX = 100;
const LONGEST_WAIT_MS = 900 * SECOND;
/** Servers whose clocks differ by less than this do not treat the difference as a clock that was set back. */
const CLOCK_SLACK_MS = SECOND;
const MAX_UNKNOWN = 1_000_000;

export type Guess = { key: string; userId: string | null; purpose: GuessPurpose; now: number };

/**
 * Counts a guess before the password is checked, as if it were wrong. One atomic statement: of many concurrent guesses,
 * exactly the allowed number passes.
 * @returns whether the password may be checked
 */
export async function reserveGuess(db: Queryable, { key, userId, purpose, now }: Guess): Promise<boolean> {
  const failures = sql<number>`sign_in_throttles.failures + 1`;
  const row = await db
    .insertInto("sign_in_throttles")
    .values({ key, user_id: userId, failures: 1, next_at: now, updated_at: now, purpose })
    .onConflict((conflict) =>
      conflict
        .column("key")
        .doUpdateSet({ failures, next_at: sql<number>`excluded.updated_at + ${waitAfter(failures)}`, updated_at: now })
        .where("sign_in_throttles.failures", "<", FAILURES_MAX)
        // A clock that was set back must not lengthen the wait.
        .where(({ or, eb }) =>
          or([
            eb("sign_in_throttles.next_at", "<=", now),
            eb("sign_in_throttles.updated_at", ">", now + CLOCK_SLACK_MS),
          ]),
        ),
    )
    .returning("failures")
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Returns the SQL of the wait in ms: 0 for the first failures, then 1, 2, 4 … 900 s. Uses literals, because PostgreSQL
 * cannot infer the types of parameters alone.
 */
function waitAfter(failures: ReturnType<typeof sql<number>>) {
  const doublings = Math.ceil(Math.log2(LONGEST_WAIT_MS / SECOND));
  return sql<number>`case
    when ${failures} < ${sql.lit(FREE_FAILURES)} then 0
    when ${failures} >= ${sql.lit(FREE_FAILURES + doublings)} then ${sql.lit(LONGEST_WAIT_MS)}
    else ${sql.lit(SECOND)} * (1 << (${failures} - ${sql.lit(FREE_FAILURES)})) end`;
}

/**
 * Returns how long (ms) a key has to wait; null if it need not. After the maximum of failures it returns the longest
 * wait.
 */
export async function findWait(db: Queryable, key: string, now: number): Promise<number | null> {
  const row = await db.selectFrom("sign_in_throttles").selectAll().where("key", "=", key).executeTakeFirst();
  if (!row) return null;
  if (row.failures >= FAILURES_MAX) return LONGEST_WAIT_MS;
  return row.next_at <= now || row.updated_at > now + CLOCK_SLACK_MS ? null : row.next_at - now;
}

/** Keeps a guess counted whose password was checked and wrong. */
export async function noteWrongGuess(db: Queryable, key: string, now: number): Promise<void> {
  await db.updateTable("sign_in_throttles").set({ updated_at: now }).where("key", "=", key).execute();
}

/** Takes back a guess whose password was not checked after all. */
export async function giveGuessBack(db: Queryable, key: string, now: number): Promise<void> {
  await db
    .updateTable("sign_in_throttles")
    .set((eb) => ({ failures: eb("failures", "-", 1), next_at: now, updated_at: now }))
    .where("key", "=", key)
    .where("failures", ">", 0)
    .execute();
}

/** Forgets the failures of this key after the right password. */
export async function forgetGuesses(db: Queryable, key: string): Promise<void> {
  await db.deleteFrom("sign_in_throttles").where("key", "=", key).execute();
}

/**
 * Forgets all failures of an account, after its owner signed in from a known browser or with a mailed key.
 * @param purpose only those with this secret
 */
export async function clearThrottle(db: Queryable, userId: string, purpose?: GuessPurpose): Promise<void> {
  let query = db.deleteFrom("sign_in_throttles").where("user_id", "=", userId);
  if (purpose) query = query.where("purpose", "=", purpose);
  await query.execute();
}

/**
 * Removes the oldest failures of names without an account if there are too many. Otherwise they are stored as long as
 * those of accounts, so that the table does not reveal which names exist.
 */
export async function removeUnknownGuesses(db: Queryable, max = MAX_UNKNOWN): Promise<void> {
  const [oldestRetained] = await db
    .selectFrom("sign_in_throttles")
    .select("updated_at")
    .where("user_id", "is", null)
    .orderBy("updated_at", "desc")
    .limit(1)
    .offset(max - 1)
    .execute();
  if (!oldestRetained) return;
  await db
    .deleteFrom("sign_in_throttles")
    .where("user_id", "is", null)
    .where("updated_at", "<", oldestRetained.updated_at)
    .execute();
}
