import { sql } from "kysely";
import type { AttachedFile, FileRemark } from "#contract/files/files.ts";
import { isOnSqlite } from "../database/is-on-sqlite.ts";
import type { Database, FileRow, Queryable } from "../database/schema.ts";
import { ownOrGroupQuota } from "../limits/quota-store.ts";

/**
 * Tables whose rows own files by `user_id` and `file_id`. Each has a trigger that removes a file with the last row of all
 * these tables that names it.
 */
export const fileOwnerTables = ["message_files", "share_files"] as const;

/** A file that is whole and has been read. */
export type ReadyFile = FileRow & { type: string };

/** What the server has read of a file; `size` is that of the stored bytes. */
export type FileFacts = Pick<FileRow, "size" | "width" | "height" | "pages"> & {
  type: string;
  remark: FileRemark | null;
};

export const isReady = (row: FileRow): row is ReadyFile => row.type !== null;

type Described = Pick<ReadyFile, "id" | "name" | "type" | "size" | "width" | "height" | "pages" | "remark">;

export function toAttachedFile({ id, name, type, size, width, height, pages, remark }: Described): AttachedFile {
  return {
    ...{ id, name, type, size },
    ...(width !== null && { width }),
    ...(height !== null && { height }),
    ...(pages !== null && { pages }),
    ...(remark !== null && { remark: remark as FileRemark }),
  };
}

export async function findFile(db: Queryable, userId: string, id: string): Promise<FileRow | undefined> {
  return db.selectFrom("files").selectAll().where("user_id", "=", userId).where("id", "=", id).executeTakeFirst();
}

/** {@link findFile}, locked until the end of the transaction. */
export async function holdFile(db: Queryable, userId: string, id: string): Promise<FileRow | undefined> {
  await db.updateTable("files").set({ id }).where("user_id", "=", userId).where("id", "=", id).execute();
  return findFile(db, userId, id);
}

export async function insertFile(db: Queryable, row: FileRow): Promise<void> {
  await db.insertInto("files").values(row).execute();
}

/** Adds to the counter of the account's stored bytes, and locks its row. */
export async function countStored(db: Queryable, userId: string, bytes: number) {
  return db
    .updateTable("users")
    .set((eb) => ({ stored_bytes: eb("stored_bytes", "+", bytes) }))
    .where("id", "=", userId)
    .returning(["stored_bytes", ownOrGroupQuota])
    .executeTakeFirst();
}

