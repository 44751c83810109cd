import { useEffect, useState } from "react";
import { waitOf } from "../api/problem-text.ts";
import { countDown } from "./count-down.ts";

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
  useEffect(() => (timed.waitMs > 0 ? countDown(timed.until, setLeft) : undefined), [timed]);
  return { waitMs: timed.waitMs, leftMs };
}
