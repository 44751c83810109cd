import type { ReplyRequest } from "#contract/calls/conversation-calls.ts";
import { MINUTE } from "#contract/limits.ts";
import { topics } from "../bus/bus.ts";
import { markGrown } from "../chats/change-store.ts";
import { setLeaf } from "../chats/chat-store.ts";
import { once, type SendKey } from "../chats/idempotency.ts";
import { refuseOverQuota } from "../chats/quota.ts";
import { insertSend } from "../chats/send-store.ts";
import type { ChatRow, MessageRow, Queryable } from "../database/schema.ts";
import { Failure } from "../failure.ts";
import type { ModelChoice } from "../models/open-models.ts";
import { windowBytes } from "../models/prompt-window.ts";
import { parseSeams, storedSeams } from "../text/seams.ts";
import { candidatesOf } from "./candidates.ts";
import { refuseTooManyReplies } from "./concurrent-limit.ts";
import type { ConversationDeps } from "./conversation-deps.ts";
import { countAgainstLimit } from "./daily-limit.ts";
import { beginReply, type HeldChat, holdForChange, newReplyRow, requireChat } from "./message-rows.ts";
import { findMessage, insertMessages, listBranch } from "./message-store.ts";
import { MAX_REPLY_CHARS } from "./reply/produce-reply.ts";
import { beginRun } from "./reply/reply-store.ts";
import { framePrompt, toPrompt } from "./system-prompt.ts";

/** How long after our own restart a reply goes on by itself. */
const RESUME_LIFE_MS = 10 * MINUTE;

/** A reply that is about to be written: its row in state `writing`, the messages before it, and the model to ask first. */
type Begun = { row: MessageRow; branch: MessageRow[]; first?: string | null; isByItself?: boolean };

/** Replies to questions that are there already: another try, or the rest of one that ended too early. */
export class Answers {
  readonly #deps: ConversationDeps;

  constructor(deps: ConversationDeps) {
    this.#deps = deps;
  }

