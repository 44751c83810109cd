import "./landing.css";
import { type RefObject, useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { readFoundBy } from "../../chats/chat-address.ts";
import { chatEvents } from "../../chats/state/chats-slice.ts";
import type { ClientMessage } from "../../chats/state/chats-state.ts";
import { wordCode } from "../../chats/state/word-failure.ts";
import { i18n } from "../../locales/i18n.ts";
import { SettlingHold } from "../../scroll/settling-hold.ts";
import { logMissingModule } from "../../ui/lazy/lazy-module.ts";
import { branchToolsModule } from "../branches/lazy-tools.tsx";
import { type ChatSession, useChatSession } from "../chat-session.ts";
import type { MatchMarks } from "./match-marks.ts";
import { matchMarksModule } from "./match-marks-module.ts";

/** Duration of the highlight (ms). */
const MARKED_MS = 2400;
export type LandingProps = {
  chat: string;
  /** The id of the message to show. Each id needs a new landing. */
  wanted: string;
  messages: readonly ClientMessage[];
  scroller: RefObject<HTMLElement | null>;
  /** The list of the rendered messages. */
  list: RefObject<HTMLElement | null>;
  /** Index of the first rendered message. */
  start: number;
  /** Index after the last rendered message. */
  end: number;
  /** Renders the messages around an index. */
  onShow: (index: number) => void;
  /** Called when the end of the chat is no longer followed. */
  onLand: () => void;
  /** Called when the message is shown or cannot be. */
  onEnd: () => void;
};

/** Scrolls to a message, on any branch, and to the first match if a search found it. Renders nothing. */
export default function Landing({ chat, wanted, messages, scroller, list, start, end, ...acts }: LandingProps) {
  const session = useChatSession();
  const query = readFoundBy(useLocation().state);
  const index = messages.findIndex(({ id }) => id === wanted);
  const isOnPage = index >= start && index < end;
  const isChosen = useRef(false);
  const isHere = useRef(false);

  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the callbacks do the same at each render
  useEffect(() => {
    if (index !== -1 && !isOnPage) return acts.onShow(index);
    if (index !== -1) {
      // The box takes the focus when a chat opens, in the same task.
      const timer = setTimeout(() => {
        const item = list.current?.children[index - start];
        acts.onLand();
        if (item instanceof HTMLElement && scroller.current) landOn(item, scroller.current, query);
        acts.onEnd();
      });
      return () => clearTimeout(timer);
    }
    if (!isChosen.current) {
      isChosen.current = true;
      void chooseBranch(session, chat, wanted).then((isThere) => {
        // A user who has opened another chat meanwhile stays there.
        if (isThere || !isHere.current) return;
        // The message should have taken the focus.
        if (document.activeElement === document.body) scroller.current?.focus({ preventScroll: true });
        acts.onEnd();
      });
    }
  }, [index, isOnPage]);
  return null;
}

/** Shows the branch through a message, or reports why not. @returns whether the message is there then */
async function chooseBranch(session: ChatSession, chat: string, message: string): Promise<boolean> {
  const { store, branches } = session;
  const now = () => store.getState().chats.conversations[chat];
  const fail = (error: string) => void store.dispatch(chatEvents.setError({ chat, error }));
  if (!branches) return false;
  try {
    const { switchBranch } = await branchToolsModule.load();
    if (now()?.isWriting) {
      fail(wordCode("reply-running") ?? "");
      return false;
    }
    await switchBranch({ session, replies: branches.replies }, { chat, to: message }, () => {});
  } catch {
    fail(i18n.t("chat:failure.open"));
  }
  return now()?.messages.some(({ id }) => id === message) ?? false;
}

/**
 * Scrolls a message into view and focuses it. The matches of `query` are marked and shown; a message without any is
 * highlighted for a moment.
 */
function landOn(item: HTMLElement, scroller: HTMLElement, query: string | null): void {
  let marks: MatchMarks | null = null;
  let isMatchShown = false;
  const adjust = () => {
    // While code is rendered again, its matches are nowhere for a moment.
    isMatchShown = marks?.showFirst(scroller) || isMatchShown;
    if (isMatchShown || !item.isConnected) return;
    const isTall = item.offsetHeight > window.innerHeight / 2;
    item.scrollIntoView({ block: isTall ? "start" : "center" });
  };
  let isLoading = query !== null;
  let wasFocused = false;
  const isBusy = () => isLoading || !wasFocused || (marks?.isSearching ?? false);
  const hold = new SettlingHold({ box: scroller, list: item.parentElement ?? item, adjust, isBusy });
  item.tabIndex = -1;
  const takeFocus = () => {
    if (hold.isOver || !item.isConnected) return;
    item.focus({ preventScroll: true });
    wasFocused = document.activeElement === item;
    // It cannot be focused while it is hidden, because an answer above it is not rendered yet.
    if (!wasFocused) requestAnimationFrame(takeFocus);
  };
  takeFocus();
  const highlight = () => {
    item.dataset.landed = "";
    setTimeout(() => delete item.dataset.landed, MARKED_MS);
  };
  if (query === null) {
    highlight();
    return;
  }
  matchMarksModule
    .load()
    .then(({ markMatches }) => {
      if (item.isConnected) marks = markMatches(item, query, () => marks && hold.update());
      if (!marks?.isMarked) highlight();
      hold.update();
    })
    .catch((cause: unknown) => {
      highlight();
      logMissingModule(cause);
    })
    .finally(() => {
      isLoading = false;
    });
}
