// Preloaded into servers under test: on SIGUSR2 the wall clock steps, by turns an hour on and an hour back, and a message
// sets it to any offset. The monotonic clock goes on as it does in truth.
import { isMainThread } from "node:worker_threads";

const HOUR_MS = 3_600_000;

if (isMainThread) {
  const TrueDate = Date;
  let offsetMs = 0;
  class SteppedDate extends TrueDate {
    /** @param {any[]} given */
    constructor(...given) {
      if (given.length === 0) super(TrueDate.now() + offsetMs);
      // @ts-expect-error What a Date takes is for it to say.
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
  // It is no reason to stay.
  process.channel?.unref();
}
