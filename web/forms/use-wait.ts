import { useEffect, useState } from "react";
import { MINUTE, SECOND } from "#contract/limits.ts";
import { waitOf } from "../api/problem-text.ts";

/** Returns the ms until the text of the wait changes: it counts minutes, then seconds at the end. */
const nextWordMs = (leftMs: number) => leftMs % (leftMs > MINUTE + SECOND ? MINUTE : SECOND) || SECOND;

type Timed = { error: unknown; waitMs: number; until: number };

/** Starts a wait by the monotonic clock, which system clock changes do not affect. */
function begin(error: unknown): Timed {
  const waitMs = waitOf(error) ?? 0;
  return { error, waitMs, until: performance.now() + waitMs };
}

/**
 * Counts down the ms left of the wait that the server's refusal asked for; 0 without such a refusal and once the wait
 * is over. `waitMs`: the whole wait.
 */
export function useWait(error: unknown): { waitMs: number; leftMs: number } {
  const [timed, setTimed] = useState(() => begin(error));
  const [leftMs, setLeft] = useState(timed.waitMs);
  if (timed.error !== error) {
    const begun = begin(error);
    setTimed(begun);
    setLeft(begun.waitMs);
  }
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const count = () => {
      const left = Math.max(0, timed.until - performance.now());
      setLeft(left);
      if (left > 0) timer = setTimeout(count, nextWordMs(left));
    };
    if (timed.waitMs > 0) count();
    return () => clearTimeout(timer);
  }, [timed]);
  return { waitMs: timed.waitMs, leftMs };
}
