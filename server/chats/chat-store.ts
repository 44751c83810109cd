import { sql } from "kysely";
import { RUNNING, WAITING } from "#contract/conversation/reply-state.ts";
import { CHATS_LISTED_MAX } from "#contract/limits.ts";
import { prepared } from "../database/prepared.ts";
import type { ChatRow, Queryable } from "../database/schema.ts";
import { ownOrGroupQuota } from "../limits/quota-store.ts";
import { indexTitle } from "../search/search-index-store.ts";

/** Page and filters of the history: pinned, archived, in a folder. */
export type ChatPage = { limit?: number; before?: string; isPinned?: boolean; isArchived?: boolean; folderId?: string };

/** A chat as lists show it. `reply_id`: its running reply; `waiting_id`: one that waits. `share_id`: a link to it. `folder_id`: of an existing folder. */
export type ListedChat = Pick<
  ChatRow,
  | "id"
  | "title"
  | "title_origin"
  | "updated_at"
  | "unread"
  | "leaf"
  | "changed_seq"
  | "pinned"
  | "archived"
  | "folder_id"
> & { reply_id: string | null; waiting_id: string | null; share_id: string | null };

/** Starts a query of the account's chats that are not deleted. */
export function selectListed(db: Queryable, userId: string) {
  return db
    .selectFrom("chats")
    .leftJoin("messages as reply", (join) =>
      // A literal, so that the planner uses the partial index `messages_writing`.
      join.onRef("reply.chat_id", "=", "chats.id").on("reply.state", "=", sql.lit(RUNNING)),
    )
    .leftJoin("folders as folder", (join) =>
      join.onRef("folder.id", "=", "chats.folder_id").on("folder.deleted_at", "is", null),
    )
    .select(["chats.id", "chats.title", "chats.updated_at", "chats.unread", "chats.leaf", "chats.changed_seq"])
    .select(["chats.title_origin", "chats.pinned", "chats.archived", "folder.id as folder_id", "reply.id as reply_id"])
    .select((eb) =>
      // A subquery, because a chat may have several. Its literal is for the partial index `messages_waiting`.
      eb
        .selectFrom("messages as waiting")
        .select("waiting.id")
        .whereRef("waiting.chat_id", "=", "chats.id")
        .where("waiting.state", "=", sql.lit(WAITING))
        .limit(1)
        .as("waiting_id"),
    )
    .select((eb) =>
      eb
        .selectFrom("shares")
        .select("shares.id")
        .whereRef("shares.chat_id", "=", "chats.id")
        .where("shares.published_at", "is not", null)
        .limit(1)
        .as("share_id"),
    )
    .where("chats.user_id", "=", userId)
    .where("chats.deleted_at", "is", null);
}

/** Lists the account's history by last activity, newest first. `before`: id of the last chat of the previous page. */
export async function listChats(db: Queryable, userId: string, page: ChatPage): Promise<ListedChat[]> {
  const end = await endOfPrevious(db, userId, page);
  return end === "unknown" ? [] : pageAfter(end, db, userId, page).execute();
}

/** Lists the ids of the chats that {@link listChats} would list, at a small part of its cost. */
export async function listChatIds(db: Queryable, userId: string, page: ChatPage): Promise<string[]> {
  const end = await endOfPrevious(db, userId, page);
  if (end === "unknown") return [];
  const rows = await pageAfter(end, db, userId, page).clearSelect().select("chats.id").execute();
  return rows.map(({ id }) => id);
}

/** Reads chats for a list, in any order; deleted ones are left out. */
export async function readListed(db: Queryable, userId: string, ids: readonly string[]): Promise<ListedChat[]> {
  return ids.length === 0 ? [] : selectListed(db, userId).where("chats.id", "in", ids).execute();
}

type Position = Pick<ChatRow, "id" | "updated_at">;

async function endOfPrevious(
  db: Queryable,
  userId: string,
  { before }: ChatPage,
): Promise<Position | null | "unknown"> {
  return before === undefined ? null : ((await findPosition(db, userId, before)) ?? "unknown");
}

function pageAfter(end: Position | null, db: Queryable, userId: string, page: ChatPage) {
  const { limit = CHATS_LISTED_MAX, isPinned = false, isArchived = false, folderId } = page;
  // As an expression, so that SQLite reads the few pinned chats by their index and sorts them, instead of all chats.
  const time = isPinned ? sql`chats.updated_at + 0` : sql.ref("chats.updated_at");
  let query = selectListed(db, userId).orderBy(time, "desc").orderBy("chats.id", "desc");
  // Literals, so that the planner uses the partial indexes.
  query = query.where("chats.archived", "=", sql.lit(isArchived ? 1 : 0));
  if (isPinned) query = query.where("chats.pinned", "=", sql.lit(1));
  if (folderId !== undefined) {
    query = query.where("chats.folder_id", "=", folderId).where("folder.id", "is not", null);
  }
  if (end) {
    // A row value: planners begin the range of the index there, but not for the same condition with `or`.
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple("chats.updated_at", "chats.id"), "<", tuple(end.updated_at, end.id)),
    );
  }
  return query.limit(limit);
}

