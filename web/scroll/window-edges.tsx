import { type RefObject, startTransition, useEffect } from "react";
import type { ClientMessage } from "../chats/state/chats-state.ts";
import { HoldFirst } from "./hold-first.ts";
import { JumpButton, useNewBelow } from "./jump-button.tsx";
import type { Window } from "./use-window.ts";

/** So far (px) before the reader comes to an end of what is shown, there is more. */
const AHEAD = "1600px 0px";

type Ref = RefObject<HTMLElement | null>;
type ReadingToolsProps = {
  chat: string;
  messages: readonly ClientMessage[];
  range: Window;
  box: Ref;
  list: Ref;
  /** What stands at the ends of what is shown, where there is more. */
  above: Ref;
  below: Ref;
  isAtEnd: boolean;
  onJump: () => void;
};

/** Shows more as one goes on, keeps the place meanwhile, and leads back to the newest. */
export function ReadingTools({ messages, range, box, above, below, isAtEnd, onJump, ...held }: ReadingToolsProps) {
  const newBelow = useNewBelow(messages, isAtEnd);
  useNear(box, above, range.start, range.showEarlier);
  useNear(box, below, range.end, range.showLater);
  return (
    <>
      <HoldFirst {...held} box={box} above={above} start={range.start} />
      {!isAtEnd && <JumpButton count={newBelow} onJump={onJump} />}
    </>
  );
}

/** Has `onNear` called, time after time, while an element that stands at an end of what is shown is near to the view. */
function useNear(box: Ref, edge: Ref, place: number, onNear: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a place that has moved is looked at anew
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
  }, [box, edge, place]);
}
