import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import { ROWS_AT_ONCE } from "../database/in-runs.ts";
import type { Queryable } from "../database/schema.ts";
import type { MessageFileRow } from "../database/tables/attached-file-tables.ts";
import { isReady, type ReadyFile } from "./attached-file-store.ts";

/** Returns the ready files of an account with these ids, by id. */
export async function findReady(
  db: Queryable,
  userId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ReadyFile>> {
  const found = new Map<string, ReadyFile>();
  for (let at = 0; at < ids.length; at += ROWS_AT_ONCE) {
    // Yields to the event loop, because SQLite queries are synchronous.
    if (at > 0) await setImmediate();
    const rows = await db
      .selectFrom("files")
      .selectAll()
      .where("user_id", "=", userId)
      .where("id", "in", ids.slice(at, at + ROWS_AT_ONCE))
      .where("type", "is not", null)
      .execute();
    for (const row of rows.filter(isReady)) found.set(row.id, row);
  }
  return found;
}

/** A file that an imported message names, at a position among its files. */
export type FileName = Omit<MessageFileRow, "user_id">;

/**
 * Lets messages of an account name files, and locks the files until the end of the transaction. Files that the account
 * does not have, or that are not ready, are left out.
 */
export async function nameOwnFiles(db: Queryable, userId: string, named: readonly FileName[]): Promise<void> {
  // Sorted, so that concurrent imports lock files in the same order.
  const ids = [...new Set(named.map(({ file_id }) => file_id))].sort();
  for (const id of ids) {
    await db
      .updateTable("files")
      .set({ is_sent: 1 })
      .where("user_id", "=", userId)
      .where("id", "=", id)
      .where("type", "is not", null)
      .execute();
  }
  for (const row of named) await nameOwnFile(db, userId, row);
}

async function nameOwnFile(db: Queryable, userId: string, { message_id, position, file_id }: FileName): Promise<void> {
  await db
    .insertInto("message_files")
    .columns(["message_id", "position", "user_id", "file_id"])
    .expression(
      db
        .selectFrom("files")
        .select([
          sql<string>`cast(${message_id} as text)`.as("message_id"),
          sql<number>`cast(${position} as integer)`.as("position"),
          "user_id",
          "id",
        ])
        .where("user_id", "=", userId)
        .where("id", "=", file_id)
        .where("type", "is not", null),
    )
    // A concurrent import of the same export has named it.
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
