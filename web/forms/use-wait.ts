import { useEffect, useState } from "react";
import { MINUTE, SECOND } from "#contract/limits.ts";
import { waitOf } from "../api/problem-text.ts";

/** How often a wait is worded anew is told by its words: they count seconds at its end, and minutes before that. */
const nextWordMs = (leftMs: number) => leftMs % (leftMs > MINUTE + SECOND ? MINUTE : SECOND) || SECOND;

type Timed = { error: unknown; waitMs: number; until: number };

/** By a clock that nobody sets. */
function begin(error: unknown): Timed {
  const waitMs = waitOf(error) ?? 0;
  return { error, waitMs, until: performance.now() + waitMs };
}

/**
 * How long (ms) is left of the time that the server asked to wait when it refused, counted down; 0 without such a
 * refusal and once that time is over. `waitMs`: the whole of it.
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
