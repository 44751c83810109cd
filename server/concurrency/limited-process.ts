import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { SECOND } from "#contract/limits.ts";
import { Failure } from "../failure.ts";
import { type ProcessLimits, startConfined } from "./confined-child.ts";
import { outsideRequests } from "./outside-requests.ts";

export type { ProcessLimits } from "./confined-child.ts";

/**
 * How a request ended: with an answer, with the exit of the process, or with neither in time. `code`: exit code, null
 * after a signal.
 */
export type ProcessOutcome<Answer> = { answer: Answer } | { code: number | null } | "timeout";

/** Sends a message of a request; resolves when the process can take another. */
export type Post = (message: object) => Promise<void>;

/** First message of a process: it can take requests. */
export type ReadyMessage = "ready";

/** Time for a process to start, in ms; on a busy machine it takes seconds. */
const START_MS = 30 * SECOND;

/**
 * A child process for work on untrusted texts, one request at a time. A worker thread is no boundary for it: if an
 * array or string does not fit into the heap of a thread, V8 aborts the whole process, limits or not.
 */
export class LimitedProcess<Answer> {
  readonly #child: ChildProcess;
  readonly #started = Promise.withResolvers<void>();
  #isEnded = false;
  #isKilled = false;
  /** Receives the answer to the current request. */
  #onAnswer: (answer: Answer) => void = () => undefined;

  /** @param entry module that calls `runLimited` */
  constructor(entry: URL, limits: ProcessLimits) {
    this.#child = outsideRequests(() => startConfined(entry, limits));
    const onEnd = (reason: unknown) => {
      this.#isEnded = true;
      this.#started.reject(new Error("A process with limits has not started", { cause: reason }));
    };
    this.#child
      .on("message", (message: ReadyMessage | Answer) => {
        if (message === "ready") this.#started.resolve();
        else this.#onAnswer(message as Answer);
      })
      .once("exit", onEnd)
      .on("error", onEnd);
    // The process may end when no request waits for its start.
    this.#started.promise.catch(() => undefined);
    this.#unref();
  }

  /** Whether the process takes no more requests: a killed one may exit later. */
  get isEnded(): boolean {
    return this.#isEnded || this.#isKilled;
  }

  /**
   * Sends a request and returns its outcome. The caller ends the process after any outcome but an answer.
   * @param send posts the messages of the request; it should stop once the process has ended
   * @param timeoutMs for the answer, once everything is sent
   * @throws the signal's reason; what `send` throws; Failure `unavailable` or Error if the process does not start
   */
  async ask(
    send: (post: Post) => Promise<void>,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<ProcessOutcome<Answer>> {
    const { promise: ended, resolve, reject } = Promise.withResolvers<ProcessOutcome<Answer>>();
    this.#onAnswer = (answer) => resolve({ answer });
    const onExit = (code: number | null) => resolve({ code });
    const onAbort = () => reject(signal.reason);
    this.#child.once("exit", onExit);
    signal.addEventListener("abort", onAbort);
    this.#ref();
    let timer = setTimeout(() => reject(new Failure("unavailable")), START_MS);
    try {
      await Promise.race([this.#started.promise, ended]);
      clearTimeout(timer);
      await Promise.race([send((message) => this.#post(message)), ended]);
      timer = setTimeout(resolve, timeoutMs, "timeout");
      return await ended;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      this.#child.off("exit", onExit);
      this.#unref();
    }
  }

  #post(message: object): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    // Fails if the process has ended, which has an event of its own.
    this.#child.send(message, () => resolve());
    return promise;
  }

  /** A process at rest does not keep the server running. */
  #unref(): void {
    this.#child.unref();
    this.#child.channel?.unref();
  }

  #ref(): void {
    this.#child.ref();
    this.#child.channel?.ref();
  }

  /** Kills the process. */
  async end(): Promise<void> {
    if (this.#isEnded) return;
    this.#isKilled = true;
    this.#child.ref();
    const exit = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await exit;
  }
}
