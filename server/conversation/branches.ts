import { setImmediate } from "node:timers/promises";
import type { Chat, Message } from "#contract/conversation/conversation.ts";
import type { ChatTree } from "#contract/conversation/conversation-calls.ts";
import { topics } from "../bus/bus.ts";
import { markChanged } from "../chats/change-store.ts";
import { setLeaf } from "../chats/chat-store.ts";
import { findFolder } from "../chats/folders/folder-store.ts";
import { toGuidance, toLocation, toUntitled } from "../chats/to-list-item.ts";
import type { HeavyRead } from "../concurrency/heavy-reads.ts";
import type { MessageRow } from "../database/schema.ts";
import { Failure } from "../failure.ts";
import type { ConversationDeps } from "./conversation-deps.ts";
import { contentOf } from "./message-content.ts";
import { holdForChange, requireChat } from "./message-rows.ts";
import { toMessage } from "./message-store.ts";
import { jsonWithParts } from "./parts/json-with-parts.ts";
import { type PageContent, readTree, readWithAlternatives } from "./read-pages.ts";
import type { ReplyRequests } from "./reply-requests.ts";
import { findEndBelow, type PackedIds } from "./tree-store.ts";

/** Larger chats are sent in pieces: the schema of a response serialises all of it in one go. */
const SHORT_BYTES = 100_000;

/** Reads a chat's tree of messages and chooses the branch that is shown. */
export class Branches {
  readonly #deps: ConversationDeps;
  readonly #replyRequests: ReplyRequests;

  constructor(deps: ConversationDeps, replyRequests: ReplyRequests) {
    this.#deps = deps;
    this.#replyRequests = replyRequests;
  }

  /**
   * Reads a chat with its chosen branch; a running reply has its text so far. All but short chats are returned as pieces
   * of JSON, so that a read takes little memory and holds the event loop for a moment only.
   * @throws Failure `not-found`
   */
  async open(userId: string, chatId: string, read: HeavyRead): Promise<Chat | AsyncGenerator<string>> {
    const { database } = this.#deps;
    const chat = await requireChat(database, userId, chatId);
    const folder = chat.folder_id === null ? undefined : await findFolder(database, userId, chat.folder_id);
    const location = toLocation({ ...chat, folder_id: folder?.id ?? null });
    const named = { id: chat.id, title: chat.title, ...toUntitled(chat), updatedAt: chat.updated_at };
    const head = { ...named, ...location, ...toGuidance(chat) };
    const reader = { database, userId, read };
    const { pages, alternatives } = await readWithAlternatives(reader, chat);
    const toShown = async (row: MessageRow, stored: Stored) => {
      const content = await contentOf(this.#deps, row, stored.get(row.id));
      const resumes = row.id === chat.leaf && this.#replyRequests.resumes(row, content.parts);
      return {
        message: { ...toMessage(row, content), ...(resumes && { resumes }) },
        alternatives: alternatives.take(row),
      };
    };
    if (chat.stored_bytes > SHORT_BYTES) return piecesOf(head, pages, toShown, read.step);
    const messages: Message[] = [];
    for await (const { rows, stored } of pages) {
      messages.push(...(await Promise.all(rows.map(async (row) => whole(await toShown(row, stored))))));
    }
    return { ...head, messages };
  }

  /** Reads all messages of a chat, on all branches, as pieces of JSON. @throws Failure `not-found` */
  async tree(userId: string, chatId: string, read: HeavyRead): Promise<AsyncGenerator<string>> {
    const { database } = this.#deps;
    const { id, title, updated_at: updatedAt, leaf } = await requireChat(database, userId, chatId);
    const head = { id, title, updatedAt, leaf } satisfies Omit<ChatTree, "messages">;
    const toShown = async (row: MessageRow, stored: Stored) => ({
      message: toMessage(row, await contentOf(this.#deps, row, stored.get(row.id))),
    });
    return piecesOf(head, readTree({ database, userId, read }, chatId), toShown, read.step);
  }

  /**
   * Chooses the branch through a message, down to the newest message at each level. Does not count as activity.
   * @throws Failure `not-found`, `reply-running`
   */
  async choose(
    userId: string,
    chatId: string,
    messageId: string,
    read: HeavyRead,
  ): Promise<Chat | AsyncGenerator<string>> {
    const { database, bus } = this.#deps;
    const isChanged = await database.transaction().execute(async (db) => {
      const { chat } = await holdForChange(db, userId, chatId);
      const leaf = await findEndBelow(db, userId, chatId, messageId, setImmediate);
      if (leaf === undefined) throw new Failure("not-found");
      if (leaf === chat.leaf) return false;
      await setLeaf(db, userId, chatId, leaf);
      await markChanged(db, userId, chatId);
      return true;
    });
    if (isChanged) bus.publish(topics.account(userId));
    return this.open(userId, chatId, read);
  }
}

/** Stored parts by the message's id. */
type Stored = PageContent["stored"];

/** A message whose alternatives may be thousands. */
type Shown = { message: Message; alternatives?: PackedIds | undefined };

function whole({ message, alternatives }: Shown): Message {
  return alternatives ? { ...message, alternatives: [...alternatives.runs()].flat() } : message;
}

/** Yields a chat as pieces of JSON. */
async function* piecesOf(
  head: Omit<Chat, "messages"> | Omit<ChatTree, "messages">,
  pages: AsyncIterable<PageContent>,
  toShown: (row: MessageRow, stored: Stored) => Promise<Shown>,
  step: () => Promise<void>,
): AsyncGenerator<string> {
  let before = `${JSON.stringify(head).slice(0, -1)},"messages":[`;
  for await (const { rows, stored } of pages) {
    for (const row of rows) {
      yield before;
      yield* jsonOf(await toShown(row, stored), step);
      before = ",";
      await step();
    }
  }
  yield before === "," ? "]}" : `${before}]}`;
}

/** Yields the JSON of a message in pieces, its alternatives first. */
async function* jsonOf({ message, alternatives }: Shown, step: () => Promise<void>): AsyncGenerator<string> {
  if (!alternatives) return yield* jsonWithParts(message, step);
  let before = '{"alternatives":[';
  for (const ids of alternatives.runs()) {
    yield before + JSON.stringify(ids).slice(1, -1);
    before = ",";
    await step();
  }
  yield "],";
  let isFirst = true;
  for await (const piece of jsonWithParts(message, step)) {
    // Without its opening brace.
    yield isFirst ? piece.slice(1) : piece;
    isFirst = false;
  }
}
