import type { Queryable, UserRow } from "../database/schema.ts";

/** Columns that the owner of an account, or a reader of its mails, can change. */
type Change = Partial<
  Pick<
    UserRow,
    | "firstname"
    | "lastname"
    | "username"
    | "username_key"
    | "email"
    | "email_key"
    | "password_hash"
    | "password_confirmed"
    | "google_subject"
    | "delete_at"
    | "disabled_at"
    | "verified_at"
    | "instructions"
    | "quota_mb"
    | "budget"
    | "preferences"
    | "role"
    | "group_id"
    | "needs_second_factor"
  >
>;

/**
 * Changes an account. New instructions increase its change number: the caller then publishes `topics.account`, so that
 * sessions are notified.
 * @returns the changed account; undefined if it does not exist
 * @throws a unique violation if another account has that username or address
 */
export async function changeAccount(db: Queryable, userId: string, change: Change): Promise<UserRow | undefined> {
  return db
    .updateTable("users")
    .set((eb) => ({
      ...change,
      ...(change.instructions !== undefined && {
        change_seq: eb("change_seq", "+", 1),
        instructions_seq: eb("change_seq", "+", 1),
      }),
    }))
    .where("id", "=", userId)
    .returningAll()
    .executeTakeFirst();
}
