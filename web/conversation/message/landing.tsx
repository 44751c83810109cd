import "./landing.css";
import { type RefObject, useEffect, useRef } from "react";
import type { ClientMessage } from "../../chats/chats-state.ts";

/** Messages before the one that is shown: it does not stand at the very top. */
const BEFORE = 5;
/** How long the message is marked (ms). */
const MARKED_MS = 2400;
/** So long (ms) may what stands above it grow: replies become rich, code gets its colours. */
const SETTLING_MS = 1500;
const READER_EVENTS = ["wheel", "touchstart", "pointerdown", "keydown"] as const;

export type LandingProps = {
  /** The id of the message that is to be shown. */
  wanted: string;
  messages: readonly ClientMessage[];
  scroller: RefObject<HTMLElement | null>;
  /** So many messages stand before the first one on the page. */
  hidden: number;
  /** Puts all messages from a place on on the page. */
  onShowFrom: (place: number) => void;
  /** Shows the branch through the message. @returns whether it is there then */
  onChoose: () => Promise<boolean>;
  /** The end of the chat is not what is looked at any more. */
  onLand: () => void;
  /** It is shown, or cannot be. */
  onEnd: () => void;
};

/** Brings a message to the reader, on whichever branch it is. Shows nothing itself. */
export default function Landing({ wanted, messages, scroller, hidden, ...acts }: LandingProps) {
  const place = messages.findIndex(({ id }) => id === wanted);
  const isOnPage = place >= hidden;
  const chosen = useRef<string | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is done is the same at each render, why is not
  useEffect(() => {
    if (place !== -1 && !isOnPage) return acts.onShowFrom(place - BEFORE);
    const item = place === -1 ? undefined : scroller.current?.querySelector("ol")?.children[place - hidden];
    if (item instanceof HTMLElement) {
      acts.onLand();
      landOn(item);
      acts.onEnd();
    } else if (chosen.current !== wanted) {
      chosen.current = wanted;
      void acts.onChoose().then((isThere) => isThere || acts.onEnd());
    }
  }, [wanted, place, isOnPage]);
  return null;
}

/** Brings a message into view, gives it the focus and marks it for a moment. */
function landOn(item: HTMLElement): void {
  const list = item.parentElement;
  const leaving = new AbortController();
  const { signal } = leaving;
  const place = () => {
    const isTall = item.offsetHeight > window.innerHeight / 2;
    item.scrollIntoView({ block: isTall ? "start" : "center" });
  };
  const settling = new ResizeObserver(place);
  for (const name of READER_EVENTS) document.addEventListener(name, () => leaving.abort(), { signal, passive: true });
  signal.addEventListener("abort", () => settling.disconnect());
  setTimeout(() => leaving.abort(), SETTLING_MS);
  item.tabIndex = -1;
  item.focus({ preventScroll: true });
  item.dataset.landed = "";
  setTimeout(() => delete item.dataset.landed, MARKED_MS);
  place();
  if (list) settling.observe(list);
}
