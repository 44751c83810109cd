import type { TemporaryMessage, TemporaryRequest } from "#contract/conversation/temporary.ts";
import { nativeKindsOf } from "#contract/files/file-readers.ts";
import { SECOND } from "#contract/limits.ts";
import { wellFormed } from "#contract/text/well-formed.ts";
import type { Budgets } from "../../budgets/budgets.ts";
import type { Settlements } from "../../budgets/settlements.ts";
import { Spending } from "../../budgets/spending.ts";
import type { Clock } from "../../concurrency/clock.ts";
import { withTimeout } from "../../concurrency/with-timeout.ts";
import { newId } from "../../database/new-id.ts";
import type { Database } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import { readModelAccess } from "../../groups/read-model-access.ts";
import type { InstallationSettings } from "../../installation/installation-settings.ts";
import type { Log } from "../../log.ts";
import type { Model, Prompt, PromptMessage } from "../../models/model.ts";
import type { Models } from "../../models/open-models.ts";
import type { Asker } from "../asker.ts";
import { candidatesOf } from "../candidates.ts";
import { refuseTooManyReplies } from "../concurrent-limit.ts";
import { countAgainstLimit } from "../daily-limit.ts";
import type { ReplyLimits, WatchProduction } from "../reply/calls/production.ts";
import { GrowingReply } from "../reply/live-reply.ts";
import { produceReply } from "../reply/produce-reply.ts";
import { framePrompt, toPrompt } from "../system-prompt.ts";
import type { TemporaryFiles } from "./temporary-files.ts";

export type TemporaryRepliesDeps = {
  database: Database;
  budgets: Budgets;
  settlements: Settlements;
  clock: Clock;
  log: Log;
  models: Models;
  installation: Pick<InstallationSettings, "current">;
  settings: { maxMessageChars: number };
  limits: ReplyLimits;
  /** Grace period of running replies at a shutdown. */
  graceMs: number;
  watchProduction?: WatchProduction;
};

/** Timeout of a shutdown for a database that does not respond. */
const COUNT_GRACE_MS = 5 * SECOND;
const PURPOSE = { purpose: "temporary", messageId: null } as const;

type Order = { prompt: Prompt; spending: Spending; candidates: Model[]; isAutomatic: boolean };

/**
 * Replies whose text and files are never stored or logged; only their calls are counted. Each ends at the latest with the request
 * that started it.
 */
export class TemporaryReplies implements AsyncDisposable {
  readonly #deps: TemporaryRepliesDeps;
  readonly #running = new Set<GrowingReply>();
  readonly #writing = new Set<Promise<void>>();
  readonly #abandoned = new AbortController();
  #draining: Promise<void> | undefined;

  constructor(deps: TemporaryRepliesDeps) {
    this.#deps = deps;
  }

