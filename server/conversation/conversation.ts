import type { Message } from "#contract/conversation/conversation.ts";
import type { AppendRequest, SendRequest } from "#contract/conversation/conversation-calls.ts";
import { nativeKindsOf } from "#contract/files/file-readers.ts";
import { wellFormed } from "#contract/text/well-formed.ts";
import { topics } from "../bus/bus.ts";
import { once, type SendKey } from "../chats/idempotency.ts";
import { insertSend } from "../chats/send-store.ts";
import type { Queryable } from "../database/schema.ts";
import { Failure } from "../failure.ts";
import { findReady } from "../files/imported-file-store.ts";
import { readModelAccess } from "../groups/read-model-access.ts";
import type { Model } from "../models/model.ts";
import { windowBytes } from "../models/prompt-window.ts";
import { type FileTokens, type TextTokens, tokenise, tokeniseFiles } from "../search/search-index-store.ts";
import type { Asker } from "./admission/asker.ts";
import { candidatesOf } from "./admission/candidates.ts";
import { refuseTooManyReplies } from "./admission/concurrent-limit.ts";
import { countAgainstLimit } from "./admission/daily-limit.ts";
import { withFiles } from "./attachments.ts";
import { listBranch } from "./branch-store.ts";
import type { ConversationDeps } from "./conversation-deps.ts";
import {
  beginReply,
  endOfBranch,
  type HeldChat,
  holdForChange,
  newMessage,
  newReplyRow,
  parentInTree,
  requireChat,
} from "./message-rows.ts";
import { findMessage, toMessage } from "./message-store.ts";
import { findOlder } from "./older-messages-store.ts";
import { earlierReplies } from "./parts/earlier-replies.ts";
import { isFilePart } from "./parts/message-part.ts";
import { readParts } from "./parts/part-store.ts";
import { validParts } from "./parts/valid-parts.ts";
import { prepareReply } from "./prepare-reply.ts";
import { endWaiting } from "./reply/steps/waiting-replies.ts";
import { storeMessage, takeMessage } from "./store-message.ts";

/** A stored question, and its reply, which may still be running. */
export type Sent = { question: Message; replyId: string };

/** `candidates`: the models to ask, in order. `tokens`: tokens of the question; `fileTokens`: of its files. */
type SendDetails = {
  candidates: readonly Model[];
  sendKey: SendKey | undefined;
  tokens: TextTokens;
  fileTokens: FileTokens;
};

/** Adds messages to a chat, without a reply or with one. */
export class Conversation {
  readonly #deps: ConversationDeps;

  constructor(deps: ConversationDeps) {
    this.#deps = deps;
  }

  /**
   * Adds a message of either role with its files and parts, without a reply. Invalid parts are dropped.
   * @throws Failure `not-found`, `reply-running`, `message-too-long`, `quota-reached`, `file-gone`, `too-many-files`
   */
  async append(
    userId: string,
    chatId: string,
    { role, content, model, parts: given, files }: AppendRequest,
  ): Promise<Message> {
    this.#checkLength(content);
    const { database, bus, clock, settings } = this.#deps;
    const text = wellFormed(content);
    const further = validParts(given, text).filter((part) => !isFilePart(part));
    const tokens = await tokenise([text]);
    const fileTokens = await tokeniseFiles(database, userId, files?.slice(0, settings.maxFilesPerMessage) ?? []);
    const stored = await database.transaction().execute(async (db) => {
      const held = await holdForChange(db, userId, chatId);
      const now = clock.now();
      const taken = await takeMessage(db, held, { role, content: text, files, parts: further }, settings);
      const { id, rev } = taken;
      const parent = await endOfBranch(db, held);
      const writer = role === "assistant" ? (model ?? null) : null;
      const message = newMessage(held.chat, now, { id, role, content: text, model: writer, parent, rev });
      await storeMessage(db, held, { taken, message, tokens, fileTokens }, settings);
      await endWaiting(db, held.chat, { now });
      return { message, parts: taken.parts };
    });
    bus.publish(topics.account(userId));
    return toMessage(stored.message, { text, parts: stored.parts, rev: stored.message.rev });
  }

