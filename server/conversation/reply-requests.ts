import type { ReplyRequest } from "#contract/conversation/conversation-calls.ts";
import { canContinue, RUNNING, WAITING } from "#contract/conversation/reply-state.ts";
import type { DecisionRequest, DecisionResult } from "#contract/conversation/tool-calls.ts";
import type { ErrorCode } from "#contract/errors.ts";
import { type NativeKind, nativeKindsOf } from "#contract/files/file-readers.ts";
import { MINUTE } from "#contract/limits.ts";
import { findGroupIdOf } from "../accounts/membership/group-store.ts";
import { topics } from "../bus/bus.ts";
import { markGrown } from "../chats/change-store.ts";
import { setLeaf } from "../chats/chat-store.ts";
import { once, type SendKey } from "../chats/idempotency.ts";
import { insertSend } from "../chats/send-store.ts";
import type { ChatRow, MessageRow, Queryable } from "../database/schema.ts";
import { Failure } from "../failure.ts";
import { readModelAccess } from "../groups/read-model-access.ts";
import { refuseOverQuota } from "../limits/quota.ts";
import type { ModelChoice } from "../models/model.ts";
import { filesOf, textOf } from "../models/prompt-message.ts";
import { windowBytes } from "../models/prompt-window.ts";
import { parseSeams, storedSeams } from "../text/seams.ts";
import type { Asker } from "./admission/asker.ts";
import { candidatesOf } from "./admission/candidates.ts";
import { refuseTooManyReplies } from "./admission/concurrent-limit.ts";
import { countAgainstLimit } from "./admission/daily-limit.ts";
import { questionWords, withFiles } from "./attachments.ts";
import { type CountedMessage, listBranch } from "./branch-store.ts";
import type { ConversationDeps } from "./conversation-deps.ts";
import { beginReply, type HeldChat, holdForChange, newReplyRow, requireChat } from "./message-rows.ts";
import { findMessage, insertMessages } from "./message-store.ts";
import { findOlder } from "./older-messages-store.ts";
import { earlierReplies } from "./parts/earlier-replies.ts";
import { callPartsOf, needsDecision, type Part } from "./parts/message-part.ts";
import { readParts } from "./parts/part-store.ts";
import { prepareReply } from "./prepare-reply.ts";
import { MAX_REPLY_CHARS } from "./reply/calls/call-model.ts";
import { openCallOfRun, parseOpenCall } from "./reply/open-call.ts";
import { beginRun } from "./reply/reply-store.ts";
import { answerRunning } from "./reply/steps/given-answers.ts";
import { readSteps, type StoredSteps } from "./reply/steps/stored-steps.ts";
import { decideCalls, endWaiting, type HeldReply, movePendingCalls } from "./reply/steps/waiting-replies.ts";

/** Time after a restart in which a reply continues automatically when it is read. */
const RESUME_LIFE_MS = 10 * MINUTE;

/**
 * A reply to be written: its row in state `writing`, the messages before it, and the model to ask first. `continued`:
 * its row before the new run.
 */
type Begun = {
  row: MessageRow;
  branch: CountedMessage[];
  continued?: MessageRow;
  parts?: Part[];
  steps?: StoredSteps;
  first?: string | null;
  /** Of the files of the question. */
  kinds: readonly NativeKind[];
  failedWriter?: string | null;
  isByItself?: boolean;
  /** Growth of the counters, which is negative where calls of tools leave them. */
  bytes?: number;
};

/** Starts replies without a new question: retries, and continuations of replies that ended early. */
export class ReplyRequests {
  readonly #deps: ConversationDeps;

  constructor(deps: ConversationDeps) {
    this.#deps = deps;
  }

