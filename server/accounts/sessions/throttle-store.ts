import { sql } from "kysely";
import { SECOND } from "#contract/limits.ts";
import type { Queryable } from "../../database/schema.ts";

/** From this many wrong guesses in a row on, each is followed by a wait. */
const FREE_FAILURES = 10;
/** After this many nothing is evaluated any more. */
const FAILURES_MAX = 100;
const LONGEST_WAIT_MS = 900 * SECOND;
/** Servers whose clocks differ by less than this do not take each other for one whose clock was set back. */
const CLOCK_SLACK_MS = SECOND;
const MAX_UNKNOWN = 1_000_000;

export type Guess = { key: string; userId: string | null; now: number };

/**
 * Counts a guess before it is evaluated, as if it were wrong. One statement: of many at once, exactly those that are
 * allowed get through.
 * @returns whether it may be evaluated
 */
export async function reserveGuess(db: Queryable, { key, userId, now }: Guess): Promise<boolean> {
  const failures = sql<number>`sign_in_throttles.failures + 1`;
  const row = await db
    .insertInto("sign_in_throttles")
    .values({ key, user_id: userId, failures: 1, next_at: now, updated_at: now })
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

/** 0 for the first ones, then 1, 2, 4 … 900 s; in ms. Literals, as PostgreSQL tells no types of mere parameters. */
function waitAfter(failures: ReturnType<typeof sql<number>>) {
  const doublings = Math.ceil(Math.log2(LONGEST_WAIT_MS / SECOND));
  return sql<number>`case
    when ${failures} < ${sql.lit(FREE_FAILURES)} then 0
    when ${failures} >= ${sql.lit(FREE_FAILURES + doublings)} then ${sql.lit(LONGEST_WAIT_MS)}
    else ${sql.lit(SECOND)} * (1 << (${failures} - ${sql.lit(FREE_FAILURES)})) end`;
}

/** How long (ms) a key has to wait; none where it need not. The longest time where nothing is evaluated any more. */
export async function findWait(db: Queryable, key: string, now: number): Promise<number | null> {
  const row = await db.selectFrom("sign_in_throttles").selectAll().where("key", "=", key).executeTakeFirst();
  if (!row) return null;
  if (row.failures >= FAILURES_MAX) return LONGEST_WAIT_MS;
  return row.next_at <= now || row.updated_at > now + CLOCK_SLACK_MS ? null : row.next_at - now;
}

/** A guess that was evaluated and wrong stays counted. */
export async function noteWrongGuess(db: Queryable, key: string, now: number): Promise<void> {
  await db.updateTable("sign_in_throttles").set({ updated_at: now }).where("key", "=", key).execute();
}

/** A guess that was not evaluated after all does not count. */
export async function giveGuessBack(db: Queryable, key: string, now: number): Promise<void> {
  await db
    .updateTable("sign_in_throttles")
    .set((eb) => ({ failures: eb("failures", "-", 1), next_at: now, updated_at: now }))
    .where("key", "=", key)
    .where("failures", ">", 0)
    .execute();
}

/** The right password was given: what was guessed under this key before is forgotten. */
export async function forgetGuesses(db: Queryable, key: string): Promise<void> {
  await db.deleteFrom("sign_in_throttles").where("key", "=", key).execute();
}

/** Its owner is back, by a browser that the account knows or by a mailed key: all guesses are forgotten. */
export async function clearThrottle(db: Queryable, userId: string): Promise<void> {
  await db.deleteFrom("sign_in_throttles").where("user_id", "=", userId).execute();
}

/**
 * Guesses at names that nobody has are kept as long as those at accounts, or the memory would tell which is which; only
 * the oldest go where there are far too many.
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
