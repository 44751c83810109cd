import { SECOND } from "#contract/limits.ts";
import type { Settlements } from "../../budgets/settlements.ts";
import type { Spending } from "../../budgets/spending.ts";
import { type Bus, topics } from "../../bus/bus.ts";
import { shortTransaction } from "../../database/group-commit.ts";
import type { Database } from "../../database/schema.ts";
import type { AnswerFiles } from "../../files/answer-files.ts";
import { CallInterrupted } from "../../tools/call-interrupted.ts";
import { callJournal } from "./calls/call-journal.ts";
import type { StoredCalls } from "./calls/production.ts";
import { Checkpoints } from "./checkpoints.ts";
import { isRunOf, LiveReply, type LiveReplyStart } from "./live-reply.ts";
import { countLost, type ReplyEnd, storeEnd } from "./reply-end-store.ts";
import { ReplyRuns, type ReplyRunsDeps, type ReplyWork } from "./reply-runs.ts";
import { listRuns } from "./reply-store.ts";
import { awaitAnswers } from "./steps/await-answers.ts";
import { storeTurn } from "./steps/provider-turn-store.ts";
import { isApproved } from "./steps/tool-approval-store.ts";
import { storeResumption } from "./steps/tool-resumption-store.ts";
import { interruptedState, unansweredCalls } from "./steps/unanswered-calls.ts";

export type RepliesDeps = ReplyRunsDeps & {
  database: Database;
  /** Connections reserved for checkpoints, which requests cannot exhaust. */
  reserved: Database;
  bus: Bus;
  settlements: Settlements;
  answerFiles: Pick<AnswerFiles, "storePicture" | "storeText">;
  /** Whether several processes may share the database. */
  isShared: boolean;
  maxUnstoredChars?: number;
};

/** A reply to write: its stored message, the prompt and the models. */
export type ReplyOrder = LiveReplyStart & ReplyWork;

/** `cut off`: stored as interrupted by a shutdown. `not ours`: taken over, or its chat was deleted. */
type Ending = "stored" | "cut off" | "not ours" | "abandoned";

/**
 * The replies that this process is writing. They are independent of requests: a disconnected reader does not end them.
 */
export class Replies implements AsyncDisposable {
  readonly #deps: RepliesDeps;
  readonly #runs: ReplyRuns;
  readonly #checkpoints: Checkpoints;
  readonly #running = new Map<string, LiveReply>();
  /** Replies whose provider is still streaming. */
  readonly #producing = new Set<LiveReply>();
  /** Replies that were interrupted by a shutdown, or because too much text is buffered. */
  readonly #cutOff = new Set<LiveReply>();
  /** Replies that another process has taken over, or whose chat was deleted. */
  readonly #lost = new Set<LiveReply>();
  #watch: NodeJS.Timeout | undefined;