  /**
   * Starts an alternative reply to the last question or to the question of reply `of`, or continues the last reply;
   * once for each key.
   * @returns the id of the running reply
   * @throws Failure of the chat, the model, the limits, or `conversation-moved`, `reply-running`, `not-found` for `of`,
   * `nothing-to-answer`, `nothing-to-continue`, `quota-reached`, `budget-reached`,
   * `idempotency-mismatch`
   */
  async begin(asker: Asker, chatId: string, request: ReplyRequest, key: string | undefined): Promise<string> {
    const { database } = this.#deps;
    const { userId } = asker;
    await requireChat(database, userId, chatId);
    const { mode, parent, model, of } = request;
    // `of` only if given, so that the keys of earlier versions stay valid.
    const wish = [chatId, mode, parent ?? null, model ?? null, ...(of === undefined ? [] : [of])];
    const intent = { userId, key, request: wish };
    const outcome = await once(database, intent, (sendKey) => this.#answer(asker, chatId, request, sendKey));
    if ("done" in outcome) return outcome.done;
    if (!outcome.repeated.reply_id) throw new Failure("idempotency-mismatch");
    return outcome.repeated.reply_id;
  }

  async #answer(asker: Asker, chatId: string, request: ReplyRequest, sendKey: SendKey | undefined): Promise<string> {
    const { userId, timeZone } = asker;
    const isContinuation = request.mode === "continue";
    const model = request.model ?? (isContinuation ? await this.#modelOfLast(userId, chatId) : undefined);
    const id = await this.#write(asker, chatId, model, async (db, held, choice) => {
      if (request.parent !== undefined && request.parent !== held.chat.leaf) throw new Failure("conversation-moved");
      const now = this.#deps.clock.now();
      await countAgainstLimit(db, userId, now, this.#deps.installation.current.dailyReplies);
      const begun = await (isContinuation
        ? this.#goOn(db, held, choice, { requested: model, timeZone })
        : this.#beginAnew(db, held, choice, { ...request, timeZone }));
      const send = { user_id: userId, chat_id: chatId, question_id: null, reply_id: begun.row.id, created_at: now };
      if (sendKey) await insertSend(db, { ...send, ...sendKey });
      return begun;
    });
    if (id === undefined) throw new Failure("internal");
    return id;
  }

  /**
   * Stores a person's decisions on calls of the last reply. When none is left, the reply goes on.
   * @throws Failure of the chat and the limits; `already-decided` if the reply does not wait; `invalid-input`; of the
   * model, which ends the reply
   */
  async decide(asker: Asker, chatId: string, request: DecisionRequest): Promise<DecisionResult> {
    const { userId, timeZone } = asker;
    const { bus, clock, toolbox } = this.#deps;
    if (await answerRunning(this.#deps, { userId, chatId }, request)) return { state: RUNNING };
    const model = await this.#modelOfLast(userId, chatId);
    try {
      const started = await this.#write(asker, chatId, model, async (db, { chat, last }, choice) => {
        if (last?.id !== request.reply || last.state !== WAITING) throw new Failure("already-decided");
        const decided = await decideCalls(db, last, request, { chat, toolbox, now: clock.now() });
        if (!callPartsOf(decided.parts).some(needsDecision)) {
          const begun = await this.#beginNextRun(db, chat, decided, choice, { requested: model, timeZone });
          return { ...begun, bytes: decided.bytes + (begun.bytes ?? 0) };
        }
        await markGrown(db, userId, chatId, { bytes: decided.bytes });
        return undefined;
      });
      if (started === undefined) bus.publish(topics.account(userId));
      return { state: started === undefined ? WAITING : RUNNING };
    } catch (error) {
      if (isModelGone(error)) await this.#endWaiting(userId, chatId, error.code);
      throw error;
    }
  }

  /** Ends the waiting reply of a chat whose model is gone. */
  async #endWaiting(userId: string, chatId: string, code: ErrorCode): Promise<void> {
    const { database, bus, clock } = this.#deps;
    await database.transaction().execute(async (db) => {
      const { chat } = await holdForChange(db, userId, chatId);
      await endWaiting(db, chat, { now: clock.now(), code });
    });
    bus.publish(topics.account(userId));
  }

