import type { SendRequest } from "#contract/calls/conversation-calls.ts";
import type { Message } from "#contract/conversation.ts";
import { wellFormed } from "#contract/text/well-formed.ts";
import { topics } from "../bus/bus.ts";
import { markGrown } from "../chats/change-store.ts";
import { setTitle } from "../chats/chat-store.ts";
import { once, type SendKey } from "../chats/idempotency.ts";
import { refuseOverQuota } from "../chats/quota.ts";
import { insertSend } from "../chats/send-store.ts";
import { newId } from "../database/new-id.ts";
import type { MessageRow, Queryable } from "../database/schema.ts";
import { Failure } from "../failure.ts";
import { windowBytes } from "../models/prompt-window.ts";
import { cutTitle } from "../models/title-prompt.ts";
import { type TextTokens, tokenise } from "../search/search-index-store.ts";
import { storedBytes } from "../text/stored-bytes.ts";
import { candidatesOf } from "./candidates.ts";
import { refuseTooManyReplies } from "./concurrent-limit.ts";
import type { ConversationDeps } from "./conversation-deps.ts";
import { countAgainstLimit } from "./daily-limit.ts";
import {
  activityOf,
  beginReply,
  chooseEffort,
  endOfBranch,
  type HeldChat,
  holdForChange,
  newMessage,
  newReplyRow,
  parentInTree,
  requireChat,
} from "./message-rows.ts";
import { countOlder, findMessage, insertMessages, listBranch, toMessage } from "./message-store.ts";
import { framePrompt, toPrompt } from "./system-prompt.ts";

const withoutParts = ({ content }: MessageRow) => ({ text: content, parts: [], rev: 0 });

/** A stored question, and its reply, which may still be running. */
export type Sent = { question: Message; replyId: string };

/** `maxBytes`: limit of the prompt's text. `tokens`: tokens of the question. */
type SendDetails = { model: string | null; maxBytes: number; sendKey: SendKey | undefined; tokens: TextTokens };

/** Adds messages to a chat, without a reply or with one. */
export class Conversation {
  readonly #deps: ConversationDeps;

  constructor(deps: ConversationDeps) {
    this.#deps = deps;
  }

  /**
   * Adds a message of either role, without a reply.
   * @throws Failure `not-found`, `reply-running`, `message-too-long`, `quota-reached`
   */
  async append(userId: string, chatId: string, role: Message["role"], content: string): Promise<Message> {
    this.#checkLength(content);
    const { database, bus, clock, settings: quota } = this.#deps;
    const text = wellFormed(content);
    const tokens = await tokenise([text]);
    const row = await database.transaction().execute(async (db) => {
      const held = await holdForChange(db, userId, chatId);
      const now = clock.now();
      const parent = endOfBranch(held);
      const message = newMessage(held.chat, now, { id: newId(), role, content: text, parent });
      const bytes = storedBytes({ role, content: text, seams: [], parts: [] });
      refuseOverQuota(held.chat.stored_bytes, bytes, quota.maxChatBytes);
      await insertMessages(db, [message], tokens);
      if (role === "user") await setTitle(db, userId, chatId, cutTitle(text), "question");
      await markGrown(db, userId, chatId, { bytes, quota, activity: activityOf(held, message) });
      return message;
    });
    bus.publish(topics.account(userId));
    return toMessage(row, withoutParts(row));
  }

