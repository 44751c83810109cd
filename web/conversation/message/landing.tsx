import "./landing.css";
import { type RefObject, useEffect, useRef } from "react";
import { chatEvents } from "../../chats/state/chats-slice.ts";
import type { ClientMessage } from "../../chats/state/chats-state.ts";
import { wordCode } from "../../chats/state/word-failure.ts";
import { i18n } from "../../locales/i18n.ts";
import { branchToolsModule } from "../branches/lazy-tools.tsx";
import { type ChatSession, useChatSession } from "../chat-session.ts";

/** How long the message is marked (ms). */
const MARKED_MS = 2400;
/** So long (ms) may what stands above it grow: replies become rich, code gets its colours. */
const SETTLING_MS = 1500;
const READER_EVENTS = ["wheel", "touchstart", "pointerdown", "keydown"] as const;

export type LandingProps = {
  chat: string;
  /** The id of the message that is to be shown. Another one is for another landing. */
  wanted: string;
  messages: readonly ClientMessage[];
  scroller: RefObject<HTMLElement | null>;
  /** Holds the messages that are on the page. */
  list: RefObject<HTMLElement | null>;
  /** The messages from this place on ... */
  start: number;
  /** ... to that before this one are on the page. */
  end: number;
  /** Puts the messages around a place on the page. */
  onShow: (place: number) => void;
  /** The end of the chat is not what is looked at any more. */
  onLand: () => void;
  /** It is shown, or cannot be. */
  onEnd: () => void;
};

/** Brings a message to the reader, on whichever branch it is. Shows nothing itself. */
export default function Landing({ chat, wanted, messages, scroller, list, start, end, ...acts }: LandingProps) {
  const session = useChatSession();
  const place = messages.findIndex(({ id }) => id === wanted);
  const isOnPage = place >= start && place < end;
  const isChosen = useRef(false);
  const isHere = useRef(false);

  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is done is the same at each render, why is not
  useEffect(() => {
    if (place !== -1 && !isOnPage) return acts.onShow(place);
    if (place !== -1) {
      // The box takes the focus where a chat opens, in the same turn.
      const timer = setTimeout(() => {
        const item = list.current?.children[place - start];
        acts.onLand();
        if (item instanceof HTMLElement) landOn(item);
        acts.onEnd();
      });
      return () => clearTimeout(timer);
    }
    if (!isChosen.current) {
      isChosen.current = true;
      void chooseBranch(session, chat, wanted).then((isThere) => {
        // Whoever has gone on to another chat meanwhile stays there.
        if (isThere || !isHere.current) return;
        // It was to take the focus.
        if (document.activeElement === document.body) scroller.current?.focus({ preventScroll: true });
        acts.onEnd();
      });
    }
  }, [place, isOnPage]);
  return null;
}

/** Shows the branch through a message, or says why not. @returns whether the message is there then */
async function chooseBranch({ store, branches }: ChatSession, chat: string, message: string): Promise<boolean> {
  const now = () => store.getState().chats.conversations[chat];
  const fail = (error: string) => void store.dispatch(chatEvents.setError({ chat, error }));
  if (!branches) return false;
  try {
    const { switchBranch } = await branchToolsModule.load();
    if (now()?.isWriting) {
      fail(wordCode("reply-running") ?? "");
      return false;
    }
    await switchBranch({ store, replies: branches.replies }, { chat, to: message }, () => {});
  } catch {
    fail(i18n.t("chat:failure.open"));
  }
  return now()?.messages.some(({ id }) => id === message) ?? false;
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
