import { MINUTE, SECOND } from "#contract/limits.ts";

/** Returns the ms until the text of a wait changes: it counts minutes, then seconds at the end. */
const nextTextMs = (leftMs: number) => leftMs % (leftMs > MINUTE + SECOND ? MINUTE : SECOND) || SECOND;

/**
 * Calls `onLeft` with the ms left, at once and whenever the text of the wait changes, at last with 0. `until`: by the
 * monotonic clock (`performance.now`), which changes of the system clock do not affect. Returns a function that stops it.
 */
export function countDown(until: number, onLeft: (leftMs: number) => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const count = () => {
    const left = Math.max(0, until - performance.now());
    onLeft(left);
    if (left > 0) timer = setTimeout(count, nextTextMs(left));
  };
  count();
  return () => clearTimeout(timer);
}