export async function countUnsent(db: Queryable, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom("files")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("user_id", "=", userId)
    .where("is_sent", "=", 0)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Stores what was read of a file, after which it can be sent. */
export async function storeFacts(db: Queryable, { user_id, id, key }: FileRow, facts: FileFacts, text: string) {
  const text_bytes = Buffer.byteLength(text);
  await db
    .updateTable("files")
    .set({ ...facts, text_bytes })
    .where("user_id", "=", user_id)
    .where("id", "=", id)
    .execute();
  if (text !== "") await db.insertInto("file_texts").values({ key, text }).execute();
}

/** Deletes a file that no message names. A trigger notes the key of its bytes. @returns whether there was one */
export async function deleteUnsent(db: Queryable, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("files")
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .where("is_sent", "=", 0)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteAllOf(db: Queryable, userId: string): Promise<void> {
  await db.deleteFrom("files").where("user_id", "=", userId).execute();
}

/** Files that are deleted in one transaction. */
const DELETED_AT_ONCE = 500;

/**
 * Deletes the files that were created before a time (Unix time in ms) and that no message names. On PostgreSQL each is
 * locked first and judged in a later statement, which sees the names that were committed meanwhile; a file that a
 * running transaction names is left to the next call.
 */
export async function deleteUnnamedBefore(database: Database, before: number): Promise<void> {
  for (let count = DELETED_AT_ONCE; count === DELETED_AT_ONCE; ) {
    count = await database.transaction().execute(async (db) => {
      const unnamed = db
        .selectFrom("files")
        .select("key")
        .where("created_at", "<", before)
        .where(({ not }) => not(isNamed))
        .limit(DELETED_AT_ONCE);
      const rows = await (isOnSqlite(db) ? unnamed : unnamed.forUpdate().skipLocked()).execute();
      const keys = rows.map(({ key }) => key);
      if (keys.length === 0) return 0;
      const deleted = db
        .deleteFrom("files")
        .where("key", "in", keys)
        .where(({ not }) => not(isNamed));
      await deleted.execute();
      return keys.length;
    });
  }
}

const isNamed = sql<boolean>`(${sql.join(
  fileOwnerTables.map(
    (table) => sql`exists (select 1 from ${sql.table(table)} as named
      where named.user_id = files.user_id and named.file_id = files.id)`,
  ),
  sql` or `,
)})`;

/**
 * Marks files as sent, and locks them until the end of the transaction.
 * @returns the files in the order of `ids`; undefined if one is absent, not ready, or of another account. Then the
 *   caller must roll back
 */
export async function takeFiles(
  db: Queryable,
  userId: string,
  ids: readonly string[],
): Promise<ReadyFile[] | undefined> {
  if (ids.length === 0) return [];
  await lockFiles(db, userId, ids);
  const rows = await db
    .updateTable("files")
    .set({ is_sent: 1 })
    .where("user_id", "=", userId)
    .where("id", "in", ids)
    .where("type", "is not", null)
    .returningAll()
    .execute();
  const byId = new Map(rows.filter(isReady).map((row) => [row.id, row]));
  const files = ids.flatMap((id) => byId.get(id) ?? []);
  return files.length === ids.length ? files : undefined;
}

/**
 * Locks files in the order of their ids: rows that name some of the same files wait for each other in one order.
 * @returns the number of files that exist
 */
export async function lockFiles(db: Queryable, userId: string, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const files = db.selectFrom("files").select("id").where("user_id", "=", userId).where("id", "in", ids).orderBy("id");
  // Transactions of SQLite have locked the whole database.
  return (await (isOnSqlite(db) ? files : files.forNoKeyUpdate()).execute()).length;
}

/** Lets a message name files, in this order. */
export async function nameFiles(db: Queryable, messageId: string, files: readonly ReadyFile[]): Promise<void> {
  if (files.length === 0) return;
  const rows = files.map(({ user_id, id }, position) => ({ message_id: messageId, position, user_id, file_id: id }));
  await db.insertInto("message_files").values(rows).execute();
}

/**
 * Whether a row of `message_files` is no rest of a result of a tool. Quotes within names are escaped in the part, so they
 * cannot look like its field.
 */
export const isNoResult = sql<boolean>`not exists (select 1 from message_parts as part
  where part.message_id = message_files.message_id and part.seq = message_files.position and part.kind = 'file'
    and part.body like '%"tool":%')`;

/**
 * Lists the files of messages by the message's id, each in its order.
 * @param withResults whether rests of results of tools are listed
 */
export async function listFilesOf(
  db: Queryable,
  messageIds: readonly string[],
  { withResults }: { withResults: boolean },
): Promise<ReadonlyMap<string, ReadyFile[]>> {
  const files = new Map<string, ReadyFile[]>();
  if (messageIds.length === 0) return files;
  const rows = await db
    .selectFrom("message_files")
    .innerJoin("files", (join) =>
      join.onRef("files.user_id", "=", "message_files.user_id").onRef("files.id", "=", "message_files.file_id"),
    )
    .selectAll("files")
    .select("message_files.message_id")
    .where("message_files.message_id", "in", messageIds)
    .$if(!withResults, (query) => query.where(isNoResult))
    .orderBy("message_files.message_id")
    .orderBy("message_files.position")
    .execute();
  for (const { message_id: messageId, ...row } of rows) {
    if (!isReady(row)) continue;
    const known = files.get(messageId);
    if (known) known.push(row);
    else files.set(messageId, [row]);
  }
  return files;
}

/** Returns the readable text of a file; empty if it has none. */
export async function readFileText(db: Queryable, key: string): Promise<string> {
  const row = await db.selectFrom("file_texts").select("text").where("key", "=", key).executeTakeFirst();
  return row?.text ?? "";
}

/** Lists keys of removed files whose bytes are still to be deleted. */
export async function listRemovals(db: Queryable, limit: number): Promise<string[]> {
  const rows = await db.selectFrom("file_removals").select("key").limit(limit).execute();
  return rows.map(({ key }) => key);
}

export async function forgetRemoval(db: Queryable, key: string): Promise<void> {
  await db.deleteFrom("file_removals").where("key", "=", key).execute();
}

/** Returns the files with these keys by key. */
export async function findByKeys(db: Queryable, keys: readonly string[]): Promise<ReadonlyMap<string, FileRow>> {
  if (keys.length === 0) return new Map();
  const rows = await db.selectFrom("files").selectAll().where("key", "in", keys).execute();
  return new Map(rows.map((row) => [row.key, row]));
}

/** Lists ready files in pages, by key in ascending order. */
export async function listReady(db: Queryable, after: string, limit: number): Promise<ReadyFile[]> {
  const rows = await db
    .selectFrom("files")
    .selectAll()
    .where("type", "is not", null)
    .where("key", ">", after)
    .orderBy("key")
    .limit(limit)
    .execute();
  return rows.filter(isReady);
}

/** Returns the keys of some ready files, half of them the oldest, half the newest. */
export async function sampleReady(db: Queryable, count: number): Promise<string[]> {
  const ready = db
    .selectFrom("files")
    .select("key")
    .where("type", "is not", null)
    .limit(Math.ceil(count / 2));
  const [oldest, newest] = [await ready.orderBy("key").execute(), await ready.orderBy("key", "desc").execute()];
  return [...new Set([...oldest, ...newest].map(({ key }) => key))];
}
