import { startTransition, useCallback, useEffect, useState } from "react";
import type { ClientMessage } from "../chats/state/chats-state.ts";

/** Number of messages with which a chat opens. */
const FIRST = 12;
/** Number of messages to which the window grows automatically. */
const WINDOW = 50;
/** Number of messages per step: rendering a step blocks the main thread only briefly. */
const STEP = 8;

/** `end` null: to the newest message. */
type View = { chat: string; start: number; end: number | null };

export type Window = ReturnType<typeof useWindow>;

/** Returns the window of rendered messages of a chat. `at`: index of the message at which it opens; -1 for the end. */
export function useWindow(chat: string, messages: readonly ClientMessage[], at: () => number) {
  const count = messages.length;
  const [state, setView] = useState<View | null>(null);
  const view = state?.chat === chat ? state : around(chat, at(), count);
  if (view !== state) setView(view);
  const start = Math.max(0, Math.min(view.start, count - FIRST));
  const end = Math.min(view.end ?? count, count);
  const change = useCallback(
    (to: (view: View) => View) => setView((now) => (now?.chat === chat ? to(now) : now)),
    [chat],
  );
  const showEarlier = useCallback(
    () => change((now) => ({ ...now, start: Math.max(0, Math.min(now.start, start) - STEP) })),
    [change, start],
  );
  const showLater = () => change((now) => ({ ...now, end: end + STEP >= count ? null : end + STEP }));
  const isFilling = end === count && start > 0 && count - start < WINDOW;
  useEffect(() => {
    if (!isFilling) return;
    // Each step is painted before the next one.
    const timer = setTimeout(() => startTransition(showEarlier), 50);
    return () => clearTimeout(timer);
  }, [isFilling, showEarlier]);
  return {
    start,
    end,
    isToEnd: end === count,
    showEarlier,
    showLater,
    showAround: (place: number) => setView(around(chat, place, count)),
    showEnd: () => change((now) => (now.end === null ? now : around(chat, -1, count))),
    // Another branch, which may be shorter or longer, starts at the same index.
    pin: useCallback(() => change((now) => ({ ...now, start })), [change, start]),
  };
}

function around(chat: string, place: number, count: number): View {
  const first = place < 0 ? count - FIRST : place - FIRST / 2;
  const last = first + 2 * FIRST;
  return { chat, start: Math.max(0, first), end: last >= count ? null : last };
}