  constructor(deps: RepliesDeps) {
    this.#deps = deps;
    this.#runs = new ReplyRuns(deps);
    this.#checkpoints = new Checkpoints({
      ...deps,
      database: deps.reserved,
      onLost: (reply) => this.#release(reply),
      isGrowing: (reply) => this.#producing.has(reply) && !reply.stopSignal.aborted,
      onTooMuch: (reply) => this.#interrupt(reply),
    });
    if (deps.isShared) this.#watch = setInterval(() => void this.#pollRunning(), SECOND / 2).unref();
  }

  /** Whether the process is shutting down, so that no new reply may start. */
  get isDraining(): boolean {
    return this.#runs.isDraining;
  }

  /** Number of replies that are running or whose end is not stored yet. */
  get runningCount(): number {
    return this.#running.size;
  }

  find(id: string): LiveReply | undefined {
    return this.#running.get(id);
  }

  /** Whether this process writes that run of a reply, or has yet to store its end. */
  isWriting(id: string, run: number): boolean {
    const reply = this.#running.get(id);
    return reply !== undefined && isRunOf(reply, run);
  }

  /** Finds the newest running reply of a chat: an earlier one that has ended may not be removed yet. */
  findInChat(chatId: string): LiveReply | undefined {
    return [...this.#running.values()].findLast((reply) => reply.chatId === chatId);
  }

  /** Lists an account's running replies in this process. */
  listOf(userId: string): LiveReply[] {
    return [...this.#running.values()].filter((reply) => reply.userId === userId);
  }

  /** Starts to write a reply, whose message is already stored in state `writing`. */
  start(order: ReplyOrder): LiveReply {
    const reply = new LiveReply(order);
    // The shutdown has passed this point: the next process finds the reply unfinished.
    if (this.#runs.abandoned.aborted) {
      reply.breakOff();
      return reply;
    }
    const earlier = this.#running.get(reply.id);
    if (earlier) this.#release(earlier);
    // Deleted first, so that the map keeps the order of starts.
    this.#running.delete(reply.id);
    this.#running.set(reply.id, reply);
    this.#checkpoints.watch(reply);
    this.#runs.add(this.#write(reply, order));
    return reply;
  }

  async #write(reply: LiveReply, work: ReplyWork): Promise<void> {
    const { log, bus, answerFiles } = this.#deps;
    const { spending } = work;
    const leaveBus = bus.subscribe(topics.stop(reply.id), () => void this.#pollRunning());
    this.#producing.add(reply);
    const produced = await this.#runs.produce(reply, work, {
      journal: callJournal(this.#deps, reply, spending),
      storePicture: (picture) => answerFiles.storePicture(picture),
      storeText: (text) => answerFiles.storeText(text),
      storing: this.#callsOf(reply),
    });
    this.#producing.delete(reply);
    leaveBus();
    const ending = await this.#end(reply, produced, spending);
    await this.#checkpoints.forget(reply);
    if (this.#running.get(reply.id) === reply) this.#running.delete(reply.id);
    const isLost = this.#lost.delete(reply);
    const { state, code } = produced;
    log.info({ reply: reply.id, state, code, chars: reply.text.length, ending }, "reply ended");
    // A reply of a deleted chat is not stored, and its readers must not reconnect.
    const isOver = ending === "stored" || (ending === "not ours" && state === "stopped" && !isLost);
    if (isOver) reply.finish(produced);
    else reply.breakOff();
    bus.publish(topics.reply(reply.id));
    bus.publish(topics.account(reply.userId));
  }

  #callsOf(reply: LiveReply): StoredCalls {
    const { database, bus } = this.#deps;
    const { id, userId: user_id, chatId: chat_id } = reply;
    return {
      commit: () => this.#checkpoints.commit(reply, () => reply.stopSignal.aborted),
      storeTurn: async (turn) => {
        const store = () => shortTransaction(database, (db) => storeTurn(db, { id, run: reply.writtenRun }, turn));
        await this.#untilStored(reply, store);
      },
      storeResumption: async (seq, resumption) => {
        const store = () =>
          shortTransaction(database, (db) => storeResumption(db, { id, run: reply.writtenRun }, seq, resumption));
        return (await this.#untilStored(reply, store))?.value ?? false;
      },
      awaitAnswers: (seq, question, signal) => awaitAnswers({ database, bus }, { id, seq, question }, signal),
      isApproved: async ({ tool: { group: server, name }, schemaDigest: schema_digest }) => {
        const key = { user_id, chat_id, server, name, schema_digest };
        return (await this.#untilStored(reply, () => isApproved(database, key)))?.value ?? false;
      },
    };
  }

  /** Stores the end of a reply if this process still owns it. */
  async #end(reply: LiveReply, produced: ReplyEnd, spending: Spending): Promise<Ending> {
    if (this.#lost.has(reply)) {
      await this.#untilStored(reply, () => countLost(this.#deps.database, reply.id, spending));
      return "not ours";
    }
    const isCutOff = this.#cutOff.delete(reply) && produced.state === "stopped";
    if (isCutOff) reply.endReasoning();
    else reply.closeText();
    const end: ReplyEnd = isCutOff ? { state: "interrupted", model: produced.model } : produced;
    for (const { seq, change } of unansweredCalls(reply.parts.all, end.state)) reply.changeTool(seq, change);
    if (end.state === "interrupted") end.state = interruptedState(reply.parts.all);
    const ending = await this.#store(reply, end, spending);
    if (ending === "abandoned") await this.#checkpoints.flush();
    return ending === "stored" && isCutOff ? "cut off" : ending;
  }

  /** Stores the end with retries while the database is away: text must not be lost while the process lives. */
  async #store(reply: LiveReply, end: ReplyEnd, spending: Spending): Promise<Exclude<Ending, "cut off">> {
    const { database, clock } = this.#deps;
    const { id, chatId, userId, timeZone, seams, startLength } = reply;
    const stored = await this.#untilStored(reply, () => {
      const { text: content, parts, run: storedRun, writtenRun: run } = reply;
      const text = { content, startLength, seams, parts: parts.all, rev: parts.rev };
      return storeEnd(database, {
        id,
        chatId,
        userId,
        timeZone,
        run,
        storedRun,
        ...text,
        end,
        endedAt: clock.now(),
        spending,
      });
    });
    if (!stored) return "abandoned";
    return stored.value ? "stored" : "not ours";
  }

  #untilStored<T>({ id }: LiveReply, store: () => Promise<T>): Promise<{ value: T } | undefined> {
    return this.#deps.settlements.untilStored(store, { subject: { reply: id }, signal: this.#runs.abandoned });
  }

  /** Stops the provider of a reply that this process can no longer store. */
  #release(reply: LiveReply): void {
    // A reply that is being ended here, by a deletion or by its own end, has not been taken over.
    if (!this.#producing.has(reply) || this.#lost.has(reply) || reply.stopSignal.aborted) return;
    this.#deps.log.warn({ reply: reply.id }, "reply was taken over by another process, or its chat was deleted");
    this.#lost.add(reply);
    reply.stop(new CallInterrupted());
  }

  /** Ends a reply as interrupted: it is stored when the database is back, and continues when its reader reconnects. */
  #interrupt(reply: LiveReply): void {
    this.#deps.log.warn(
      { reply: reply.id, chars: reply.text.length },
      "reply interrupted: too much unsaved text in memory",
    );
    this.#cutOff.add(reply);
    reply.stop(new CallInterrupted());
  }

  /** Polls the database for requests of other processes to stop a reply, and for replies that they have taken over. */
  async #pollRunning(): Promise<void> {
    const producing = [...this.#producing];
    if (producing.length === 0) return;
    const ids = producing.map(({ id }) => id);
    const rows = await listRuns(this.#deps.database, ids).catch(() => undefined);
    if (!rows) return;
    const runs = new Map(rows.map((row) => [row.id, row]));
    for (const reply of producing) {
      const stored = runs.get(reply.id);
      if (!this.#producing.has(reply)) continue;
      if (!stored || !isRunOf(reply, stored.run)) this.#release(reply);
      else if (stored.stop_requested) reply.stop();
    }
  }

  /** Shuts down: refuses new replies, waits for the grace period, stores all text, and disconnects readers. */
  async drain(): Promise<void> {
    await this.#runs.drain(() => {
      for (const reply of this.#running.values()) {
        if (!reply.stopSignal.aborted) this.#cutOff.add(reply);
        reply.stop(new CallInterrupted());
      }
    });
    clearInterval(this.#watch);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.drain();
  }
}
