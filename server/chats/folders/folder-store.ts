import type { Folder } from "#contract/conversation/folders.ts";
import type { FolderRow, Queryable } from "../../database/schema.ts";

/** Lists the account's folders in their order. */
export async function listFolders(db: Queryable, userId: string): Promise<FolderRow[]> {
  return db
    .selectFrom("folders")
    .selectAll()
    .where("user_id", "=", userId)
    .where("deleted_at", "is", null)
    .orderBy("position")
    .orderBy("id")
    .execute();
}

/** Counts the chats of each folder that are listed in it: neither archived nor pinned. Empty folders are left out. */
export async function countChatsInFolders(db: Queryable, userId: string): Promise<Map<string | null, number>> {
  const rows = await db
    .selectFrom("chats")
    .select(({ fn }) => ["folder_id", fn.countAll<number>().as("count")])
    .where("user_id", "=", userId)
    .where("folder_id", "is not", null)
    .where("deleted_at", "is", null)
    .where("archived", "=", 0)
    .where("pinned", "=", 0)
    .groupBy("folder_id")
    .execute();
  return new Map(rows.map(({ folder_id, count }) => [folder_id, count]));
}

/** Returns whether a folder has chats, archived and deleted ones included. */
export async function hasChats(db: Queryable, userId: string, folderId: string): Promise<boolean> {
  const chats = db.selectFrom("chats").select("id").where("user_id", "=", userId).where("folder_id", "=", folderId);
  return (await chats.limit(1).executeTakeFirst()) !== undefined;
}

/** Finds a folder that is not deleted. */
export async function findFolder(db: Queryable, userId: string, folderId: string): Promise<FolderRow | undefined> {
  return db
    .selectFrom("folders")
    .selectAll()
    .where("id", "=", folderId)
    .where("user_id", "=", userId)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
}

export async function insertFolder(db: Queryable, folder: FolderRow): Promise<void> {
  await db.insertInto("folders").values(folder).execute();
}

/** Changes a folder, also a deleted one. */
export async function updateFolder(
  db: Queryable,
  userId: string,
  folderId: string,
  change: Partial<Pick<FolderRow, "name" | "position">>,
): Promise<void> {
  await db.updateTable("folders").set(change).where("id", "=", folderId).where("user_id", "=", userId).execute();
}

/** Marks a folder as deleted; `false` if the account has no such folder. */
export async function markFolderDeleted(
  db: Queryable,
  userId: string,
  folderId: string,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("folders")
    .set({ deleted_at: now })
    .where("id", "=", folderId)
    .where("user_id", "=", userId)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Restores a deleted folder; `false` if there is none, or it was deleted before `deletedSince`. */
export async function unmarkFolderDeleted(
  db: Queryable,
  userId: string,
  folderId: string,
  deletedSince: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("folders")
    .set({ deleted_at: null })
    .where("id", "=", folderId)
    .where("user_id", "=", userId)
    .where("deleted_at", ">=", deletedSince)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Removes folders deleted before a time; their chats are then in no folder. */
export async function removeFoldersDeletedBefore(db: Queryable, deletedBefore: number): Promise<void> {
  await db.deleteFrom("folders").where("deleted_at", "<", deletedBefore).execute();
}

/** Converts a row to the contract's folder. */
export function toFolder({ id, name }: FolderRow): Folder {
  return { id, name };
}