/** Finds the position of a chat in the history, also of a deleted one. */
async function findPosition(db: Queryable, userId: string, chatId: string): Promise<Position | undefined> {
  return db
    .selectFrom("chats")
    .select(["id", "updated_at"])
    .where("id", "=", chatId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
}

type ChatOfUser = { userId: string; chatId: string };

const selectChat = prepared((db, { userId, chatId }: ChatOfUser) =>
  db
    .selectFrom("chats")
    .selectAll()
    .where("id", "=", chatId)
    .where("user_id", "=", userId)
    .where("deleted_at", "is", null),
);

/** Finds a chat that is not deleted. Its `folder_id` may be of a deleted folder. */
export async function findChat(db: Queryable, userId: string, chatId: string): Promise<ChatRow | undefined> {
  const [row] = await selectChat(db, { userId, chatId });
  return row;
}

/** Lists the empty chats of all accounts that were created before `before` and are not deleted. */
export async function listEmptyChats(db: Queryable, before: number): Promise<ChatRow[]> {
  return db
    .selectFrom("chats")
    .selectAll()
    .where("leaf", "is", null)
    .where("deleted_at", "is", null)
    .where("created_at", "<=", before)
    .execute();
}

export async function insertChat(db: Queryable, chat: ChatRow): Promise<void> {
  await db.insertInto("chats").values(chat).execute();
}

/** Locks a chat until the end of the transaction, without marking activity. */
export async function holdChat(db: Queryable, userId: string, chatId: string): Promise<ChatRow | undefined> {
  const chat = await holdChatOrDeleted(db, userId, chatId);
  return chat?.deleted_at === null ? chat : undefined;
}

const hold = prepared((db, { userId, chatId }: ChatOfUser) =>
  db
    .updateTable("chats")
    .set((eb) => ({ leaf: eb.ref("leaf") }))
    .where("id", "=", chatId)
    .where("user_id", "=", userId)
    .returningAll(),
);

/** {@link holdChat} also for a deleted chat, so that writes are complete if the deletion is undone. */
export async function holdChatOrDeleted(db: Queryable, userId: string, chatId: string): Promise<ChatRow | undefined> {
  const [row] = await hold(db, { userId, chatId });
  return row;
}

/** Columns of a chat that its owner can change. */
export type ChatSettings = Partial<
  Pick<
    ChatRow,
    | "title"
    | "title_origin"
    | "updated_at"
    | "unread"
    | "pinned"
    | "archived"
    | "effort"
    | "tools"
    | "folder_id"
    | "preset_id"
    | "instructions"
    | "deleted_at"
  >
>;

/** Changes a locked chat, and its search entry if the title changes. */
export async function updateChat(db: Queryable, userId: string, chatId: string, settings: ChatSettings): Promise<void> {
  const changed = await db
    .updateTable("chats")
    .set(settings)
    .where("id", "=", chatId)
    .where("user_id", "=", userId)
    .returningAll()
    .executeTakeFirst();
  if (changed && settings.title !== undefined) await indexTitle(db, changed);
}

const updateLeaf = prepared((db, { userId, chatId, leaf }: ChatOfUser & { leaf: string | null }) =>
  db.updateTable("chats").set({ leaf }).where("id", "=", chatId).where("user_id", "=", userId),
);

/** Sets the leaf of the shown branch. */
export async function setLeaf(db: Queryable, userId: string, chatId: string, leaf: string | null): Promise<void> {
  await updateLeaf(db, { userId, chatId, leaf });
}

/**
 * Sets a title unless the present one has a higher origin: user over model over question. Also for a deleted chat, in
 * case the deletion is undone.
 * @returns whether it was set
 */
export async function setTitle(
  db: Queryable,
  userId: string,
  chatId: string,
  title: string,
  origin: "question" | "model",
): Promise<boolean> {
  const named = await db
    .updateTable("chats")
    .set({ title, title_origin: origin })
    .where("id", "=", chatId)
    .where("user_id", "=", userId)
    .where("title_origin", "in", origin === "model" ? ["default", "question"] : ["default"])
    .returningAll()
    .executeTakeFirst();
  if (named) await indexTitle(db, named);
  return named !== undefined;
}

/** Returns an account's stored bytes, and its own quota or its group's; undefined if the account was deleted. */
export async function findStorage(db: Queryable, userId: string) {
  return db.selectFrom("users").select(["stored_bytes", ownOrGroupQuota]).where("id", "=", userId).executeTakeFirst();
}

/** Lists the account's largest chats, largest first, without deleted and empty ones. */
export async function listLargestChats(db: Queryable, userId: string, limit: number) {
  return db
    .selectFrom("chats")
    .select(["id", "title", "stored_bytes"])
    .where("user_id", "=", userId)
    .where("deleted_at", "is", null)
    .where("stored_bytes", ">", 0)
    .orderBy("stored_bytes", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}
