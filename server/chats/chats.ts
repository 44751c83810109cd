import type { ChatBatch, ChatChange, NewChat } from "#contract/conversation/chat-calls.ts";
import { type ChatListItem, NEW_CHAT_TITLE } from "#contract/conversation/chats.ts";
import { CHATS_LISTED_MAX } from "#contract/limits.ts";
import { type Bus, topics } from "../bus/bus.ts";
import type { Clock } from "../concurrency/clock.ts";
import type { HeavyRead } from "../concurrency/heavy-reads.ts";
import { inRuns, ROWS_AT_ONCE } from "../database/in-runs.ts";
import { newId } from "../database/new-id.ts";
import type { ChatRow, Database, Queryable } from "../database/schema.ts";
import { Failure } from "../failure.ts";
import { holdChats, updateChats } from "./batch-store.ts";
import { markChanged } from "./change-store.ts";
import { differs, settingsOf } from "./changed-settings.ts";
import {
  type ChatPage,
  type ChatSettings,
  findChat,
  holdChat,
  insertChat,
  listChatIds,
  listChats,
  readListed,
  updateChat,
} from "./chat-store.ts";
import { isRestorable, markDeleted } from "./delete-chats.ts";
import { forgetDeletions } from "./deleted-chat-store.ts";
import { once, type SendKey } from "./idempotency.ts";
import { insertSend } from "./send-store.ts";
import { toListItem } from "./to-list-item.ts";

type Deps = { database: Database; clock: Clock; bus: Bus };

/** The list of an account's chats. */
export class Chats {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #bus: Bus;
  readonly #deletionListeners: ((chatId: string) => void)[] = [];

  constructor({ database, clock, bus }: Deps) {
    this.#database = database;
    this.#clock = clock;
    this.#bus = bus;
  }

