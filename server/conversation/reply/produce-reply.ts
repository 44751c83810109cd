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
  /** In the order in which they are tried. */
  candidates: Model[];
  /** Whether a reply that breaks off may be continued by the next candidate. */
  isAutomatic: boolean;
  limits: ReplyLimits;
  /** Told of every failed call. */
  onFailure(model: Model, error: ModelError): void;
  /** Told of every call, however it ended. */
  onCount(count: CallCount): void;
  watchProduction?: WatchProduction | undefined;
};

/** Has a reply written by calling `produce`, and measures it. */
export type WatchProduction = (reply: GrowingReply, produce: () => Promise<ReplyEnd>) => Promise<ReplyEnd>;

/** In UTF-16 units; a reply that reaches it ends there. */
export const MAX_REPLY_CHARS = 1_000_000;
const MAX_RETRY_WAIT_MS = 20 * SECOND;
const RETRY_WAIT_MS = SECOND / 2;

/**
 * Has a reply written, or continued where it has words already: by the first candidate that gets to its first word. A
 * single candidate is asked once more where that may help. After the first word a failure ends it with its words kept;
 * only under automatic choice does the next candidate go on from there.
 * @returns how it ended; never throws
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
  // Checked at each word: reading `signal.aborted` costs more than the rest of this function.
  let isOver = signal.aborted;
  const noteAbort = () => {
    isOver = true;
  };
  signal.addEventListener("abort", noteAbort, { once: true });
  const sink = {
    onLife: () => silence.noteLife(),
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

/** An answer at the end of a prompt is to be continued. */
function withReply(prompt: Prompt, text: string): Prompt {
  if (text === "") return prompt;
  return { ...prompt, messages: [...prompt.messages, { role: "assistant", content: text }] };
}

/** Adds the words of a continuation to a reply, without what they repeat of it; the seam is marked at the first one. */
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

/** Aborts when the first text, or later any byte, is too long in coming. One timer, moved on only when it fires. */
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

  /** Text has come; its bytes were told as life before. */
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

/** Waits as the provider asks, within reason; `false` where asking again is of no use. */
async function waitToRetry(failure: ModelError, signals: readonly AbortSignal[]): Promise<boolean> {
  const waitMs = failure.retryAfterMs ?? RETRY_WAIT_MS;
  if (!failure.isRetryable || waitMs > MAX_RETRY_WAIT_MS) return false;
  using scope = new AbortScope({ parents: signals });
  const { signal } = scope;
  await setTimeout(waitMs, undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
}
