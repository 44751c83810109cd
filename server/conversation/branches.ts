import type { ChatTree } from "#contract/calls/conversation-calls.ts";
import type { Chat, Message } from "#contract/conversation.ts";
import { topics } from "../bus/bus.ts";
import { markChanged } from "../chats/change-store.ts";
import { setLeaf } from "../chats/chat-store.ts";
import { findFolder } from "../chats/folders/folder-store.ts";
import { toGuidance, toLocation, toUntitled } from "../chats/to-list-item.ts";
import type { MessageRow } from "../database/schema.ts";
import { Failure } from "../failure.ts";
import type { Answers } from "./answers.ts";
import type { ConversationDeps } from "./conversation-deps.ts";
import { contentOf } from "./message-content.ts";
import { holdForChange, requireChat } from "./message-rows.ts";
import { listBranch, listBranchSizes, type MessageSize, PAGE_BYTES, readMessages, toMessage } from "./message-store.ts";
import type { Part } from "./parts/message-part.ts";
import { listParts } from "./parts/part-store.ts";
import { findAlternatives, findEndBelow, listTreeSizes } from "./tree-store.ts";

/** Reads a chat's tree of messages and chooses the branch that is shown. */
export class Branches {
  readonly #deps: ConversationDeps;
  readonly #answers: Answers;

  constructor(deps: ConversationDeps, answers: Answers) {
    this.#deps = deps;
    this.#answers = answers;
  }

  /**
   * Reads a chat with its chosen branch; a running reply has its text so far. A long chat is returned as pieces of
   * JSON, so that a read takes little memory. @throws Failure `not-found`
   */
  async open(userId: string, chatId: string): Promise<Chat | AsyncGenerator<string>> {
    const { database } = this.#deps;
    const chat = await requireChat(database, userId, chatId);
    const all = await findAlternatives(database, userId, chatId);
    const folder = chat.folder_id === null ? undefined : await findFolder(database, userId, chat.folder_id);
    const location = toLocation({ ...chat, folder_id: folder?.id ?? null });
    const named = { id: chat.id, title: chat.title, ...toUntitled(chat), updatedAt: chat.updated_at };
    const head = { ...named, ...location, ...toGuidance(chat) };
    const toShown = async (row: MessageRow, stored: Stored) => {
      const alternatives = all.of(row);
      return {
        ...toMessage(row, await contentOf(this.#deps, row, stored.get(row.id))),
        ...(row.id === chat.leaf && this.#answers.resumes(row) && { resumes: true }),
        ...(alternatives && { alternatives }),
      };
    };
    if (chat.stored_bytes <= PAGE_BYTES) {
      const rows = await listBranch(database, userId, chat.leaf);
      const stored = await listParts(database, rows);
      return { ...head, messages: await Promise.all(rows.map((row) => toShown(row, stored))) };
    }
    const sizes = await listBranchSizes(database, userId, chat.leaf);
    return piecesOf(head, this.#pages(userId, sizes), toShown);
  }

  /** Reads all messages of a chat, on all branches, as pieces of JSON. @throws Failure `not-found` */
  async tree(userId: string, chatId: string): Promise<AsyncGenerator<string>> {
    const { database } = this.#deps;
    const { id, title, updated_at: updatedAt, leaf } = await requireChat(database, userId, chatId);
    const sizes = await listTreeSizes(database, userId, chatId);
    const head = { id, title, updatedAt, leaf } satisfies Omit<ChatTree, "messages">;
    const toShown = async (row: MessageRow, stored: Stored) =>
      toMessage(row, await contentOf(this.#deps, row, stored.get(row.id)));
    return piecesOf(head, this.#pages(userId, sizes), toShown);
  }

  /**
   * Chooses the branch through a message, down to the newest message at each level. Does not count as activity.
   * @throws Failure `not-found`, `reply-running`
   */
  async choose(userId: string, chatId: string, messageId: string): Promise<Chat | AsyncGenerator<string>> {
    const { database, bus } = this.#deps;
    const isChanged = await database.transaction().execute(async (db) => {
      const { chat } = await holdForChange(db, userId, chatId);
      const leaf = await findEndBelow(db, userId, chatId, messageId);
      if (leaf === undefined) throw new Failure("not-found");
      if (leaf === chat.leaf) return false;
      await setLeaf(db, userId, chatId, leaf);
      await markChanged(db, userId, chatId);
      return true;
    });
    if (isChanged) bus.publish(topics.account(userId));
    return this.open(userId, chatId);
  }

  async *#pages(userId: string, sizes: readonly MessageSize[]): AsyncGenerator<Page> {
    const { database } = this.#deps;
    for await (const rows of readMessages(database, userId, sizes)) {
      yield { rows, stored: await listParts(database, rows) };
    }
  }
}

/** Stored parts by the message's id. */
type Stored = ReadonlyMap<string, Part[]>;
type Page = { rows: MessageRow[]; stored: Stored };

/** Yields a chat as pieces of JSON, one for each message. */
async function* piecesOf(
  head: Omit<Chat, "messages"> | Omit<ChatTree, "messages">,
  pages: AsyncIterable<Page>,
  toShown: (row: MessageRow, stored: Stored) => Promise<Message>,
): AsyncGenerator<string> {
  let before = `${JSON.stringify(head).slice(0, -1)},"messages":[`;
  for await (const { rows, stored } of pages) {
    for (const row of rows) {
      yield before + JSON.stringify(await toShown(row, stored));
      before = ",";
    }
  }
  yield before === "," ? "]}" : `${before}]}`;
}