  /** Number of an account's running replies in this process. */
  countOf(userId: string): number {
    return [...this.#running].filter((reply) => reply.userId === userId).length;
  }

  /**
   * Refuses what {@link begin} would refuse, before the files of a request are read, which may take long.
   * @throws as {@link begin}
   */
  async check({ userId, groupId }: Asker, { messages, model }: TemporaryRequest): Promise<void> {
    const { database, models } = this.#deps;
    if (this.#draining) throw new Failure("draining");
    this.#checkLengths(messages);
    await models.choose(model, await readModelAccess(database, groupId));
    await refuseTooManyReplies(database, userId, this.countOf(userId) + 1);
  }

  /**
   * Starts the reply to a conversation's last question. The caller stops it when its reader disconnects.
   * @param files of the messages; each that they name
   * @throws Failure of the model, the limits, or `message-too-long`, `budget-reached`, `draining`
   */
  async begin({ userId, groupId }: Asker, request: TemporaryRequest, files: TemporaryFiles): Promise<GrowingReply> {
    const { database, models } = this.#deps;
    const { messages, model } = request;
    this.#checkLengths(messages);
    const access = await readModelAccess(database, groupId);
    const choice = await models.choose(model, access);
    const reply = new GrowingReply({ id: newId(), userId, run: 1 });
    const asked = joinQuestions(messages.map((message) => toPromptMessage(message, files)));
    const chosen = candidatesOf(choice, { kinds: nativeKindsOf(asked.at(-1)?.files ?? []) });
    const letIn = await this.#letIn(reply, request, { messages: asked, model: chosen.candidates[0], groupId });
    const writing = this.#write(reply, { ...letIn, ...chosen }).finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
    return reply;
  }

  /** Applies the limits and counts the reply as running. @returns its prompt and its money */
  async #letIn(
    reply: GrowingReply,
    { presetId = null, instructions = "", effort }: TemporaryRequest,
    { messages, model, groupId }: { messages: PromptMessage[]; model: Model | undefined; groupId: string | null },
  ): Promise<Pick<Order, "prompt" | "spending">> {
    const { database, budgets, clock, installation } = this.#deps;
    const { userId } = reply;
    const letIn = database.transaction().execute(async (db) => {
      await countAgainstLimit(db, userId, clock.now(), installation.current.dailyReplies);
      await refuseTooManyReplies(db, userId, this.countOf(userId) + 1);
      const guided = { user_id: userId, preset_id: presetId, instructions, effort: effort ?? null };
      const { frame, budgets: columns } = await framePrompt(db, guided, installation.current, clock.now());
      // The account was moved while its files arrived, and may not use the model any more.
      if (columns.group_id !== groupId) throw new Failure("unavailable");
      const prompt = toPrompt(frame, messages);
      if (this.#draining) throw new Failure("draining");
      const purpose = { ...PURPOSE, userId, scopes: budgets.scopesOf(userId, columns) };
      const spending = await Spending.begin(db, budgets, purpose, { model, prompt });
      // Before the lock of the daily count is released: the next request that waits for it counts this reply too.
      this.#running.add(reply);
      return { prompt, spending };
    });
    return letIn.catch((error: unknown) => {
      this.#running.delete(reply);
      throw error;
    });
  }

  async #write(reply: GrowingReply, { spending, ...order }: Order): Promise<void> {
    const { log, limits, settlements, watchProduction } = this.#deps;
    if (this.#abandoned.signal.aborted) reply.stop();
    const onFailure = (model: Model, error: Error) => {
      if (!reply.stopSignal.aborted) log.warn({ err: error, reply: reply.id, model: model.value }, "model failed");
    };
    const produced = await produceReply({
      reply,
      clock: this.#deps.clock,
      ...order,
      limits,
      onFailure,
      watchProduction,
      spending,
    });
    this.#running.delete(reply);
    reply.closeText();
    log.info({ reply: reply.id, state: produced.state, code: produced.code }, "temporary reply ended");
    // A reply that a shutdown cuts off gets no end mark, so that its reader knows that it is incomplete.
    if (this.#abandoned.signal.aborted && produced.state === "stopped") reply.breakOff();
    else reply.finish(produced);
    await settlements.settle(spending, { subject: { reply: reply.id }, signal: this.#abandoned.signal });
  }

  #checkLengths(messages: readonly TemporaryMessage[]): void {
    const { maxMessageChars } = this.#deps.settings;
    const isTooLong = ({ role, content }: TemporaryMessage) => role === "user" && content.length > maxMessageChars;
    if (messages.some(isTooLong)) throw new Failure("message-too-long");
  }

  /** Refuses new replies, waits for running ones up to the grace period, then disconnects their readers. */
  async drain(): Promise<void> {
    this.#draining ??= this.#drain();
    await this.#draining;
  }

  async #drain(): Promise<void> {
    await withTimeout(Promise.all(this.#writing), this.#deps.graceMs);
    this.#abandoned.abort();
    for (const reply of this.#running) reply.stop();
    await withTimeout(Promise.all(this.#writing), COUNT_GRACE_MS);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.drain();
  }
}

function toPromptMessage({ role, content, files = [] }: TemporaryMessage, all: TemporaryFiles): PromptMessage {
  const named = files.flatMap(({ id }) => all.get(id) ?? []);
  return { role, content: wellFormed(content), ...(named.length > 0 && { files: named }) };
}

/** Joins questions without an answer between them, because providers accept only messages that alternate. */
function joinQuestions(messages: readonly PromptMessage[]): PromptMessage[] {
  const joined: PromptMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last?.role !== message.role) joined.push(message);
    else joined.splice(-1, 1, joinMessages(last, message));
  }
  return joined;
}

function joinMessages({ role, content, files = [] }: PromptMessage, next: PromptMessage): PromptMessage {
  const texts = [content, next.content].filter((text) => text.trim() !== "");
  const all = [...files, ...(next.files ?? [])];
  return { role, content: texts.join("\n\n"), ...(all.length > 0 && { files: all }) };
}
