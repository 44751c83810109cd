import { type RefObject, startTransition, useEffect } from "react";
import { createPortal } from "react-dom";
import type { ClientMessage } from "../chats/state/chats-state.ts";
import { HoldFirst } from "./hold-first.ts";
import { JumpButton, useNewBelow } from "./jump-button.tsx";
import type { Window } from "./use-window.ts";

/** Distance (px) from an end of the window at which more messages are rendered. */
const AHEAD = "1600px 0px";

type Ref = RefObject<HTMLElement | null>;
type ReadingToolsProps = {
  chat: string;
  messages: readonly ClientMessage[];
  range: Window;
  box: Ref;
  list: Ref;
  /** Elements at the ends of the window, if there are more messages. */
  above: Ref;
  below: Ref;
  isAtEnd: boolean;
  /** Beside the messages, so that the button covers no words. */
  jumpSlot: Ref;
  onJump: () => void;
};

/**
 * Extends the window while the reader scrolls, holds the scroll position meanwhile, and jumps to the newest message.
 */
export function ReadingTools(props: ReadingToolsProps) {
  const { messages, range, box, above, below, isAtEnd, jumpSlot, onJump, ...held } = props;
  const newBelow = useNewBelow(messages, isAtEnd);
  useNear(box, above, range.start, range.showEarlier);
  useNear(box, below, range.end, range.showLater);
  return (
    <>
      <HoldFirst {...held} box={box} above={above} start={range.start} />
      {!isAtEnd && jumpSlot.current && createPortal(<JumpButton count={newBelow} onJump={onJump} />, jumpSlot.current)}
    </>
  );
}

/** Calls `onNear` repeatedly while an element at an end of the window is near the view. */
function useNear(box: Ref, edge: Ref, index: number, onNear: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a moved end is observed again
  useEffect(() => {
    if (!box.current || !edge.current) return;
    const near = new IntersectionObserver(
      (seen) => {
        if (seen.at(-1)?.isIntersecting) startTransition(onNear);
      },
      { root: box.current, rootMargin: AHEAD },
    );
    near.observe(edge.current);
    return () => near.disconnect();
  }, [box, edge, index]);
}
