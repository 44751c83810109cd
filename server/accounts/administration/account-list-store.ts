import type { Queryable, UserRow } from "../../database/schema.ts";
import { emailKeyOf, usernameKeyOf } from "../account-keys.ts";

/** An account as administrators see it. */
export type ListedAccount = UserRow & { chats: number };

/** Lists all accounts, oldest first. */
export async function listAllAccounts(db: Queryable): Promise<ListedAccount[]> {
  return db
    .selectFrom("users")
    .selectAll("users")
    .select(({ selectFrom }) => [
      selectFrom("chats")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .whereRef("chats.user_id", "=", "users.id")
        .where("deleted_at", "is", null)
        .$asScalar()
        .$notNull()
        .as("chats"),
    ])
    .orderBy("users.created_at")
    .orderBy("users.id")
    .execute();
}

/** Lists accounts with an id, username or address; several if pending accounts share an address. */
export async function listAccountsNamed(db: Queryable, name: string): Promise<UserRow[]> {
  return db
    .selectFrom("users")
    .selectAll()
    .where(({ eb, or }) =>
      or([eb("id", "=", name), eb("username_key", "=", usernameKeyOf(name)), eb("email_key", "=", emailKeyOf(name))]),
    )
    .orderBy("id")
    .execute();
}
