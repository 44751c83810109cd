import { FILE } from "../conversation/parts/message-part.ts";
import type { ChatRow, FileRow, FolderRow, MessagePartRow, PresetRow, Queryable } from "../database/schema.ts";

/** Returns a page of the account's chat ids after `after`, ascending, including archived chats. */
export async function listChatIdsAfter(
  db: Queryable,
  userId: string,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom("chats")
    .select("id")
    .where("user_id", "=", userId)
    .where("deleted_at", "is", null)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Files that messages of an account name, or those of one of its chats. */
type NamedFiles = { userId: string; chatId?: string };

const selectNamedFiles = (db: Queryable, { userId, chatId }: NamedFiles) =>
  db
    .selectFrom("files")
    .where("user_id", "=", userId)
    .where("type", "is not", null)
    .where(({ exists, selectFrom }) => {
      const naming = selectFrom("message_files")
        .innerJoin("messages", "messages.id", "message_files.message_id")
        .innerJoin("chats", "chats.id", "messages.chat_id")
        .select("chats.id")
        .whereRef("message_files.user_id", "=", "files.user_id")
        .whereRef("message_files.file_id", "=", "files.id")
        .where("chats.deleted_at", "is", null);
      return exists(chatId === undefined ? naming : naming.where("chats.id", "=", chatId));
    });

/** Whether messages name files. */
export async function hasNamedFiles(db: Queryable, named: NamedFiles): Promise<boolean> {
  return (await selectNamedFiles(db, named).select("id").limit(1).executeTakeFirst()) !== undefined;
}

/** Returns a page of the files that messages name, by id after `after`, ascending. */
export async function listNamedFilesAfter(
  db: Queryable,
  named: NamedFiles,
  { after, limit }: { after: string; limit: number },
): Promise<FileRow[]> {
  return selectNamedFiles(db, named).selectAll().where("id", ">", after).orderBy("id").limit(limit).execute();
}

export async function insertFolders(db: Queryable, folders: FolderRow[]): Promise<void> {
  if (folders.length > 0) await db.insertInto("folders").values(folders).execute();
}

export async function insertPresets(db: Queryable, presets: PresetRow[]): Promise<void> {
  if (presets.length > 0) await db.insertInto("presets").values(presets).execute();
}

export async function readAccountInstructions(db: Queryable, userId: string): Promise<string> {
  const user = await db.selectFrom("users").select("instructions").where("id", "=", userId).executeTakeFirst();
  return user?.instructions ?? "";
}

/** Sets the instructions of an account if it has none. @returns whether it had none */
export async function setFirstInstructions(db: Queryable, userId: string, instructions: string): Promise<boolean> {
  const changed = await db
    .updateTable("users")
    .set({ instructions })
    .where("id", "=", userId)
    .where("instructions", "=", "")
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}

/** Products whose chats can be imported. */
export type ImportSource = "parley";

/** Returns the value of `imported_from`. @param id of the chat in its source */
export const importedFrom = (source: ImportSource, id: string): string => `${source}:${id}`;

/** Returns which ids of exported chats the account already has, as its own chats or as imported ones. */
export async function listPresent(db: Queryable, userId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const sources = new Map(ids.map((id) => [importedFrom("parley", id), id]));
  const rows = await db
    .selectFrom("chats")
    .select(["id", "imported_from"])
    .where("user_id", "=", userId)
    .where("deleted_at", "is", null)
    .where((eb) => eb.or([eb("id", "in", ids), eb("imported_from", "in", [...sources.keys()])]))
    .execute();
  return new Set(rows.flatMap(({ id, imported_from }) => [id, sources.get(imported_from ?? "") ?? id]));
}

/** Lists the file parts of a chat that was imported, or exists as itself, whose file no row of the message names. */
export async function listUnnamedFileParts(
  db: Queryable,
  userId: string,
  exportedId: string,
): Promise<Pick<MessagePartRow, "message_id" | "seq" | "kind" | "body">[]> {
  return db
    .selectFrom("message_parts")
    .innerJoin("messages", "messages.id", "message_parts.message_id")
    .innerJoin("chats", "chats.id", "messages.chat_id")
    .select(["message_parts.message_id", "message_parts.seq", "message_parts.kind", "message_parts.body"])
    .where("chats.user_id", "=", userId)
    .where("chats.deleted_at", "is", null)
    .where((eb) =>
      eb.or([eb("chats.id", "=", exportedId), eb("chats.imported_from", "=", importedFrom("parley", exportedId))]),
    )
    .where("message_parts.kind", "=", FILE)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("message_files")
            .select("file_id")
            .whereRef("message_files.message_id", "=", "message_parts.message_id")
            .whereRef("message_files.position", "=", "message_parts.seq"),
        ),
      ),
    )
    .execute();
}

/** Detaches deleted chats from what they were imported from, so that it can be imported again. */
export async function forgetDeletedImport(db: Queryable, userId: string, source: string): Promise<void> {
  await db
    .updateTable("chats")
    .set({ imported_from: null })
    .where("user_id", "=", userId)
    .where("imported_from", "=", source)
    .where("deleted_at", "is not", null)
    .execute();
}

/**
 * Makes a completely stored chat visible.
 * @throws a unique violation if the same chat was imported meanwhile
 */
export async function showChat(
  db: Queryable,
  userId: string,
  { id, leaf, imported_from }: Pick<ChatRow, "id" | "leaf" | "imported_from">,
): Promise<void> {
  await db
    .updateTable("chats")
    .set({ leaf, imported_from, deleted_at: null })
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .execute();
}
