import { startTransition, useCallback, useEffect, useState } from "react";
import type { ClientMessage } from "../chats/state/chats-state.ts";
import { openingRange, type Range } from "./opening-range.ts";

/** Number of messages that stay if another branch is shorter than the window. */
const LEAST = 4;
/** Number of messages to which the window grows automatically. */
const WINDOW = 50;
/** Number of messages per step: rendering a step blocks the main thread only briefly. */
const STEP = 8;

type View = Range & { chat: string };

export type Window = ReturnType<typeof useWindow>;

/** Returns the window of rendered messages of a chat. `at`: index of the message at which it opens; -1 for the end. */
export function useWindow(chat: string, messages: readonly ClientMessage[], at: () => number) {
  const count = messages.length;
  const [state, setView] = useState<View | null>(null);
  const around = (index: number): View => ({ chat, ...openingRange(messages, index, window.innerHeight) });
  const view = state?.chat === chat ? state : around(at());
  if (view !== state) setView(view);
  const start = Math.max(0, Math.min(view.start, count - LEAST));
  const end = Math.min(view.end ?? count, count);
  const change = useCallback(
    (to: (view: View) => View) => setView((now) => (now?.chat === chat ? to(now) : now)),
    [chat],
  );
  const startAt = useCallback(
    (to: number) => change((now) => ({ ...now, start: Math.max(0, Math.min(now.start, to)) })),
    [change],
  );
  const showEarlier = useCallback(() => startAt(start - STEP), [startAt, start]);
  const showLater = () => change((now) => ({ ...now, end: end + STEP >= count ? null : end + STEP }));
  const isFilling = end === count && start > 0 && count - start < WINDOW;
  useEffect(() => {
    if (!isFilling) return;
    // Each step is painted before the next one.
    const next = Math.max(start - STEP, count - WINDOW);
    const timer = setTimeout(() => startTransition(() => startAt(next)), 50);
    return () => clearTimeout(timer);
  }, [isFilling, startAt, start, count]);
  return {
    start,
    end,
    isToEnd: end === count,
    showEarlier,
    showLater,
    showAround: (index: number) => setView(around(index)),
    showEnd: () => change((now) => (now.end === null ? now : around(-1))),
    // Another branch, which may be shorter or longer, starts at the same index.
    pin: useCallback(() => change((now) => ({ ...now, start })), [change, start]),
  };
}
