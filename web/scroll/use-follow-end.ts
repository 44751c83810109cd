import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { hasScrollAnchoring } from "./keep-position.ts";
import { lazyScrollModule } from "./use-scroll-position.ts";

/** Distance (px) within which a reader counts as being at the end. */
const NEAR = 48;
/** Tolerance (px): positions are fractions of a pixel on many screens. */
const VERY_NEAR = 1;
/** Space (px) above a question at the top of the view. */
const ABOVE = 24;
/**
 * Largest share of the view that a question takes. The end of a long text is enough, but a cut picture is not. A refused
 * question has no answer that needs the rest.
 */
const MOST_OF_VIEW = { text: 0.4, files: 0.75, refusal: 1 };

type Asked = { element: Element; has: keyof typeof MOST_OF_VIEW };

export type FollowEnd = {
  scroller: RefObject<HTMLDivElement | null>;
  list: RefObject<HTMLOListElement | null>;
  /** Spacer below the list, as tall as a question needs to reach the top of the view. */
  room: RefObject<HTMLDivElement | null>;
  isAtEnd: boolean;
  /** Scrolls to the end, and follows it. */
  jump: () => void;
  /**
   * Scrolls a new question to the top of the view, with room for its answer below. The view stays there when the answer
   * becomes longer than the room.
   */
  showQuestion: (question: Asked | null) => void;
  /** Shows the refused last question as far as it fits, with its notice, unless the reader has scrolled away. */
  showRefused: (element: Element) => void;
  /** Resets for another chat. */
  begin: () => void;
  /** Stops following the end. */
  leave: () => void;
};

/**
 * Follows the end of growing content as long as the reader is there. `isToEnd`: the rendered messages include the
 * newest one. `onScroll` receives whether the end is followed.
 */
export function useFollowEnd(isToEnd: boolean, onScroll: (isFollowing: boolean) => void): FollowEnd {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const room = useRef<HTMLDivElement>(null);
  const asked = useRef<Asked | null>(null);
  const isFollowing = useRef(true);
  /** The view follows the end only until the answer fills the room below its question. */
  const isAtQuestion = useRef(false);
  const now = useRef({ isToEnd, onScroll });
  now.current = { isToEnd, onScroll };
  const last = useRef({ top: 0, height: 0, view: 0 });
  const [isAtEnd, setAtEnd] = useState(true);

  const settle = useCallback(() => {
    const box = scroller.current;
    if (!box || !list.current || !room.current) return;
    // A question that was cancelled, or moved back to the box, is not at any position.
    if (asked.current && !asked.current.element.isConnected) {
      asked.current = null;
      isAtQuestion.current = false;
    }
    const height = roomBelow(asked.current, list.current, box);
    room.current.style.height = `${height}px`;
    if (isAtQuestion.current && height === 0) {
      isAtQuestion.current = false;
      isFollowing.current = false;
      // In a low view, a question and its empty answer may leave no room from the beginning.
      if (asked.current) box.scrollTop += topOf(asked.current, box) - box.getBoundingClientRect().top;
    }
    // While the end is followed, scroll anchoring is off: its corrections would look like the reader scrolling up.
    box.style.setProperty("overflow-anchor", isFollowing.current ? "none" : "auto");
    if (isFollowing.current && now.current.isToEnd) box.scrollTop = box.scrollHeight;
    const gap = box.scrollHeight - box.scrollTop - box.clientHeight;
    // The new position is not treated as the reader's scrolling, even if content grows before the scroll event.
    last.current = measure(box);
    setAtEnd(now.current.isToEnd && (isFollowing.current || gap - height <= NEAR));
  }, []);

  const jump = useCallback(() => {
    isFollowing.current = true;
    isAtQuestion.current = false;
    settle();
  }, [settle]);
  const showQuestion = useCallback(
    (question: Asked | null) => {
      asked.current = question;
      isFollowing.current = true;
      isAtQuestion.current = question !== null;
      settle();
    },
    [settle],
  );
  const showRefused = useCallback(
    (element: Element) => {
      if (!isFollowing.current && !(scroller.current && isInView(element, scroller.current))) return;
      asked.current = { element, has: "refusal" };
      jump();
    },
    [jump],
  );
  const begin = useCallback(() => showQuestion(null), [showQuestion]);
  const leave = useCallback(() => {
    isFollowing.current = false;
    settle();
  }, [settle]);

  useWatching(scroller, list, { isFollowing, last, now, settle, leave });
  return { scroller, list, room, isAtEnd, jump, showQuestion, showRefused, begin, leave };
}