  /** Returns the requested model of the last reply; undefined for automatic choice. */
  async #modelOfLast(userId: string, chatId: string): Promise<string | undefined> {
    const { leaf } = await requireChat(this.#deps.database, userId, chatId);
    const last = leaf === null ? undefined : await findMessage(this.#deps.database, userId, leaf);
    return last?.requested_model ?? undefined;
  }

  /**
   * Continues an interrupted reply automatically, once (see {@link resumes}). Does nothing if another process or reader
   * continues it already, or if it cannot continue.
   */
  async resume({ user_id: userId, chat_id: chatId, id, requested_model: model }: MessageRow): Promise<void> {
    const requested = model ?? undefined;
    const groupId = await findGroupIdOf(this.#deps.database, userId);
    await this.#write({ userId, groupId }, chatId, requested, async (db, held, choice) => {
      if (!held.last || held.chat.leaf !== id || !this.isResumable(held.last)) throw new Failure("nothing-to-continue");
      return this.#goOn(db, held, choice, { requested, isByItself: true });
    }).catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
    });
  }

  /** Whether a reply with these parts continues automatically when somebody reads it. */
  resumes(row: MessageRow, parts: readonly Part[]): boolean {
    return this.isResumable(row) && isUnfinished(row, parts);
  }

  /** Whether a reply may continue automatically, as far as its row says. */
  isResumable({ state, resumed, ended_at: endedAt }: MessageRow): boolean {
    const isRecent = endedAt !== null && this.#deps.clock.now() - endedAt < RESUME_LIFE_MS;
    return state === "interrupted" && resumed === 0 && isRecent;
  }

  /**
   * Begins a reply or its next run in a transaction, and writes it.
   * @param begin returns undefined if there is nothing to write yet
   * @returns the id of the running reply; undefined if there is nothing to write
   */
  async #write(
    asker: Asker,
    chatId: string,
    model: string | undefined,
    begin: (db: Queryable, held: HeldChat, choice: ModelChoice) => Promise<Begun | undefined>,
  ): Promise<string | undefined> {
    const { userId } = asker;
    const { database, bus, files, models, replies, settings, temporaryReplies, titles } = this.#deps;
    const choice = await models.choose(model, await readModelAccess(database, asker));
    const begun = await beginReply(database, async (db) => {
      const held = await holdForChange(db, userId, chatId);
      if (replies.isDraining) throw new Failure("draining");
      const writing = await begin(db, held, choice);
      if (!writing) return undefined;
      // A reply that a restart interrupted has passed the limits before.
      const isNew = !writing.isByItself;
      if (isNew) refuseOverQuota(held.chat.stored_bytes, 0, settings.maxChatBytes);
      const { bytes = 0 } = writing;
      await markGrown(db, userId, chatId, { bytes, ...(isNew && { quota: settings }) });
      if (isNew) await refuseTooManyReplies(db, userId, temporaryReplies.countOf(userId));
      const { row, first, kinds } = writing;
      const { prompt, spending, tools } = await prepareReply(db, this.#deps, {
        guided: held.chat,
        messages: await withFiles(db, files, writing.branch),
        model: candidatesOf(choice, { first, kinds }).candidates[0],
        purpose: { purpose: "reply", userId, messageId: row.id },
        chatId,
        timeZone: parseOpenCall(row)?.timeZone,
        answer: { text: row.content, parts: writing.parts ?? [] },
      });
      // Also an alternative to a reply that waits is a decision.
      if (isNew) await endWaiting(db, held.chat, { now: this.#deps.clock.now() });
      return { ...writing, prompt, spending, tools, isUnnamed: held.chat.title_origin === "question" };
    });
    if (!begun) return undefined;
    const { row, branch, continued, parts = [], first, kinds, failedWriter, isUnnamed } = begun;
    const { prompt, spending, tools, steps } = begun;
    const chosen = candidatesOf(choice, { first, kinds });
    const live = replies.start({
      id: row.id,
      chatId,
      userId,
      run: row.run,
      timeZone: parseOpenCall(row)?.timeZone,
      text: row.content,
      seams: parseSeams(row.seams),
      parts,
      steps,
      prompt,
      spending,
      tools,
      failedWriter,
      findOlder: findOlder(database, userId, branch),
      earlier: earlierReplies(database, continued ? [...branch, continued] : branch),
      ...chosen,
    });
    // The chat has no title yet because its first reply did not complete.
    const isFirst = isUnnamed && !branch.some(({ role }) => role === "assistant");
    const question = prompt.messages.at(-1);
    const words = question ? questionWords({ content: textOf(question) }, filesOf(question)) : "";
    if (isFirst) titles.giveAfter(live, { question: words, spending: spending.ofTitle(), ...chosen });
    bus.publish(topics.account(userId));
    return row.id;
  }

  /** Creates a new reply to a question; earlier ones stay as alternatives in the tree. */
  async #beginAnew(
    db: Queryable,
    { chat, last }: HeldChat,
    choice: ModelChoice,
    { of, model: requested, timeZone }: ReplyRequest & Pick<Asker, "timeZone">,
  ): Promise<Begun> {
    const answered = of === undefined ? last : await findMessage(db, chat.user_id, of);
    if (of !== undefined && answered?.chat_id !== chat.id) throw new Failure("not-found");
    const questionId = (answered?.role === "assistant" ? answered.parent : answered?.id) ?? null;
    const branch = await this.#branchOf(db, chat, questionId, choice);
    if (questionId === null || branch.at(-1)?.role !== "user") throw new Failure("nothing-to-answer");
    const kinds = await this.#kindsOf(db, branch);
    const row = newReplyRow(chat, this.#deps.clock.now(), {
      parent: questionId,
      model: candidatesOf(choice, { kinds }).candidates[0]?.value ?? null,
      requested_model: requested ?? null,
      owner: this.#deps.ownership.processId,
      timeZone,
    });
    await insertMessages(db, [row]);
    await setLeaf(db, chat.user_id, chat.id, row.id);
    return { row, branch, kinds };
  }

  async #goOn(db: Queryable, { chat, last }: HeldChat, choice: ModelChoice, next: NextRun): Promise<Begun> {
    const parts = last?.role === "assistant" ? await readParts(db, last) : [];
    if (last?.role !== "assistant" || !isUnfinished(last, parts)) throw new Failure("nothing-to-continue");
    return this.#beginNextRun(db, chat, { row: last, parts }, choice, next);
  }

  /** Begins the next run of a reply that has ended, or of which all calls of tools are decided. */
  async #beginNextRun(
    db: Queryable,
    chat: ChatRow,
    { row: last, parts: before }: HeldReply,
    choice: ModelChoice,
    { requested, timeZone, isByItself = false }: NextRun,
  ): Promise<Begun> {
    const { parts, bytes } = await movePendingCalls(db, { row: last, parts: before }, last.run + 1);
    const hasCalls = bytes !== 0;
    const seams = [...parseSeams(last.seams), { at: last.content.length, run: last.run + 1 }];
    const hasFailed = last.state === "failed";
    // The same model continues, unless it is the one that failed.
    const first = hasFailed ? null : last.model;
    const branch = await this.#branchOf(db, chat, last.parent, choice);
    const kinds = await this.#kindsOf(db, branch);
    const row = await beginRun(db, {
      id: last.id,
      run: last.run,
      owner: this.#deps.ownership.processId,
      seams: storedSeams(seams),
      resumed: isByItself ? 1 : last.resumed,
      requested_model: requested ?? null,
      model: choice.kind === "specific" ? choice.model.value : last.model,
      open_call: openCallOfRun(last.content, parts, {
        // The run begins with its calls.
        model: hasCalls ? null : (candidatesOf(choice, { first, kinds }).candidates[0]?.value ?? null),
        timeZone: timeZone ?? parseOpenCall(last)?.timeZone,
      }),
    });
    if (!row) throw new Failure("reply-running");
    const failedWriter = hasFailed && isAuto(choice) ? last.model : null;
    const steps = await readSteps(db, last.id);
    return { row, branch, kinds, continued: last, parts, steps, first, failedWriter, isByItself, bytes };
  }

  /** Returns the kinds of the files of a branch's question, which is its last message. */
  async #kindsOf(db: Queryable, branch: readonly CountedMessage[]): Promise<NativeKind[]> {
    const [question] = await withFiles(db, this.#deps.files, branch.slice(-1));
    return nativeKindsOf(question ? filesOf(question) : []);
  }

  /** Reads the newest messages that fit the largest window of the candidate models. */
  async #branchOf(db: Queryable, chat: ChatRow, leaf: string | null, choice: ModelChoice): Promise<CountedMessage[]> {
    return listBranch(db, chat.user_id, leaf, windowBytes(candidatesOf(choice).candidates));
  }
}

/** How a reply is continued. `timeZone`: of the browser; by default that of the run before. */
type NextRun = { requested: string | undefined; timeZone?: string | undefined; isByItself?: boolean };

const isModelGone = (error: unknown): error is Failure =>
  error instanceof Failure && (error.code === "model-unknown" || error.code === "model-unavailable");

const isAuto = ({ kind }: ModelChoice) => kind !== "specific";

/** Whether a reply can be continued. */
function isUnfinished({ state, truncated, content }: MessageRow, parts: readonly Part[]): boolean {
  return content.length < MAX_REPLY_CHARS && canContinue({ state, content, parts, isTruncated: truncated === 1 });
}
