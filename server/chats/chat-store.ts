import { sql } from "kysely";
import type { ChatRow, Queryable } from "../database/schema.ts";
import { indexTitle } from "../search/search-index-store.ts";

export type ChatPage = { limit?: number; before?: string };

/** A chat as lists show it; `reply_id` is the reply that is being written in it. */
export type ListedChat = Pick<ChatRow, "id" | "title" | "updated_at" | "unread" | "leaf" | "changed_seq"> & {
  reply_id: string | null;
};

/** The account's chats, for further conditions. */
export function selectListed(db: Queryable, userId: string) {
  return db
    .selectFrom("chats")
    .leftJoin("messages as reply", (join) =>
      // A literal, so that the partial index `messages_writing` fits.
      join.onRef("reply.chat_id", "=", "chats.id").on("reply.state", "=", sql.lit("writing")),
    )
    .select(["chats.id", "chats.title", "chats.updated_at", "chats.unread", "chats.leaf", "chats.changed_seq"])
    .select("reply.id as reply_id")
    .where("chats.user_id", "=", userId);
}

/** The account's history by last activity, newest first. `before` is the id of the last chat already seen. */
export async function listChats(db: Queryable, userId: string, { limit, before }: ChatPage): Promise<ListedChat[]> {
  let query = selectListed(db, userId).orderBy("chats.updated_at", "desc").orderBy("chats.id", "desc");
  if (limit !== undefined) query = query.limit(limit);
  if (before !== undefined) {
    const seen = await findChat(db, userId, before);
    if (!seen) return [];
    query = query.where(({ eb, or, and }) =>
      or([
        eb("chats.updated_at", "<", seen.updated_at),
        and([eb("chats.updated_at", "=", seen.updated_at), eb("chats.id", "<", seen.id)]),
      ]),
    );
  }
  return query.execute();
}

export async function findChat(db: Queryable, userId: string, chatId: string): Promise<ChatRow | undefined> {
  return db.selectFrom("chats").selectAll().where("id", "=", chatId).where("user_id", "=", userId).executeTakeFirst();
}

export async function insertChat(db: Queryable, chat: ChatRow): Promise<void> {
  await db.insertInto("chats").values(chat).execute();
}

/** Removes the chat with all it holds; `false` where the account has no such chat. */
export async function deleteChat(db: Queryable, userId: string, chatId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("chats")
    .where("id", "=", chatId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * Marks activity and, inside a transaction, holds the chat against others until its end.
 * @returns the chat as it is then; nothing where the account has no such chat
 */
export async function touchChat(
  db: Queryable,
  userId: string,
  chatId: string,
  now: number,
): Promise<ChatRow | undefined> {
  return db
    .updateTable("chats")
    .set({ updated_at: now })
    .where("id", "=", chatId)
    .where("user_id", "=", userId)
    .returningAll()
    .executeTakeFirst();
}

/** Holds the chat against others until the transaction's end, without marking activity. */
export async function holdChat(db: Queryable, userId: string, chatId: string): Promise<ChatRow | undefined> {
  return db
    .updateTable("chats")
    .set((eb) => ({ leaf: eb.ref("leaf") }))
    .where("id", "=", chatId)
    .where("user_id", "=", userId)
    .returningAll()
    .executeTakeFirst();
}

/** Sets the last message of the shown branch. */
export async function setLeaf(db: Queryable, userId: string, chatId: string, leaf: string | null): Promise<void> {
  await db.updateTable("chats").set({ leaf }).where("id", "=", chatId).where("user_id", "=", userId).execute();
}

/** Marks the newest reply as seen; `false` where it was already, or the account has no such chat. */
export async function clearUnread(db: Queryable, userId: string, chatId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("chats")
    .set({ unread: 0 })
    .where("id", "=", chatId)
    .where("user_id", "=", userId)
    .where("unread", "!=", 0)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Gives a title, but never over one of a better origin: a person's beats the model's beats the question's.
 * @returns whether it was given
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
