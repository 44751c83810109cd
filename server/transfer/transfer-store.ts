import {
  type ChatOrigin,
  type ExportedChat,
  type ImportService,
  importServiceNames,
} from "#contract/transfer/transfer.ts";
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

/** By what an imported chat is known again. */
export type ChatSource = Pick<ExportedChat, "id" | "origin">;

const OWN = "parley";

/** Returns the value of `imported_from`. */
export const importedFrom = ({ id, origin }: ChatSource): string =>
  origin ? `${origin.service}:${origin.id}` : `${OWN}:${id}`;

/** Returns the service and the id there of a value of `imported_from`; undefined for a chat of our own. */
export function originOf(imported: string | null): ChatOrigin | undefined {
  const [service = "", ...id] = (imported ?? "").split(":");
  return Object.hasOwn(importServiceNames, service)
    ? { service: service as ImportService, id: id.join(":") }
    : undefined;
}

/** Whether the account has an exported chat, as its own or as an imported one. */
export async function hasChat(db: Queryable, userId: string, source: ChatSource): Promise<boolean> {
  const row = await db
    .selectFrom("chats")
    .select("id")
    .where("user_id", "=", userId)
    .where("deleted_at", "is", null)
    .where((eb) => eb.or([eb("id", "=", source.id), eb("imported_from", "=", importedFrom(source))]))
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the id of the account's chat that was imported from a source; undefined if there is none. */
export async function findImported(db: Queryable, userId: string, source: ChatSource): Promise<string | undefined> {
  const row = await db
    .selectFrom("chats")
    .select("id")
    .where("user_id", "=", userId)
    .where("deleted_at", "is", null)
    .where("imported_from", "=", importedFrom(source))
    .executeTakeFirst();
  return row?.id;
}

/** Whether the account has imported a chat of another service once. @param digest of the chat's source */
export async function wasImported(db: Queryable, userId: string, digest: string): Promise<boolean> {
  const row = await db
    .selectFrom("imported_origins")
    .select("digest")
    .where("user_id", "=", userId)
    .where("digest", "=", digest)
    .executeTakeFirst();
  return row !== undefined;
}

export async function noteImported(db: Queryable, userId: string, digest: string): Promise<void> {
  await db
    .insertInto("imported_origins")
    .values({ user_id: userId, digest })
    .onConflict((oc) => oc.doNothing())
    .execute();
}

/** Lists the file parts of a chat that was imported, or exists as itself, whose file no row of the message names. */
export async function listUnnamedFileParts(
  db: Queryable,
  userId: string,
  source: ChatSource,
): Promise<Pick<MessagePartRow, "message_id" | "seq" | "kind" | "body">[]> {
  return db
    .selectFrom("message_parts")
    .innerJoin("messages", "messages.id", "message_parts.message_id")
    .innerJoin("chats", "chats.id", "messages.chat_id")
    .select(["message_parts.message_id", "message_parts.seq", "message_parts.kind", "message_parts.body"])
    .where("chats.user_id", "=", userId)
    .where("chats.deleted_at", "is", null)
    .where((eb) => eb.or([eb("chats.id", "=", source.id), eb("chats.imported_from", "=", importedFrom(source))]))
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
