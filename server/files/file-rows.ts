import { newId } from "../database/new-id.ts";
import type { FileRow, Queryable } from "../database/schema.ts";
import { Failure } from "../failure.ts";
import { type QuotaSettings, quotaOf, refuseOverQuota } from "../limits/quota.ts";
import { countStored, type FileFacts, holdFile, insertFile, isReady, storeFacts } from "./attached-file-store.ts";

/** Creates the row of a file that is not ready. `name`: clean; `size`: in bytes. */
export function newFileRow(file: Pick<FileRow, "user_id" | "id" | "name" | "size" | "created_at">): FileRow {
  return {
    ...file,
    key: newId(),
    ...{ type: null, width: null, height: null, pages: null, remark: null, text_bytes: 0, is_sent: 0 },
  };
}

/**
 * Reserves the size of a file in the account's quota, before its first byte is stored.
 * @throws Failure `quota-reached`; `not-found` if the account was deleted
 */
export async function reserveFile(db: Queryable, row: FileRow, settings: QuotaSettings): Promise<void> {
  const user = await countStored(db, row.user_id, row.size);
  if (!user) throw new Failure("not-found");
  refuseOverQuota(user.stored_bytes - row.size, row.size, quotaOf(user, settings));
  await insertFile(db, row);
}

/** What was read of a file. `text`: its readable text. */
export type FileReading = { facts: FileFacts; text: string };

/**
 * Makes a file ready whose bytes are stored, in a transaction. A file that is ready already is unchanged.
 * @param check called before the change; throws if there must be none
 * @returns the file; undefined if it was removed
 */
export async function makeFileReady(
  db: Queryable,
  row: FileRow,
  { facts, text }: FileReading,
  check?: () => Promise<void>,
): Promise<FileRow | undefined> {
  // In the order of a removal, which locks the account after the file.
  const held = await holdFile(db, row.user_id, row.id);
  if (!held || isReady(held)) return held;
  await check?.();
  await storeFacts(db, row, facts, text);
  await countStored(db, row.user_id, facts.size - row.size);
  return { ...row, ...facts };
}
