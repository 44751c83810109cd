import { blocksChat, isRunning, RUNNING } from "#contract/conversation/reply-state.ts";
import type { Activity } from "../chats/change-store.ts";
import { findChat, holdChat } from "../chats/chat-store.ts";
import { shortTransaction } from "../database/group-commit.ts";
import { newId } from "../database/new-id.ts";
import type { ChatRow, Database, MessageRow, Queryable } from "../database/schema.ts";
import { isUniqueViolation } from "../database/violations.ts";
import { Failure } from "../failure.ts";
import { findMessage } from "./message-store.ts";
import { isSubstantial } from "./parts/part-store.ts";
import { openCallOfRun } from "./reply/open-call.ts";

/** A chat that is locked for a change of its messages, and the leaf of its branch. */
export type HeldChat = { chat: ChatRow; last: MessageRow | undefined };

/**
 * Locks a chat until the end of the transaction.
 * @throws Failure `not-found`; `reply-running` during a running reply
 */
export async function holdForChange(db: Queryable, userId: string, chatId: string): Promise<HeldChat> {
  const chat = await holdChat(db, userId, chatId);
  if (!chat) throw new Failure("not-found");
  const last = chat.leaf === null ? undefined : await findMessage(db, userId, chat.leaf);
  if (blocksChat(last?.state)) throw new Failure("reply-running");
  return { chat, last };
}

/**
 * Runs a transaction that stores a reply in state `writing`.
 * @throws Failure `reply-running` if a concurrent one was faster: a unique index allows one running reply. The caller then
 * looks up whether it had the same key.
 */
export async function beginReply<T>(database: Database, store: (db: Queryable) => Promise<T>): Promise<T> {
  try {
    return await shortTransaction(database, store);
  } catch (error) {
    if (isUniqueViolation(error)) throw new Failure("reply-running", { cause: error });
    throw error;
  }
}

/** Returns the parent of a new message; null for the first one. */
export async function endOfBranch(db: Queryable, { last }: HeldChat): Promise<string | null> {
  return last ? parentAfter(db, last) : null;
}

/** Returns the changes of a chat's row by a new message, which also unarchives the chat. */
export function activityOf({ chat: { unread } }: HeldChat, { id, created_at }: MessageRow): Activity {
  return { leaf: id, updated_at: created_at, archived: 0, unread };
}

/** Returns the parent of a new branch after a message; null for the root. @throws Failure `not-found` */
export async function parentInTree(db: Queryable, chat: ChatRow, parent: string | null): Promise<string | null> {
  if (parent === null) return null;
  const message = await findMessage(db, chat.user_id, parent);
  if (message?.chat_id !== chat.id) throw new Failure("not-found");
  return parentAfter(db, message);
}

/** Skips an empty reply: its parent is the parent of the next message. */
async function parentAfter(db: Queryable, { id, role, content, parent }: MessageRow): Promise<string | null> {
  return role === "assistant" && content === "" && !(await isSubstantial(db, id)) ? parent : id;
}

type NewMessage = Pick<MessageRow, "id" | "role" | "content" | "parent"> & Partial<MessageRow>;

/** Creates the row of a new message, in state `complete` by default. */
export function newMessage(chat: ChatRow, now: number, message: NewMessage): MessageRow {
  const state = message.state ?? "complete";
  return {
    chat_id: chat.id,
    user_id: chat.user_id,
    state,
    model: null,
    error_code: null,
    input_tokens: null,
    output_tokens: null,
    created_at: now,
    ended_at: isRunning(state) ? null : now,
    owner: null,
    run: 0,
    requested_model: null,
    seams: null,
    truncated: 0,
    resumed: 0,
    stop_requested: 0,
    rev: 0,
    open_call: null,
    ...message,
  };
}

/**
 * Creates the row of an empty reply in state `writing`, in its first run.
 * @param reply `parent`: the question. `model`: the first candidate. `requested_model`: the chosen model, `null` for
 * automatic choice. `owner`: the process that writes it. `timeZone`: of the browser
 */
export function newReplyRow(
  chat: ChatRow,
  now: number,
  {
    timeZone,
    ...reply
  }: Pick<MessageRow, "parent" | "model" | "requested_model" | "owner"> & { timeZone: string | undefined },
): MessageRow {
  const open_call = timeZone === undefined ? null : openCallOfRun("", [], { model: reply.model, timeZone });
  const common = { id: newId(), role: "assistant", content: "", state: RUNNING, run: 1, open_call } as const;
  return newMessage(chat, now, { ...common, ...reply });
}

/** Reads an account's chat without its messages. @throws Failure `not-found` */
export async function requireChat(db: Queryable, userId: string, chatId: string): Promise<ChatRow> {
  const chat = await findChat(db, userId, chatId);
  if (!chat) throw new Failure("not-found");
  return chat;
}