  /**
   * Stores a question and its empty reply, and starts the reply; once for each key. They extend the chosen branch, or
   * start a new branch after any message of the chat.
   * @throws Failure of the chat, the model, the limits, or `conversation-moved`, `reply-running`, `quota-reached`,
   * `budget-reached`, `idempotency-mismatch`
   */
  async send(asker: Asker, chatId: string, request: SendRequest, key: string | undefined): Promise<Sent> {
    const { database } = this.#deps;
    const { userId } = asker;
    await requireChat(database, userId, chatId);
    this.#checkLength(request.message);
    const { message, model, parent, branch, files = [] } = request;
    // Only if given, so that the keys of earlier versions stay valid.
    const added = [...(branch ? [{ branch: parent }] : []), ...(files.length > 0 ? [{ files }] : [])];
    const wish = [chatId, message, model ?? null, ...added];
    const intent = { userId, key, request: wish };
    const outcome = await once(database, intent, (sendKey) => this.#send(asker, chatId, request, sendKey));
    if ("done" in outcome) return outcome.done;
    const { question_id: questionId, reply_id: replyId } = outcome.repeated;
    const question = questionId && (await findMessage(database, userId, questionId));
    if (!question || !replyId) throw new Failure("idempotency-mismatch");
    const parts = await readParts(database, question);
    return { question: toMessage(question, { text: question.content, parts, rev: question.rev }), replyId };
  }

  async #send(asker: Asker, chatId: string, request: SendRequest, sendKey: SendKey | undefined): Promise<Sent> {
    const { userId } = asker;
    const { database, bus, models, replies, settings, titles } = this.#deps;
    const access = await readModelAccess(database, asker);
    const choice = await models.choose(request.model, access);
    const tokens = await tokenise([wellFormed(request.message)]);
    // More files are refused in the transaction.
    const files = request.files?.slice(0, settings.maxFilesPerMessage) ?? [];
    const attaching = await findReady(database, userId, files);
    const chosen = candidatesOf(choice, { kinds: nativeKindsOf([...attaching.values()]) });
    const fileTokens = await tokeniseFiles(database, userId, files);
    const { candidates } = chosen;
    const { question, reply, taken, isFirst, ...order } = await beginReply(database, (db) =>
      this.#storeSend(db, asker, chatId, request, { candidates, sendKey, tokens, fileTokens }),
    );
    const live = replies.start({ id: reply.id, chatId, userId, run: reply.run, ...order, ...chosen });
    const { words, parts, rev } = taken;
    if (isFirst) titles.giveAfter(live, { question: words, spending: order.spending.ofTitle(), ...chosen });
    bus.publish(topics.account(userId));
    return { question: toMessage(question, { text: question.content, parts, rev }), replyId: reply.id };
  }

  async #storeSend(
    db: Queryable,
    { userId, timeZone }: Asker,
    chatId: string,
    request: SendRequest,
    { candidates, sendKey, tokens, fileTokens }: SendDetails,
  ) {
    const { clock, database, files, installation, ownership, replies, settings, temporaryReplies } = this.#deps;
    const held = await holdForChange(db, userId, chatId);
    const { chat } = held;
    const now = clock.now();
    const { message, files: ids } = request;
    const taken = await takeMessage(db, held, { role: "user", content: wellFormed(message), files: ids }, settings);
    if (replies.isDraining) throw new Failure("draining");
    const parent = await this.#parentFor(db, held, request);
    await countAgainstLimit(db, userId, now, installation.current.dailyReplies);
    const branch = await listBranch(db, userId, parent, windowBytes(candidates));
    const { id, content, rev } = taken;
    const question = newMessage(chat, now, { id, role: "user", content, parent, rev });
    const reply = newReplyRow(chat, now, {
      parent: question.id,
      model: candidates[0]?.value ?? null,
      requested_model: request.model ?? null,
      owner: ownership.processId,
      timeZone,
    });
    const send = { user_id: userId, chat_id: chatId, question_id: question.id, reply_id: reply.id, created_at: now };
    if (sendKey) await insertSend(db, { ...send, ...sendKey });
    await storeMessage(db, held, { taken, message: question, reply, tokens, fileTokens }, settings);
    await refuseTooManyReplies(db, userId, temporaryReplies.countOf(userId));
    const { prompt, spending, tools } = await prepareReply(db, this.#deps, {
      guided: chat,
      chatId: chat.id,
      messages: await withFiles(db, files, [...branch, { ...question, files: taken.files.length }]),
      model: candidates[0],
      purpose: { purpose: "reply", userId, messageId: reply.id },
      timeZone,
    });
    await endWaiting(db, chat, { now });
    const isNamed = chat.title_origin === "model" || chat.title_origin === "person";
    const isFirst = !isNamed && !branch.some(({ role }) => role === "assistant");
    const lookups = {
      findOlder: findOlder(database, userId, branch),
      earlier: earlierReplies(database, branch),
    };
    return { question, reply, taken, timeZone, prompt, spending, tools, ...lookups, isFirst };
  }

  /** Returns the parent of a question. */
  async #parentFor(db: Queryable, held: HeldChat, { branch, parent }: SendRequest): Promise<string | null> {
    if (branch && parent !== undefined) return parentInTree(db, held.chat, parent);
    if (parent !== undefined && parent !== held.chat.leaf) throw new Failure("conversation-moved");
    return endOfBranch(db, held);
  }

  #checkLength(text: string): void {
    if (text.length > this.#deps.settings.maxMessageChars) throw new Failure("message-too-long");
  }
}