  /**
   * Has the last question, or the one of `of`, answered anew beside what is there, or the last reply continued; once for
   * the same key.
   * @returns the id of the reply that is being written
   * @throws Failure of the chat, the model, the limits, or `conversation-moved`, `reply-running`, `not-found` for `of`,
   * `nothing-to-answer`, `nothing-to-continue`, `quota-reached`, `idempotency-mismatch`
   */
  async answer(userId: string, chatId: string, request: ReplyRequest, key: string | undefined): Promise<string> {
    const { database } = this.#deps;
    await requireChat(database, userId, chatId);
    const { mode, parent, model, of } = request;
    const wish = [chatId, mode, parent ?? null, model ?? null, ...(of === undefined ? [] : [of])];
    const intent = { userId, key, request: wish };
    const outcome = await once(database, intent, (sendKey) => this.#answer(userId, chatId, request, sendKey));
    if ("done" in outcome) return outcome.done;
    if (!outcome.repeated.reply_id) throw new Failure("idempotency-mismatch");
    return outcome.repeated.reply_id;
  }

  async #answer(userId: string, chatId: string, request: ReplyRequest, sendKey: SendKey | undefined): Promise<string> {
    const isContinuation = request.mode === "continue";
    const model = request.model ?? (isContinuation ? await this.#modelOfLast(userId, chatId) : undefined);
    return this.#write(userId, chatId, model, async (db, held, choice) => {
      if (request.parent !== undefined && request.parent !== held.chat.leaf) throw new Failure("conversation-moved");
      const now = this.#deps.clock.now();
      await countAgainstLimit(db, userId, now, this.#deps.settings.dailyRepliesPerUser);
      const begun = await (isContinuation
        ? this.#goOn(db, held, choice, model)
        : this.#beginAnew(db, held, choice, request));
      const send = { user_id: userId, chat_id: chatId, question_id: null, reply_id: begun.row.id, created_at: now };
      if (sendKey) await insertSend(db, { ...send, ...sendKey });
      return begun;
    });
  }

  /** The model that was asked for the last reply; none for automatic choice. */
  async #modelOfLast(userId: string, chatId: string): Promise<string | undefined> {
    const { leaf } = await requireChat(this.#deps.database, userId, chatId);
    const last = leaf === null ? undefined : await findMessage(this.#deps.database, userId, leaf);
    return last?.requested_model ?? undefined;
  }

  /**
   * Has a reply that {@link resumes} go on by itself, once; one that another process or reader has taken up, or that
   * cannot go on, is left as it is.
   */
  async resume({ user_id: userId, chat_id: chatId, id, requested_model: model }: MessageRow): Promise<void> {
    const requested = model ?? undefined;
    await this.#write(userId, chatId, requested, async (db, held, choice) => {
      if (!held.last || held.chat.leaf !== id || !this.resumes(held.last)) throw new Failure("nothing-to-continue");
      return this.#goOn(db, held, choice, requested, { isByItself: true });
    }).catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
    });
  }

  /** Whether a reply is one that goes on by itself as soon as somebody reads it. */
  resumes({ state, resumed, ended_at: endedAt }: MessageRow): boolean {
    const isRecent = endedAt !== null && this.#deps.clock.now() - endedAt < RESUME_LIFE_MS;
    return state === "interrupted" && resumed === 0 && isRecent;
  }

  async #write(
    userId: string,
    chatId: string,
    model: string | undefined,
    begin: (db: Queryable, held: HeldChat, choice: ModelChoice) => Promise<Begun>,
  ): Promise<string> {
    const { database, bus, clock, models, replies, temporaryReplies, titles, settings } = this.#deps;
    const choice = await models.choose(model);
    const begun = await beginReply(database, async (db) => {
      const held = await holdForChange(db, userId, chatId);
      if (replies.isDraining) throw new Failure("draining");
      const writing = await begin(db, held, choice);
      // What a restart cut off has been let in before.
      const isNew = !writing.isByItself;
      if (isNew) refuseOverQuota(held.chat.stored_bytes, 0, settings.maxChatBytes);
      await markGrown(db, userId, chatId, { bytes: 0, ...(isNew && { quota: settings }) });
      if (isNew) await refuseTooManyReplies(db, userId, temporaryReplies.countOf(userId));
      const frame = await framePrompt(db, held.chat, settings, clock.now());
      return { ...writing, frame, isUnnamed: held.chat.title_origin === "question" };
    });
    const { row, branch, frame, first, isUnnamed } = begun;
    const chosen = candidatesOf(choice, first);
    const live = replies.start({
      id: row.id,
      chatId,
      userId,
      run: row.run,
      text: row.content,
      seams: parseSeams(row.seams),
      prompt: toPrompt(frame, branch),
      ...chosen,
    });
    // What should have named the chat was the reply that did not come to its end.
    const isFirst = isUnnamed && !branch.some(({ role }) => role === "assistant");
    if (isFirst) titles.giveAfter(live, branch.at(-1)?.content ?? "", chosen.candidates);
    bus.publish(topics.account(userId));
    return row.id;
  }

  /** A new reply to a question; an earlier one stays beside it in the tree. */
  async #beginAnew(
    db: Queryable,
    { chat, last }: HeldChat,
    choice: ModelChoice,
    { of, model: requested }: ReplyRequest,
  ): Promise<Begun> {
    const answered = of === undefined ? last : await findMessage(db, chat.user_id, of);
    if (of !== undefined && answered?.chat_id !== chat.id) throw new Failure("not-found");
    const questionId = (answered?.role === "assistant" ? answered.parent : answered?.id) ?? null;
    const branch = await this.#branchOf(db, chat, questionId, choice);
    if (questionId === null || branch.at(-1)?.role !== "user") throw new Failure("nothing-to-answer");
    const row = newReplyRow(chat, this.#deps.clock.now(), {
      parent: questionId,
      model: candidatesOf(choice).candidates[0]?.value ?? null,
      requested_model: requested ?? null,
      owner: this.#deps.ownership.processId,
    });
    await insertMessages(db, [row]);
    await setLeaf(db, chat.user_id, chat.id, row.id);
    return { row, branch };
  }

  async #goOn(
    db: Queryable,
    { chat, last }: HeldChat,
    choice: ModelChoice,
    requested: string | undefined,
    { isByItself = false } = {},
  ): Promise<Begun> {
    if (last?.role !== "assistant" || !isUnfinished(last)) throw new Failure("nothing-to-continue");
    const seams = [...parseSeams(last.seams), { at: last.content.length, run: last.run + 1 }];
    const row = await beginRun(db, {
      id: last.id,
      run: last.run,
      owner: this.#deps.ownership.processId,
      seams: storedSeams(seams),
      resumed: isByItself ? 1 : last.resumed,
      requested_model: requested ?? null,
      model: choice.kind === "specific" ? choice.model.value : last.model,
    });
    if (!row) throw new Failure("reply-running");
    const branch = await this.#branchOf(db, chat, last.parent, choice);
    // Who wrote it goes on, unless it was the one that failed.
    return { row, branch, first: last.state === "failed" ? null : last.model, isByItself };
  }

  /** The newest messages, as many as the window of a model that may be asked can hold. */
  async #branchOf(db: Queryable, chat: ChatRow, leaf: string | null, choice: ModelChoice): Promise<MessageRow[]> {
    return listBranch(db, chat.user_id, leaf, windowBytes(candidatesOf(choice).candidates));
  }
}

/** Whether a reply has a rest to be asked for. */
function isUnfinished({ state, truncated, content }: MessageRow): boolean {
  if (content.length >= MAX_REPLY_CHARS) return false;
  if (state === "complete") return truncated === 1;
  return state === "interrupted" || content !== "";
}
