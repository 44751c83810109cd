import type { MailRow, Queryable } from "../database/schema.ts";

export async function insertMail(db: Queryable, mail: MailRow): Promise<void> {
  await db.insertInto("mails").values(mail).execute();
}

/** Returns a mail; undefined if it is unknown or removed. */
export async function findMail(db: Queryable, id: string): Promise<MailRow | undefined> {
  return db.selectFrom("mails").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Value of `next_attempt_at` of a mail that is held until {@link releaseMail}. */
export const HELD = Number.MAX_SAFE_INTEGER;

/**
 * Parameters of a claim; Unix times in ms.
 * `leaseUntil`: no other process sends the mail before.
 * `latest`: a retry that is scheduled for later is due at once, because the clock was set back.
 */
export type Claim = { now: number; leaseUntil: number; latest: number };

/** Claims the mail that has been due for longest. Safe with concurrent processes. */
export async function claimDueMail(db: Queryable, { now, leaseUntil, latest }: Claim): Promise<MailRow | undefined> {
  for (;;) {
    const due = await db
      .selectFrom("mails")
      .selectAll()
      .where("sent_at", "is", null)
      .where("failed_at", "is", null)
      .where("next_attempt_at", "!=", HELD)
      .where(({ eb, or }) => or([eb("next_attempt_at", "<=", now), eb("next_attempt_at", ">", latest)]))
      .orderBy("next_attempt_at")
      .orderBy("id")
      .limit(1)
      .executeTakeFirst();
    if (!due) return undefined;
    const claimed = await db
      .updateTable("mails")
      .set({ attempts: due.attempts + 1, next_attempt_at: leaseUntil })
      .where("id", "=", due.id)
      // Optimistic lock: a concurrent claim has changed both columns, so only one process gets the row.
      .where("attempts", "=", due.attempts)
      .where("next_attempt_at", "=", due.next_attempt_at)
      .where("sent_at", "is", null)
      .where("failed_at", "is", null)
      .returningAll()
      .executeTakeFirst();
    if (claimed) return claimed;
  }
}

/** Counts the mails that are due or will be retried. `oldestAt`: creation of the oldest one, Unix time in ms. */
export async function countWaiting(db: Queryable): Promise<{ count: number; oldestAt: number | null }> {
  return db
    .selectFrom("mails")
    .select((eb) => [eb.fn.countAll<number>().as("count"), eb.fn.min("created_at").as("oldestAt")])
    .where("sent_at", "is", null)
    .where("failed_at", "is", null)
    .where("next_attempt_at", "!=", HELD)
    .executeTakeFirstOrThrow();
}

export async function markSent(db: Queryable, mailId: string, sentAt: number): Promise<void> {
  await db.updateTable("mails").set({ sent_at: sentAt }).where("id", "=", mailId).execute();
}

/** Counts the mails that have failed permanently since a time. */
export async function countFailed(db: Queryable, since: number): Promise<number> {
  const { count } = await db
    .selectFrom("mails")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("failed_at", ">=", since)
    .executeTakeFirstOrThrow();
  return count;
}

/** Marks a mail as failed permanently. Its values, among them addresses, are removed: it is only counted from now on. */
export async function markFailed(db: Queryable, mailId: string, failedAt: number): Promise<void> {
  await db.updateTable("mails").set({ failed_at: failedAt, params: "{}" }).where("id", "=", mailId).execute();
}

export async function postponeMail(db: Queryable, mailId: string, nextAttemptAt: number): Promise<void> {
  await db.updateTable("mails").set({ next_attempt_at: nextAttemptAt }).where("id", "=", mailId).execute();
}

/** Removes mails that were sent, or have failed permanently before a time. */
export async function removeSettledMails(db: Queryable, failedBefore: number): Promise<void> {
  await db
    .deleteFrom("mails")
    .where(({ eb, or }) => or([eb("sent_at", "is not", null), eb("failed_at", "<", failedBefore)]))
    .execute();
}

/** Returns the mail of an account that was made from a template, such as one held until the account is removed. */
export async function findMailOfAccount(db: Queryable, userId: string, template: string): Promise<MailRow | undefined> {
  return db
    .selectFrom("mails")
    .selectAll()
    .where("user_id", "=", userId)
    .where("template", "=", template)
    .executeTakeFirst();
}

/** Detaches a held mail from its account, so that it outlives the account, and makes it due. */
export async function releaseMail(
  db: Queryable,
  { id, userId, now }: { id: string; userId: string; now: number },
): Promise<void> {
  await db
    .updateTable("mails")
    .set({ user_id: null, created_at: now, next_attempt_at: now })
    .where("id", "=", id)
    // Another process may already have released the mail and sent it.
    .where("user_id", "=", userId)
    .execute();
}
