// Preloaded into servers under test. SIGUSR2 moves the wall clock an hour forward and at the next signal back; a
// message sets any offset. The monotonic clock is not changed.
import { isMainThread } from "node:worker_threads";

const HOUR_MS = 3_600_000;

if (isMainThread) {
  const TrueDate = Date;
  let offsetMs = 0;
  class SteppedDate extends TrueDate {
    /** @param {any[]} given */
    constructor(...given) {
      if (given.length === 0) super(TrueDate.now() + offsetMs);
      // @ts-expect-error The arguments are passed through to Date.
      else super(...given);
    }

    static now() {
      return TrueDate.now() + offsetMs;
    }
  }
  /** @param {number} ms */
  const setOffset = (ms) => {
    offsetMs = ms;
    globalThis.Date = /** @type {DateConstructor} */ (/** @type {unknown} */ (SteppedDate));
  };
  process.on("SIGUSR2", () => setOffset(offsetMs === 0 ? HOUR_MS : 0));
  process.on("message", (message) => {
    if (typeof message !== "object" || message === null || !("clockOffsetMs" in message)) return;
    setOffset(Number(message.clockOffsetMs));
    process.send?.(message);
  });
  // The channel must not keep the process alive.
  process.channel?.unref();
}
