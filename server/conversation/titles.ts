import { SECOND } from "#contract/limits.ts";
import type { Settlements } from "../budgets/settlements.ts";
import type { Spending } from "../budgets/spending.ts";
import type { Bus } from "../bus/bus.ts";
import { nameChat } from "../chats/name-chat.ts";
import { AbortScope } from "../concurrency/abort-scope.ts";
import type { Clock } from "../concurrency/clock.ts";
import type { Database } from "../database/schema.ts";
import type { Log } from "../log.ts";
import type { Model } from "../models/model.ts";
import { askForTitle } from "../models/title-prompt.ts";
import type { LiveReply } from "./reply/live-reply.ts";
import type { ReplyEnd } from "./reply/reply-end-store.ts";

export type TitlesDeps = { database: Database; clock: Clock; bus: Bus; log: Log; settlements: Settlements };

/** `candidates`: the models of the reply. `spending`: the money of the title. */
export type TitleOrder = { question: string; candidates: readonly Model[]; spending: Spending };

const LIMIT_MS = 30 * SECOND;

/**
 * Requests titles from the model after the reply. Until then, or if that fails, the title is the shortened question.
 */
export class Titles implements AsyncDisposable {
  readonly #deps: TitlesDeps;
  readonly #closing = new AbortController();
  readonly #work = new Set<Promise<void>>();

  constructor(deps: TitlesDeps) {
    this.#deps = deps;
  }

  /** Requests a title from the model of the first reply, when that has ended with text. */
  giveAfter(reply: LiveReply, order: TitleOrder): void {
    const work = this.#give(reply, order)
      .catch((error: unknown) => this.#deps.log.info({ err: error, chat: reply.chatId }, "no title from the model"))
      .finally(() => this.#work.delete(work));
    this.#work.add(work);
  }

  async #give(reply: LiveReply, { question, candidates, spending }: TitleOrder): Promise<void> {
    const end = await this.#endOf(reply);
    const writers = candidates.flatMap((model) => [model, ...(model.successor ? [model.successor] : [])]);
    const writer = writers.find(({ value }) => value === end?.model);
    if (!end || !writer || reply.text === "") return;
    using scope = new AbortScope({ parents: [this.#closing.signal], ms: LIMIT_MS });
    try {
      const title = await askForTitle(spending.counted(writer), { question, answer: reply.text }, scope.signal);
      await nameChat(this.#deps, reply.userId, reply.chatId, title);
    } finally {
      const subject = { titleOf: reply.chatId };
      await this.#deps.settlements.settle(spending, { subject, signal: this.#closing.signal });
    }
  }

  /** Waits for the end of a reply; `null` if this process stops writing it or shuts down first. */
  async #endOf(reply: LiveReply): Promise<ReplyEnd | null> {
    const { signal } = this.#closing;
    if (signal.aborted) return null;
    const closed = Promise.withResolvers<null>();
    const leave = () => closed.resolve(null);
    // One promise for the whole life of the server would retain the result of each race.
    signal.addEventListener("abort", leave, { once: true });
    try {
      return await Promise.race([reply.ended, closed.promise]);
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#work);
  }
}
