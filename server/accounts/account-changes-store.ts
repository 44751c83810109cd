import type { Queryable, UserRow } from "../database/schema.ts";

/** What of an account its owner, or whoever reads its mails, can change. */
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
  >
>;

/**
 * Changes an account. New instructions are counted among the changes of which its sessions are notified: the caller then
 * publishes `topics.account`. @returns the account as it is then; nothing where it is gone
 * @throws a unique violation where another account has that username or address
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
