import { setTimeout } from "node:timers/promises";
import { SECOND } from "#contract/limits.ts";
import { AbortScope } from "../../concurrency/abort-scope.ts";
import type { Model, Prompt } from "../../models/model.ts";
import { ModelError } from "../../models/model-error.ts";
import { fitPrompt } from "../../models/prompt-window.ts";
import { type CallCount, counted } from "../../usage/call-count.ts";
import type { GrowingReply } from "./live-reply.ts";
import { OverlapFilter } from "./overlap-filter.ts";
import type { ReplyEnd } from "./reply-store.ts";

export type ReplyLimits = { firstTextMs: number; idleMs: number; maxMs: number };

export type Production = {
  reply: GrowingReply;
  prompt: Prompt;
  /** Models in the order of attempts. */
  candidates: Model[];
  /** Whether a reply that breaks off may be continued by the next candidate. */
  isAutomatic: boolean;
  limits: ReplyLimits;
  /** Called for every failed call. */
  onFailure(model: Model, error: ModelError): void;
  /** Called for every call, also for failed ones. */
  onCount(count: CallCount): void;
  watchProduction?: WatchProduction | undefined;
};

/** Runs `produce`, which writes the reply, and measures it. */
export type WatchProduction = (reply: GrowingReply, produce: () => Promise<ReplyEnd>) => Promise<ReplyEnd>;

/** Longest reply in UTF-16 units; a longer one is ended. */
export const MAX_REPLY_CHARS = 1_000_000;
const MAX_RETRY_WAIT_MS = 20 * SECOND;
const RETRY_WAIT_MS = SECOND / 2;

/**
 * Streams a reply, or continues its existing text, from the first candidate that returns a first word. A single
 * candidate is retried once if its error is transient. After the first word a failure ends the reply with its text
 * kept; under automatic choice the next candidate continues it.
 * @returns how the reply ended; never throws
 */
export async function produceReply(production: Production): Promise<ReplyEnd> {
  const { reply, watchProduction } = production;
  return watchProduction ? watchProduction(reply, () => produce(production)) : produce(production);
}

async function produce(production: Production): Promise<ReplyEnd> {
  const { reply, candidates, limits, isAutomatic, onFailure } = production;
  const lengthBefore = reply.text.length;
  using timeLimit = new AbortScope({ ms: limits.maxMs });
  const overdue = timeLimit.signal;
  const calls = candidates.length === 1 ? [...candidates, ...candidates] : candidates;
  let failure: ModelError | undefined;
  let asked: Model | undefined;
  for (const model of calls) {
    const hasWords = reply.text.length > lengthBefore;
    if (hasWords && (!isAutomatic || model === asked)) break;
    if (failure && model === asked && !(await waitToRetry(failure, [reply.stopSignal, overdue]))) break;
    asked = model;
    try {
      return await callModel(production, model, overdue);
    } catch (error) {
      failure = toModelError(error, overdue);
      onFailure(model, failure);
      if (reply.stopSignal.aborted || overdue.aborted || !failure.isForNextModel) break;
    }
  }
  const model = asked?.value ?? null;
  if (reply.stopSignal.aborted) return { state: "stopped", model };
  return { state: "failed", code: failure?.code ?? "assistant-failed", model };
}

async function callModel(production: Production, model: Model, overdue: AbortSignal): Promise<ReplyEnd> {
  const { reply, prompt, limits, onCount } = production;
  const fitted = fitPrompt(withReply(prompt, reply.text), model.contextTokens, model.maxOutputTokens);
  const continuation = reply.text === "" ? undefined : new Continuation(reply);
  const full = new AbortController();
  using silence = new SilenceWatch(limits);
  using scope = new AbortScope({ parents: [reply.stopSignal, overdue, silence.signal, full.signal] });
  const { signal } = scope;
  // A local flag, because reading `signal.aborted` for each word costs more than the rest of this function.
  let isOver = signal.aborted;
  const noteAbort = () => {
    isOver = true;
  };
  signal.addEventListener("abort", noteAbort, { once: true });
  const sink = {
    onLife: () => silence.noteLife(),
    onReasoning: () => {},
    onText: (text: string) => {
      silence.noteText();
      if (isOver) return;
      if (continuation) continuation.append(text);
      else reply.append(text);
      if (reply.text.length >= MAX_REPLY_CHARS) full.abort();
    },
  };
  try {
    const { reason, usage } = await counted(model, onCount).stream(fitted, sink, signal);
    continuation?.end();
    if (reason === "refused") return { state: "failed", code: "assistant-refused", model: model.value, ...usage };
    if (reply.text === "") throw new ModelError("assistant-failed", { providerCode: "empty_reply" });
    return { state: "complete", model: model.value, ...(reason === "length" && { isTruncated: true }), ...usage };
  } catch (error) {
    if (full.signal.aborted) return { state: "complete", model: model.value };
    throw error;
  }
}

/** Appends the reply's text to the prompt: models continue an assistant message at the end. */
function withReply(prompt: Prompt, text: string): Prompt {
  if (text === "") return prompt;
  return { ...prompt, messages: [...prompt.messages, { role: "assistant", content: text }] };
}

/** Appends a continuation to a reply without repeated text, and marks the seam before the first word. */
class Continuation {
  readonly #reply: GrowingReply;
  readonly #filter: OverlapFilter;
  #hasWords = false;

  constructor(reply: GrowingReply) {
    this.#reply = reply;
    this.#filter = new OverlapFilter(reply.text);
  }

  append(text: string): void {
    this.#add(this.#filter.push(text));
  }

  end(): void {
    this.#add(this.#filter.end());
  }

  #add(text: string): void {
    if (text === "") return;
    if (!this.#hasWords) this.#reply.markSeam();
    this.#hasWords = true;
    this.#reply.append(text);
  }
}

/** Aborts if the first text, or later any byte, takes too long. Uses one timer, which is rearmed only when it fires. */
class SilenceWatch implements Disposable {
  readonly #abort = new AbortController();
  readonly #idleMs: number;
  #timer: NodeJS.Timeout;
  #hasText = false;
  #lastLife = performance.now();

  constructor({ firstTextMs, idleMs }: ReplyLimits) {
    this.#idleMs = idleMs;
    this.#timer = globalThis.setTimeout(() => this.#giveUp(), firstTextMs);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  noteLife(): void {
    this.#lastLife = performance.now();
  }

  /** Notes that text has arrived; its bytes were noted before. */
  noteText(): void {
    if (this.#hasText) return;
    this.#hasText = true;
    this.#arm(this.#idleMs);
  }

  #arm(delayMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = globalThis.setTimeout(() => {
      const leftMs = this.#lastLife + this.#idleMs - performance.now();
      if (leftMs > 1) this.#arm(leftMs);
      else this.#giveUp();
    }, delayMs);
  }

  #giveUp(): void {
    this.#abort.abort(new ModelError("assistant-stalled"));
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}

function toModelError(error: unknown, overdue: AbortSignal): ModelError {
  if (overdue.aborted) return new ModelError("assistant-stalled", { cause: error });
  return error instanceof ModelError ? error : new ModelError("assistant-failed", { cause: error });
}

/** Waits for the provider's `retry-after`, up to a limit. @returns false if a retry is pointless */
async function waitToRetry(failure: ModelError, signals: readonly AbortSignal[]): Promise<boolean> {
  const waitMs = failure.retryAfterMs ?? RETRY_WAIT_MS;
  if (!failure.isRetryable || waitMs > MAX_RETRY_WAIT_MS) return false;
  using scope = new AbortScope({ parents: signals });
  const { signal } = scope;
  await setTimeout(waitMs, undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
}