type Watched = Pick<FollowEnd, "leave"> & {
  box: HTMLElement;
  list: HTMLElement;
  isFollowing: RefObject<boolean>;
  last: RefObject<ReturnType<typeof measure>>;
  now: RefObject<{ isToEnd: boolean; onScroll: (isFollowing: boolean) => void }>;
  settle: () => void;
};

/** Watches the scrolling of the box, and the sizes of the box and the list. */
function useWatching(
  scroller: FollowEnd["scroller"],
  content: FollowEnd["list"],
  { isFollowing, last, now, settle, leave }: Omit<Watched, "box" | "list">,
): void {
  useEffect(() => {
    const [box, list] = [scroller.current, content.current];
    if (!box || !list) return;
    const watched = { box, list, isFollowing, last, now, settle, leave };
    const endings = [watchScrolling(watched), watchReader(watched)];
    return () => {
      for (const end of endings) end();
    };
  }, [scroller, content, isFollowing, last, now, settle, leave]);
}

const measure = ({ scrollTop: top, scrollHeight: height, clientHeight: view }: HTMLElement) => ({ top, height, view });

/**
 * Distinguishes the reader's scrolling from the browser's corrections when content changes its size. @returns a
 * function that stops it
 */
function watchScrolling({ box, list, isFollowing, last, now, settle }: Watched): () => void {
  const listening = new AbortController();
  const options = { signal: listening.signal, passive: true };
  let isTouched = false;
  const handleScroll = () => {
    const { top, height, view } = measure(box);
    const gap = height - top - view;
    // Not the reader: the browser moves shrinking content down, and an overscroll bounces back to the very end.
    const shrunk = Math.max(0, last.current.height - height) + Math.max(0, view - last.current.view);
    const isBack = gap <= VERY_NEAR || (gap <= NEAR && top > last.current.top);
    // Only scrolling up, even slightly, stops following: growth alone does not.
    if (top < last.current.top - shrunk && gap > VERY_NEAR) isFollowing.current = false;
    else if (now.current.isToEnd && isBack) isFollowing.current = true;
    settle();
    now.current.onScroll(isFollowing.current && now.current.isToEnd);
  };
  const touch = ({ type }: Event) => {
    isTouched = type === "touchstart";
    if (!isTouched) settle();
  };
  const changes = new ResizeObserver(() => {
    // Nothing is moved during a touch.
    if (isTouched) last.current = measure(box);
    else settle();
  });
  changes.observe(list);
  changes.observe(box);
  listening.signal.addEventListener("abort", () => changes.disconnect());
  box.addEventListener("scroll", handleScroll, options);
  for (const name of ["touchstart", "touchend", "touchcancel"]) box.addEventListener(name, touch, options);
  return () => listening.abort();
}

/** Returns the position in the window (px) that the top of the view has when it shows a question. */
function topOf({ element, has }: Asked, box: Element): number {
  const { top, bottom } = element.getBoundingClientRect();
  return Math.max(top - ABOVE, bottom - box.clientHeight * MOST_OF_VIEW[has]);
}

function roomBelow(question: Asked | null, list: Element, box: Element): number {
  if (!question) return 0;
  const view = box.clientHeight;
  const from = topOf(question, box);
  const end = list.getBoundingClientRect().bottom + Number.parseFloat(getComputedStyle(list).marginBottom);
  return Math.max(0, view - (end - from));
}

function isInView(element: Element, box: Element): boolean {
  const [{ top, bottom }, view] = [element.getBoundingClientRect(), box.getBoundingClientRect()];
  return top < view.bottom && bottom > view.top;
}

/** Watches the input of the reader once the lazy module for it is loaded. @returns a function that stops it */
function watchReader({ box, list, isFollowing, now, leave }: Watched): () => void {
  const ends: (() => void)[] = [];
  const begin = () => {
    const reading = lazyScrollModule.get();
    if (!reading || ends.length > 0) return;
    ends.push(reading.watchLeaving(box, list, leave));
    if (!hasScrollAnchoring()) ends.push(reading.holdLine(box, list, () => isFollowing.current && now.current.isToEnd));
  };
  const unsubscribe = lazyScrollModule.subscribe(begin);
  begin();
  return () => {
    unsubscribe();
    for (const end of ends) end();
  };
}
