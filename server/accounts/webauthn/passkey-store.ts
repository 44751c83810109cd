import type { Queryable } from "../../database/schema.ts";
import type { PasskeyRow } from "../../database/tables/second-factor-tables.ts";

/** Returns the passkeys of an account, the newest first. */
export async function listPasskeys(db: Queryable, userId: string): Promise<PasskeyRow[]> {
  return db
    .selectFrom("passkeys")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();
}

export async function findPasskey(db: Queryable, id: string): Promise<PasskeyRow | undefined> {
  return db.selectFrom("passkeys").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Returns whether any account has a passkey that works on this host. */
export async function hasPasskeysOf(db: Queryable, host: string): Promise<boolean> {
  const row = await db.selectFrom("passkeys").select("id").where("host", "=", host).limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Counts the passkeys that were made for other hosts: here they do not work. */
export async function countPasskeysElsewhere(db: Queryable, host: string): Promise<number> {
  const { passkeys } = await db
    .selectFrom("passkeys")
    .select(({ fn }) => fn.countAll<number>().as("passkeys"))
    .where("host", "<>", host)
    .executeTakeFirstOrThrow();
  return Number(passkeys);
}

/** Adds a passkey; `false` if an account has it. */
export async function insertPasskey(db: Queryable, passkey: PasskeyRow): Promise<boolean> {
  const added = await db
    .insertInto("passkeys")
    .values(passkey)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return added !== undefined;
}

/** Stores that a passkey of an account was used. @param counter of the authenticator. @returns `false` if it is gone */
export async function recordUse(
  db: Queryable,
  { id, user_id: userId }: Pick<PasskeyRow, "id" | "user_id">,
  { counter, now }: { counter: number; now: number },
): Promise<boolean> {
  const used = await db
    .updateTable("passkeys")
    .set({ counter, last_used_at: now })
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .returning("id")
    .executeTakeFirst();
  return used !== undefined;
}

/** Returns whether a restore brought a passkey back since its last sign-in, and forgets it. */
export async function takeRestoredPasskey(db: Queryable, id: string): Promise<boolean> {
  const restored = await db
    .updateTable("passkeys")
    .set({ restored_at: null })
    .where("id", "=", id)
    .where("restored_at", "is not", null)
    .returning("id")
    .executeTakeFirst();
  return restored !== undefined;
}

/** Renames a passkey of an account; `false` if it is gone. */
export async function renamePasskey(db: Queryable, userId: string, id: string, name: string): Promise<boolean> {
  const renamed = await db
    .updateTable("passkeys")
    .set({ name })
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .returning("id")
    .executeTakeFirst();
  return renamed !== undefined;
}

/** Removes the passkeys of an account. @param id of one of them, which alone is removed. @returns how many */
export async function deletePasskeys(db: Queryable, userId: string, id?: string): Promise<number> {
  let query = db.deleteFrom("passkeys").where("user_id", "=", userId);
  if (id !== undefined) query = query.where("id", "=", id);
  return (await query.returning("id").execute()).length;
}
