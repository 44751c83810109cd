import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

/** A reader this near to the end (px) is at the end. */
const NEAR = 48;
/** Positions are fractions of a pixel on many screens. */
const VERY_NEAR = 1;

type FollowEnd = {
  scroller: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
  isAtEnd: boolean;
  jump: () => void;
  /** Somebody looks at something else than the end. */
  leave: () => void;
};

/**
 * Keeps the end of what grows in view as long as the reader is there, and leaves the reader alone otherwise. `subject`:
 * what is shown; another one begins at its end.
 */
export function useFollowEnd(subject: string | null): FollowEnd {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  const [isAtEnd, setAtEnd] = useState(true);

  const jump = useCallback(() => {
    isFollowing.current = true;
    setAtEnd(true);
    const box = scroller.current;
    if (box) box.scrollTop = box.scrollHeight;
  }, []);

  const leave = useCallback(() => {
    isFollowing.current = false;
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another subject is the reason to jump
  useLayoutEffect(jump, [jump, subject]);

  useEffect(() => {
    const box = scroller.current;
    const inner = content.current;
    if (!box || !inner) return;
    let { scrollTop: lastTop, scrollHeight: lastHeight, clientHeight: lastView } = box;
    const look = () => {
      const { scrollTop, scrollHeight, clientHeight } = box;
      const gap = scrollHeight - scrollTop - clientHeight;
      // What shrinks is moved down by the browser, and what springs back stops at the very end: neither is the reader.
      const hasShrunk = scrollHeight < lastHeight || clientHeight > lastView;
      const isUp = scrollTop < lastTop && !hasShrunk && gap > VERY_NEAR;
      // Only a reader who goes up leaves the end, be it by a little: growing alone moves nobody away from it.
      if (isUp) isFollowing.current = false;
      else if (gap <= VERY_NEAR || (gap <= NEAR && scrollTop > lastTop)) isFollowing.current = true;
      lastTop = scrollTop;
      lastHeight = scrollHeight;
      lastView = clientHeight;
      setAtEnd(gap <= NEAR || isFollowing.current);
    };
    const grow = new ResizeObserver(() => {
      if (isFollowing.current) box.scrollTop = box.scrollHeight;
      look();
    });
    box.addEventListener("scroll", look, { passive: true });
    grow.observe(inner);
    grow.observe(box);
    return () => {
      box.removeEventListener("scroll", look);
      grow.disconnect();
    };
  }, []);

  return { scroller, content, isAtEnd, jump, leave };
}
