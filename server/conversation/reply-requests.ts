import type { ReplyRequest } from "#contract/conversation/conversation-calls.ts";
import { canContinue } from "#contract/conversation/reply-state.ts";
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
import type { ModelChoice } from "../models/open-models.ts";
import { filesOf, textOf } from "../models/prompt-message.ts";
import { windowBytes } from "../models/prompt-window.ts";
import { parseSeams, storedSeams } from "../text/seams.ts";
import type { Asker } from "./admission/asker.ts";
import { candidatesOf } from "./admission/candidates.ts";
import { refuseTooManyReplies } from "./admission/concurrent-limit.ts";
import { countAgainstLimit } from "./admission/daily-limit.ts";
import { questionWords, withFiles } from "./attachments.ts";
import { type BranchMessage, listBranch } from "./branch-store.ts";
import type { ConversationDeps } from "./conversation-deps.ts";
import { beginReply, type HeldChat, holdForChange, newReplyRow, requireChat } from "./message-rows.ts";
import { findMessage, insertMessages } from "./message-store.ts";
import { findOlder } from "./older-messages-store.ts";
import { earlierReplies } from "./parts/earlier-replies.ts";
import type { Part } from "./parts/message-part.ts";
import { readParts } from "./parts/part-store.ts";
import { prepareReply } from "./prepare-reply.ts";
import { MAX_REPLY_CHARS } from "./reply/calls/call-model.ts";
import { storedOpenCall } from "./reply/open-call.ts";
import { beginRun } from "./reply/reply-store.ts";

/** Time after a restart in which a reply continues automatically when it is read. */
const RESUME_LIFE_MS = 10 * MINUTE;

/**
 * A reply to be written: its row in state `writing`, the messages before it, and the model to ask first. `continued`:
 * its row before the new run.
 */
type Begun = {
  row: MessageRow;
  branch: BranchMessage[];
  continued?: MessageRow;
  parts?: Part[];
  first?: string | null;
  /** Of the files of the question. */
  kinds: readonly NativeKind[];
  failedWriter?: string | null;
  isByItself?: boolean;
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
    const { userId } = asker;
    const isContinuation = request.mode === "continue";
    const model = request.model ?? (isContinuation ? await this.#modelOfLast(userId, chatId) : undefined);
    return this.#write(asker, chatId, model, async (db, held, choice) => {
      if (request.parent !== undefined && request.parent !== held.chat.leaf) throw new Failure("conversation-moved");
      const now = this.#deps.clock.now();
      await countAgainstLimit(db, userId, now, this.#deps.installation.current.dailyReplies);
      const begun = await (isContinuation
        ? this.#goOn(db, held, choice, model)
        : this.#beginAnew(db, held, choice, request));
      const send = { user_id: userId, chat_id: chatId, question_id: null, reply_id: begun.row.id, created_at: now };
      if (sendKey) await insertSend(db, { ...send, ...sendKey });
      return begun;
    });
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
      if (!held.last || held.chat.leaf !== id || !this.resumes(held.last)) throw new Failure("nothing-to-continue");
      return this.#goOn(db, held, choice, requested, { isByItself: true });
    }).catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
    });
  }

  /** Whether a reply continues automatically when somebody reads it. */
  resumes({ state, resumed, ended_at: endedAt }: MessageRow): boolean {
    const isRecent = endedAt !== null && this.#deps.clock.now() - endedAt < RESUME_LIFE_MS;
    return state === "interrupted" && resumed === 0 && isRecent;
  }

  async #write(
    asker: Asker,
    chatId: string,
    model: string | undefined,
    begin: (db: Queryable, held: HeldChat, choice: ModelChoice) => Promise<Begun>,
  ): Promise<string> {
    const { userId } = asker;
    const { database, bus, files, models, replies, settings, temporaryReplies, titles } = this.#deps;
    const choice = await models.choose(model, await readModelAccess(database, asker));
    const begun = await beginReply(database, async (db) => {
      const held = await holdForChange(db, userId, chatId);
      if (replies.isDraining) throw new Failure("draining");
      const writing = await begin(db, held, choice);
      // A reply that a restart interrupted has passed the limits before.
      const isNew = !writing.isByItself;
      if (isNew) refuseOverQuota(held.chat.stored_bytes, 0, settings.maxChatBytes);
      await markGrown(db, userId, chatId, { bytes: 0, ...(isNew && { quota: settings }) });
      if (isNew) await refuseTooManyReplies(db, userId, temporaryReplies.countOf(userId));
      const { row, first, kinds } = writing;
      const { prompt, spending } = await prepareReply(db, this.#deps, {
        guided: held.chat,
        messages: await withFiles(db, files, writing.branch),
        model: candidatesOf(choice, { first, kinds }).candidates[0],
        purpose: { purpose: "reply", userId, messageId: row.id },
        text: row.content,
      });
      return { ...writing, prompt, spending, isUnnamed: held.chat.title_origin === "question" };
    });
    const { row, branch, continued, parts = [], prompt, spending, first, kinds, failedWriter, isUnnamed } = begun;
    const chosen = candidatesOf(choice, { first, kinds });
    const live = replies.start({
      id: row.id,
      chatId,
      userId,
      run: row.run,
      text: row.content,
      seams: parseSeams(row.seams),
      parts,
      prompt,
      spending,
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
    { of, model: requested }: ReplyRequest,
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
    });
    await insertMessages(db, [row]);
    await setLeaf(db, chat.user_id, chat.id, row.id);
    return { row, branch, kinds };
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
    const hasFailed = last.state === "failed";
    // The same model continues, unless it is the one that failed.
    const first = hasFailed ? null : last.model;
    const parts = await readParts(db, last);
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
      open_call: storedOpenCall({
        model: candidatesOf(choice, { first, kinds }).candidates[0]?.value ?? null,
        text: last.content.length,
        reasoning: parts.reduce((sum, { text = "" }) => sum + text.length, 0),
      }),
    });
    if (!row) throw new Failure("reply-running");
    const failedWriter = hasFailed && isAuto(choice) ? last.model : null;
    return { row, branch, kinds, continued: last, parts, first, failedWriter, isByItself };
  }

  /** Returns the kinds of the files of a branch's question, which is its last message. */
  async #kindsOf(db: Queryable, branch: readonly BranchMessage[]): Promise<NativeKind[]> {
    const [question] = await withFiles(db, this.#deps.files, branch.slice(-1));
    return nativeKindsOf(question ? filesOf(question) : []);
  }

  /** Reads the newest messages that fit the largest window of the candidate models. */
  async #branchOf(db: Queryable, chat: ChatRow, leaf: string | null, choice: ModelChoice): Promise<BranchMessage[]> {
    return listBranch(db, chat.user_id, leaf, windowBytes(candidatesOf(choice).candidates));
  }
}

const isAuto = ({ kind }: ModelChoice) => kind !== "specific";

/** Whether a reply can be continued. */
function isUnfinished({ state, truncated, content }: MessageRow): boolean {
  return content.length < MAX_REPLY_CHARS && canContinue({ state, content, isTruncated: truncated === 1 });
}
