import { SECOND } from "#contract/limits.ts";
import { Failure } from "../failure.ts";

/** Threads that render at once on this server: each takes some 60 MB. */
const AT_ONCE = 2;
const MAX_WAITING = 20;
const MAX_WAIT_MS = 30 * SECOND;

/** Whose turn it is to render: few at a time, the others in the order in which they came. */
export class RenderTurns {
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /**
   * Does some work when its turn has come.
   * @throws Failure `unavailable` where too many wait, or it does too long; the signal's reason
   */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    if (this.#running < AT_ONCE) this.#running++;
    else await this.#wait(signal);
    try {
      return await work();
    } finally {
      // The turn goes over to who waits longest.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }

  async #wait(signal: AbortSignal): Promise<void> {
    if (this.#waiting.length >= MAX_WAITING) throw new Failure("unavailable", { retryAfterSeconds: 10 });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = (reason: unknown) => {
      const place = this.#waiting.indexOf(resolve);
      if (place === -1) return;
      this.#waiting.splice(place, 1);
      reject(reason);
    };
    const leaveWithReader = () => leave(signal.reason);
    this.#waiting.push(resolve);
    const timer = setTimeout(() => leave(new Failure("unavailable", { retryAfterSeconds: 10 })), MAX_WAIT_MS);
    signal.addEventListener("abort", leaveWithReader);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", leaveWithReader);
    }
  }
}