  /**
   * Lists the history by last activity, newest first. A list that may be long is returned as pieces of JSON, so that it
   * holds the event loop for a moment only.
   */
  async list(userId: string, page: ChatPage, read: HeavyRead): Promise<ChatListItem[] | AsyncGenerator<string>> {
    if ((page.limit ?? CHATS_LISTED_MAX) <= ROWS_AT_ONCE) {
      return (await listChats(this.#database, userId, page)).map(toListItem);
    }
    const ids = await read.page(() => listChatIds(this.#database, userId, page));
    return ids.length <= ROWS_AT_ONCE ? this.#itemsOf(userId, ids, read) : this.#piecesOf(userId, ids, read);
  }

  async #itemsOf(userId: string, ids: string[], read: HeavyRead): Promise<ChatListItem[]> {
    const rows = await read.page(() => readListed(this.#database, userId, ids));
    const byId = new Map(rows.map((row) => [row.id, row]));
    // A chat that was deleted since then is left out.
    return ids.flatMap((id) => byId.get(id) ?? []).map(toListItem);
  }

  async *#piecesOf(userId: string, ids: string[], read: HeavyRead): AsyncGenerator<string> {
    let before = "[";
    for (const run of inRuns(ids, () => 1)) {
      const items = await this.#itemsOf(userId, run, read);
      for (const item of items) {
        yield before + JSON.stringify(item);
        before = ",";
      }
      await read.step();
    }
    yield before === "[" ? "[]" : "]";
  }

  /** Creates an empty chat; returns the same one for the same key. @throws Failure `folder-gone`, `preset-gone` */
  async create(userId: string, born: NewChat, key: string | undefined): Promise<ChatRow> {
    const { presetId = null, instructions = "", folderId = null, effort = null, tools = null } = born;
    // Requests without an effort and tools keep the fingerprint that earlier versions stored.
    const added = [...(effort === null ? [] : [effort]), ...(tools === null ? [] : [{ tools }])];
    const request = ["new chat", presetId, instructions, folderId, ...added];
    const outcome = await once(this.#database, { userId, key, request }, (sendKey) =>
      this.#database.transaction().execute((transaction) => this.#insert(transaction, userId, born, sendKey)),
    );
    if ("done" in outcome) {
      this.#bus.publish(topics.account(userId));
      return outcome.done;
    }
    const chat = await findChat(this.#database, userId, outcome.repeated.chat_id);
    if (!chat) throw new Failure("not-found");
    return chat;
  }

  async #insert(db: Queryable, userId: string, born: NewChat, sendKey: SendKey | undefined): Promise<ChatRow> {
    const now = this.#clock.now();
    const chat: ChatRow = {
      id: newId(),
      user_id: userId,
      title: NEW_CHAT_TITLE,
      title_origin: "default",
      leaf: null,
      created_at: now,
      updated_at: now,
      changed_seq: 0,
      unread: 0,
      pinned: 0,
      archived: 0,
      folder_id: null,
      deleted_at: null,
      instructions: "",
      preset_id: null,
      effort: null,
      tools: null,
      imported_from: null,
      stored_bytes: 0,
      ...(await settingsOf(db, userId, born)),
    };
    await insertChat(db, chat);
    const send = { user_id: userId, chat_id: chat.id, question_id: null, reply_id: null, created_at: now };
    if (sendKey) await insertSend(db, { ...send, ...sendKey });
    await markChanged(db, userId, chat.id);
    return chat;
  }

  /** Deletes a chat; {@link changeMany} can undo that for an hour. @throws Failure `not-found` */
  async delete(userId: string, chatId: string): Promise<void> {
    const stopped = await this.#database.transaction().execute(async (db) => {
      if (!(await holdChat(db, userId, chatId))) throw new Failure("not-found");
      return markDeleted(db, userId, [chatId], { now: this.#clock.now() });
    });
    this.#bus.publish(topics.account(userId));
    this.#notifyDeleted(chatId, stopped.get(chatId));
  }

  /** Applies a change of a chat's settings. @throws Failure `not-found`, `folder-gone`, `preset-gone` */
  async change(userId: string, chatId: string, change: ChatChange): Promise<void> {
    const isChanged = await this.#database.transaction().execute(async (db) => {
      const chat = await holdChat(db, userId, chatId);
      if (!chat) throw new Failure("not-found");
      const isBegun = change.isLatest === true && chat.leaf === null && chat.updated_at === chat.created_at;
      const settings = await settingsOf(db, userId, change);
      // Later than the creation also within its millisecond: the chat is used from now on.
      const updated_at = Math.max(this.#clock.now(), chat.created_at + 1);
      return changeHeld(db, chat, isBegun ? { ...settings, updated_at } : settings);
    });
    if (isChanged) this.#bus.publish(topics.account(userId));
  }

  /**
   * Applies a change to several chats in one transaction. Unknown chats are skipped.
   * @returns ids of the chats that the change has changed
   * @throws Failure `folder-gone`
   */
  async changeMany(userId: string, { ids, change }: ChatBatch): Promise<string[]> {
    const { changed, stopped } = await this.#database.transaction().execute(async (db) => {
      const settings = await settingsOf(db, userId, change);
      const held = await holdChats(db, userId, ids);
      const now = this.#clock.now();
      if (!change.isDeleted) return { changed: await changeAll(db, { userId, held, change, settings, now }) };
      const changed = held.filter((chat) => chat.deleted_at === null).map(({ id }) => id);
      return { changed, stopped: await markDeleted(db, userId, changed, { settings, now }) };
    });
    if (changed.length > 0) this.#bus.publish(topics.account(userId));
    if (stopped) for (const chatId of changed) this.#notifyDeleted(chatId, stopped.get(chatId));
    return changed;
  }

  #notifyDeleted(chatId: string, replyId: string | undefined): void {
    for (const listener of this.#deletionListeners) listener(chatId);
    // The reply may be running in another process.
    if (replyId !== undefined) this.#bus.publish(topics.stop(replyId));
  }

  /** Calls `listener` for each deleted chat, so that work on it can end. */
  onDeleted(listener: (chatId: string) => void): void {
    this.#deletionListeners.push(listener);
  }
}

type HeldBatch = {
  userId: string;
  held: readonly ChatRow[];
  change: ChatBatch["change"];
  settings: ChatSettings;
  now: number;
};

/** Changes locked chats, and restores deleted ones if requested. @returns ids of the changed chats */
async function changeAll(db: Queryable, { userId, held, change, settings, now }: HeldBatch): Promise<string[]> {
  const restored = change.isDeleted === false ? held.filter((chat) => isRestorable(chat, now)) : [];
  const changed = held.filter((chat) => (chat.deleted_at === null ? differs(chat, settings) : restored.includes(chat)));
  const idsOf = (chats: readonly ChatRow[]) => chats.map(({ id }) => id);
  await forgetDeletions(db, userId, idsOf(restored));
  await updateChats(db, userId, idsOf(changed), { ...settings, deleted_at: null });
  return idsOf(changed);
}

async function changeHeld(db: Queryable, chat: ChatRow, settings: ChatSettings): Promise<boolean> {
  if (!differs(chat, settings)) return false;
  await updateChat(db, chat.user_id, chat.id, settings);
  await markChanged(db, chat.user_id, chat.id);
  return true;
}
