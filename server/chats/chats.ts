import { type ChatListItem, NEW_CHAT_TITLE } from "#contract/chats.ts";
import { type Bus, topics } from "../bus/bus.ts";
import { newId } from "../database/new-id.ts";
import type { ChatRow, Database, Queryable } from "../database/schema.ts";
import { Failure } from "../failure.ts";
import type { Clock } from "../ground.ts";
import { markChanged } from "./change-store.ts";
import { type ChatPage, clearUnread, deleteChat, findChat, insertChat, listChats } from "./chat-store.ts";
import { noteDeleted } from "./deleted-chat-store.ts";
import { once, type SendKey } from "./idempotency.ts";
import { insertSend } from "./send-store.ts";
import { toListItem } from "./to-list-item.ts";

type Ground = { database: Database; clock: Clock; bus: Bus };

/** The list of an account's chats. */
export class Chats {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #bus: Bus;
  readonly #deletionListeners: ((chatId: string) => void)[] = [];

  constructor({ database, clock, bus }: Ground) {
    this.#database = database;
    this.#clock = clock;
    this.#bus = bus;
  }

  async list(userId: string, page: ChatPage): Promise<ChatListItem[]> {
    return (await listChats(this.#database, userId, page)).map(toListItem);
  }

  /** A new, empty chat; the same one for the same key. */
  async create(userId: string, key: string | undefined): Promise<ChatRow> {
    const outcome = await once(this.#database, { userId, key, request: "new chat" }, (sendKey) =>
      this.#database.transaction().execute((transaction) => this.#insert(transaction, userId, sendKey)),
    );
    if ("done" in outcome) {
      this.#bus.publish(topics.account(userId));
      return outcome.done;
    }
    const chat = await findChat(this.#database, userId, outcome.repeated.chat_id);
    if (!chat) throw new Failure("not-found");
    return chat;
  }

  async #insert(db: Queryable, userId: string, sendKey: SendKey | undefined): Promise<ChatRow> {
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
      imported_from: null,
    };
    await insertChat(db, chat);
    const send = { user_id: userId, chat_id: chat.id, question_id: null, reply_id: null, created_at: now };
    if (sendKey) await insertSend(db, { ...send, ...sendKey });
    await markChanged(db, userId, chat.id);
    return chat;
  }

  /** @throws Failure `not-found` */
  async delete(userId: string, chatId: string): Promise<void> {
    await this.#database.transaction().execute(async (db) => {
      if (!(await deleteChat(db, userId, chatId))) throw new Failure("not-found");
      await noteDeleted(db, userId, chatId, this.#clock.now());
    });
    this.#bus.publish(topics.account(userId));
    for (const listener of this.#deletionListeners) listener(chatId);
  }

  /** Somebody has looked at the newest reply. @throws Failure `not-found` */
  async markRead(userId: string, chatId: string): Promise<void> {
    const wasUnread = await this.#database.transaction().execute(async (db) => {
      if (!(await clearUnread(db, userId, chatId))) return false;
      await markChanged(db, userId, chatId);
      return true;
    });
    if (wasUnread) this.#bus.publish(topics.account(userId));
    else if (!(await findChat(this.#database, userId, chatId))) throw new Failure("not-found");
  }

  /** Tells of chats that are gone, so that what still works on them can end. */
  onDeleted(listener: (chatId: string) => void): void {
    this.#deletionListeners.push(listener);
  }
}
