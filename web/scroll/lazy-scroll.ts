/** Lazy module of the reading tools, loaded after the page: chats are shown without it. */

import type { ClientMessage } from "../chats/state/chats-state.ts";
import { lineIn, partsOf } from "./line-in.ts";
import type { ScrollPosition, ScrollSession } from "./scroll-position.ts";
import { SettlingHold } from "./settling-hold.ts";
import { findPosition, setPosition } from "./stored-positions.ts";

export { holdLine } from "./hold-line.ts";
export { PrintNote } from "./print-note.tsx";
export { storePositions } from "./stored-positions.ts";
export { watchLeaving } from "./watch-leaving.ts";
export { ReadingTools } from "./window-edges.tsx";

export type Shown = {
  session: ScrollSession;
  chat: string;
  box: Element | null;
  list: Element | null;
  /** The rendered messages. */
  shown: readonly ClientMessage[];
};

/** Returns the position at which a chat opens; undefined for its end. A chat with an unread answer opens at its end. */
export function storedPosition(session: ScrollSession, chat: string): ScrollPosition | undefined {
  const { chats } = session.store.getState().chats;
  return chats.find(({ id }) => id === chat)?.isUnread ? undefined : findPosition(session, chat);
}

/** Stores the position of the line at the top of the view. */
export function recordPosition({ session, chat, box, list, shown }: Shown, isAtEnd: boolean): void {
  const line = box && list && !isAtEnd ? lineIn(box, list) : null;
  const item = line?.closest("ol > li") ?? null;
  const id = item && list ? shown[[...list.children].indexOf(item)]?.id : null;
  const part = !line || line === item ? -1 : [...(line.parentElement?.children ?? [])].indexOf(line);
  setPosition(session, chat, box && line && id ? [id, part, topOf(line, box)] : null);
}

/**
 * Restores the stored scroll position, and holds it while the content above settles. @returns a function that stops it;
 * null without a position
 */
export function restorePosition({ session, chat, box, list, shown }: Shown): (() => void) | null {
  const position = storedPosition(session, chat);
  if (!box || !list || !position) return null;
  const [message, part, top] = position;
  const item = list.children[shown.findIndex(({ id }) => id === message)];
  if (!item) return null;
  const adjust = () => {
    const line = part < 0 ? item : partsOf(item)?.[part];
    box.scrollTop += topOf(line ?? item, box) - (line ? top : 0);
  };
  const hold = new SettlingHold({ box, list, adjust });
  return () => hold.end();
}

const topOf = (line: Element, box: Element) => line.getBoundingClientRect().top - box.getBoundingClientRect().top;