  /**
   * Stores a question and its empty reply, and starts the reply; once for each key. They extend the chosen branch, or
   * start a new branch after any message of the chat.
   * @throws Failure of the chat, the model, the limits, or `conversation-moved`, `reply-running`, `quota-reached`,
   * `idempotency-mismatch`
   */
  async send(userId: string, chatId: string, request: SendRequest, key: string | undefined): Promise<Sent> {
    const { database } = this.#deps;
    await requireChat(database, userId, chatId);
    this.#checkLength(request.message);
    const { message, model, effort, parent, branch } = request;
    const position = branch ? [{ branch: parent }] : [];
    // Only if given, so that the keys of earlier versions stay valid.
    const wish = [chatId, message, model ?? null, ...position, ...(effort ? [{ effort }] : [])];
    const intent = { userId, key, request: wish };
    const outcome = await once(database, intent, (sendKey) => this.#send(userId, chatId, request, sendKey));
    if ("done" in outcome) return outcome.done;
    const { question_id: questionId, reply_id: replyId } = outcome.repeated;
    const question = questionId && (await findMessage(database, userId, questionId));
    if (!question || !replyId) throw new Failure("idempotency-mismatch");
    return { question: toMessage(question, withoutParts(question)), replyId };
  }

  async #send(userId: string, chatId: string, request: SendRequest, sendKey: SendKey | undefined): Promise<Sent> {
    const { database, bus, models, replies, titles } = this.#deps;
    const chosen = candidatesOf(await models.choose(request.model));
    const model = chosen.candidates[0]?.value ?? null;
    const tokens = await tokenise([wellFormed(request.message)]);
    const maxBytes = windowBytes(chosen.candidates);
    const { question, reply, isFirst, ...order } = await beginReply(database, (db) =>
      this.#storeSend(db, userId, chatId, request, { model, maxBytes, sendKey, tokens }),
    );
    const live = replies.start({ id: reply.id, chatId, userId, run: reply.run, ...order, ...chosen });
    if (isFirst) titles.giveAfter(live, question.content, chosen.candidates);
    bus.publish(topics.account(userId));
    return { question: toMessage(question, withoutParts(question)), replyId: reply.id };
  }

  async #storeSend(
    db: Queryable,
    userId: string,
    chatId: string,
    request: SendRequest,
    { model, maxBytes, sendKey, tokens }: SendDetails,
  ) {
    const { clock, database, ownership, replies, settings, temporaryReplies } = this.#deps;
    const held = await holdForChange(db, userId, chatId);
    const { chat } = held;
    const now = clock.now();
    const content = wellFormed(request.message);
    const bytes = storedBytes({ role: "user", content, seams: [], parts: [] });
    refuseOverQuota(chat.stored_bytes, bytes, settings.maxChatBytes);
    if (replies.isDraining) throw new Failure("draining");
    const parent = await this.#parentFor(db, held, request);
    await countAgainstLimit(db, userId, now, settings.dailyRepliesPerUser);
    const branch = await listBranch(db, userId, parent, maxBytes);
    const question = newMessage(chat, now, { id: newId(), role: "user", content, parent });
    const reply = newReplyRow(chat, now, {
      parent: question.id,
      model,
      requested_model: request.model ?? null,
      owner: ownership.processId,
    });
    await insertMessages(db, [question, reply], tokens);
    if (chat.title_origin === "default") await setTitle(db, userId, chatId, cutTitle(content), "question");
    const guided = await chooseEffort(db, chat, request.effort);
    const send = { user_id: userId, chat_id: chatId, question_id: question.id, reply_id: reply.id, created_at: now };
    if (sendKey) await insertSend(db, { ...send, ...sendKey });
    await markGrown(db, userId, chatId, { bytes, quota: settings, activity: activityOf(held, reply) });
    await refuseTooManyReplies(db, userId, temporaryReplies.countOf(userId));
    const prompt = toPrompt(await framePrompt(db, guided, settings, now), [...branch, question]);
    const isNamed = chat.title_origin === "model" || chat.title_origin === "person";
    const isFirst = !isNamed && !branch.some(({ role }) => role === "assistant");
    return { question, reply, prompt, countOlder: countOlder(database, userId, branch), isFirst };
  }

  /** Returns the parent of a question. */
  async #parentFor(db: Queryable, held: HeldChat, { branch, parent }: SendRequest): Promise<string | null> {
    if (branch && parent !== undefined) return parentInTree(db, held.chat, parent);
    if (parent !== undefined && parent !== held.chat.leaf) throw new Failure("conversation-moved");
    return endOfBranch(held);
  }

  #checkLength(text: string): void {
    if (text.length > this.#deps.settings.maxMessageChars) throw new Failure("message-too-long");
  }
}
