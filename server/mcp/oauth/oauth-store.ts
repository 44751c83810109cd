import type { Queryable } from "../../database/schema.ts";
import type { McpAttemptRow, McpClientRow, McpTokenRow } from "../../database/tables/mcp-tables.ts";

/** Whose tokens at which server: `server` is its key. */
export type TokenOwner = { server: string; userId: string };

export async function findTokenRow(db: Queryable, { server, userId }: TokenOwner): Promise<McpTokenRow | undefined> {
  return db
    .selectFrom("mcp_tokens")
    .selectAll()
    .where("server", "=", server)
    .where("user_id", "=", userId)
    .executeTakeFirst();
}

export async function listTokenRows(db: Queryable): Promise<McpTokenRow[]> {
  return db.selectFrom("mcp_tokens").selectAll().orderBy("id").execute();
}

/** Returns the keys of the servers to which a person has signed in. */
export async function listTokenServers(db: Queryable, userId: string): Promise<string[]> {
  const rows = await db.selectFrom("mcp_tokens").select("server").where("user_id", "=", userId).execute();
  return rows.map(({ server }) => server);
}

/** Stores the tokens of a new sign-in in place of all earlier ones of the person at the server. */
export async function insertTokens(db: Queryable, row: McpTokenRow): Promise<void> {
  await db
    .insertInto("mcp_tokens")
    .values(row)
    .onConflict((conflict) => conflict.columns(["user_id", "server"]).doUpdateSet(row))
    .execute();
}

/** A version of a row: every encryption of the same tokens differs. */
type TokenVersion = Pick<McpTokenRow, "id" | "tokens_encrypted">;

/** Replaces tokens, and ends the lease of their refresh. @returns false if they have changed meanwhile */
export async function replaceTokens(
  db: Queryable,
  { id, tokens_encrypted: before }: TokenVersion,
  { encrypted, now }: { encrypted: string; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("mcp_tokens")
    .set({ tokens_encrypted: encrypted, refreshing_until: null, updated_at: now })
    .where("id", "=", id)
    .where("tokens_encrypted", "=", before)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Encrypts tokens anew; a refresh that is under way continues. */
export async function reencryptTokens(
  db: Queryable,
  { id, tokens_encrypted: before }: TokenVersion,
  encrypted: string,
) {
  await db
    .updateTable("mcp_tokens")
    .set({ tokens_encrypted: encrypted })
    .where("id", "=", id)
    .where("tokens_encrypted", "=", before)
    .execute();
}

/** Acquires the lease of a refresh. @returns false if another process has it, or the tokens have changed */
export async function leaseRefresh(
  db: Queryable,
  { id, tokens_encrypted: version }: TokenVersion,
  { now, until }: { now: number; until: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("mcp_tokens")
    .set({ refreshing_until: until })
    .where("id", "=", id)
    .where("tokens_encrypted", "=", version)
    .where((eb) => eb.or([eb("refreshing_until", "is", null), eb("refreshing_until", "<=", now)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function endRefreshLease(db: Queryable, { id, tokens_encrypted: version }: TokenVersion): Promise<void> {
  await db
    .updateTable("mcp_tokens")
    .set({ refreshing_until: null })
    .where("id", "=", id)
    .where("tokens_encrypted", "=", version)
    .execute();
}

/** Deletes tokens unless they have changed. */
export async function deleteTokens(db: Queryable, { id, tokens_encrypted: version }: TokenVersion): Promise<void> {
  await db.deleteFrom("mcp_tokens").where("id", "=", id).where("tokens_encrypted", "=", version).execute();
}

/** Removes what was found about servers for an account that is removed; its other rows refer to the account. */
export async function deletePersonStates(db: Queryable, userId: string): Promise<void> {
  await db.deleteFrom("mcp_server_states").where("user_id", "=", userId).execute();
}

export async function findClientRow(db: Queryable, issuer: string): Promise<McpClientRow | undefined> {
  return db.selectFrom("mcp_clients").selectAll().where("issuer", "=", issuer).executeTakeFirst();
}

export async function listClientRows(db: Queryable): Promise<McpClientRow[]> {
  return db.selectFrom("mcp_clients").selectAll().orderBy("id").execute();
}

/** Stores a client in place of an earlier one of the issuer. */
export async function insertClient(db: Queryable, row: McpClientRow): Promise<void> {
  await db
    .insertInto("mcp_clients")
    .values(row)
    .onConflict((conflict) => conflict.column("issuer").doUpdateSet(row))
    .execute();
}

export async function reencryptClient(db: Queryable, id: string, encrypted: string): Promise<void> {
  await db.updateTable("mcp_clients").set({ client_encrypted: encrypted }).where("id", "=", id).execute();
}

export async function deleteClient(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom("mcp_clients").where("id", "=", id).execute();
}

/** Stores an attempt, and deletes the oldest ones of the account beyond a number. */
export async function insertAttempt(db: Queryable, row: McpAttemptRow, max: number): Promise<void> {
  await db.insertInto("mcp_attempts").values(row).execute();
  const old = await db
    .selectFrom("mcp_attempts")
    .select("hash")
    .where("user_id", "=", row.user_id)
    .orderBy("expires_at", "desc")
    .orderBy("hash")
    .offset(max)
    .limit(100)
    .execute();
  const hashes = old.map(({ hash }) => hash).filter((hash) => hash !== row.hash);
  if (hashes.length > 0) await db.deleteFrom("mcp_attempts").where("hash", "in", hashes).execute();
}

export async function findAttempt(db: Queryable, hash: string): Promise<McpAttemptRow | undefined> {
  return db.selectFrom("mcp_attempts").selectAll().where("hash", "=", hash).executeTakeFirst();
}

/** Deletes an attempt. @returns false if another request has done so */
export async function consumeAttempt(db: Queryable, hash: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("mcp_attempts").where("hash", "=", hash).executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function removeAttemptsBefore(db: Queryable, now: number): Promise<void> {
  await db.deleteFrom("mcp_attempts").where("expires_at", "<=", now).execute();
}
