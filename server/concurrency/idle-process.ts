import { Failure } from "../failure.ts";
import { AbortScope } from "./abort-scope.ts";
import type { Flow } from "./fair-queue.ts";
import { KeyedSemaphore } from "./keyed-semaphore.ts";
import type { LimitedProcess } from "./limited-process.ts";
import { outsideRequests } from "./outside-requests.ts";

type EndingProcess = Pick<LimitedProcess<never>, "isEnded" | "end">;

/**
 * A child process for one request at a time, which starts with the first request, is replaced once it has ended, and ends
 * after a time without requests, because it takes memory. Flows take turns.
 */
export class IdleProcess<P extends EndingProcess> implements AsyncDisposable {
  readonly #start: () => P;
  readonly #idleMs: number;
  readonly #lock = new KeyedSemaphore({ atOnce: 1, maxWaiting: Number.POSITIVE_INFINITY });
  readonly #closing = new AbortController();
  #process: P | undefined;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(start: () => P, idleMs: number) {
    this.#start = start;
    this.#idleMs = idleMs;
  }

  /**
   * Runs a request in the process.
   * @param signal ends the wait, and the signal of the request
   * @throws Failure `unavailable` if the process is closed; the signal's reason; what the request throws
   */
  run<T>(flow: Flow, request: (process: P, signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#lock.run(flow, () => this.#run(request, signal), signal);
  }

  async #run<T>(request: (process: P, signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    using scope = new AbortScope({ parents: [this.#closing.signal, ...(signal ? [signal] : [])] });
    scope.signal.throwIfAborted();
    clearTimeout(this.#idleTimer);
    if (!this.#process || this.#process.isEnded) this.#process = this.#start();
    try {
      return await request(this.#process, scope.signal);
    } finally {
      const end = () => void this.#process?.end();
      this.#idleTimer = outsideRequests(() => setTimeout(end, this.#idleMs)).unref();
    }
  }

  /** Refuses waiting requests, and ends the process with the one that it runs. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#lock[Symbol.dispose]();
    this.#closing.abort(new Failure("unavailable"));
    clearTimeout(this.#idleTimer);
    await this.#process?.end();
  }
}
