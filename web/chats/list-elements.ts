/** Elements of the chat lists. No other module queries the attributes of their lines. */

/** The mounted lists: the sidebar's, and on a phone the drawer's while it is open. */
const lists = new Set<HTMLElement>();

/** Ref callback that registers a list's element. */
export function registerList(list: HTMLElement | null) {
  if (!list) return;
  lists.add(list);
  return () => void lists.delete(list);
}

/** Returns the visible list: on a phone the sidebar's list is mounted but hidden beside the drawer's. */
const shownList = () => [...lists].find((list) => list.offsetParent !== null);

/** Returns the lines of the chats in a list, from top to bottom. Closed folders have none. */
export const chatLines = (list: HTMLElement): HTMLElement[] => [...list.querySelectorAll<HTMLElement>("[data-chat]")];

/** Returns the lines of the list that is on the screen, or else of any. */
export function shownChatLines(): HTMLElement[] {
  const list = shownList() ?? [...lists][0];
  return list ? chatLines(list) : [];
}

export const chatOf = (line: HTMLElement | null | undefined): string | undefined => line?.dataset.chat;

/** Returns the link of a chat in the list that is on the screen. */
export function chatLink(chat: string): HTMLElement | null | undefined {
  return shownChatLines()
    .find((line) => chatOf(line) === chat)
    ?.querySelector("a");
}

/** Returns the link of the open chat in a list, or else the first one. */
export const currentLink = (list: HTMLElement): HTMLElement | null =>
  list.querySelector<HTMLElement>("[data-chat] [aria-current]") ?? list.querySelector<HTMLElement>("[data-chat] a");

/** Returns the button that opens and closes a folder in the list that is on the screen. */
export function folderButton(folder: string): HTMLElement | null | undefined {
  return shownList()?.querySelector<HTMLElement>(`[data-folder="${CSS.escape(folder)}"]`);
}

const WAY = "[data-chat] a, [data-folder]";

/** Returns the first link of a chat or button of a folder in an element of a list. */
export const firstWay = (element: Element | null): HTMLElement | null | undefined =>
  element?.matches("[data-chat]") ? element.querySelector("a") : element?.querySelector<HTMLElement>(WAY);

/** Returns the nearest link or button of the same list before an entry, or else the first one after it. */
export function wayAround(entry: HTMLElement): HTMLElement | undefined {
  const list = [...lists].find((each) => each.contains(entry));
  const others = [...(list?.querySelectorAll<HTMLElement>(WAY) ?? [])].filter((way) => !entry.contains(way));
  const isBefore = (way: HTMLElement) => (entry.compareDocumentPosition(way) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
  return others.findLast(isBefore) ?? others[0];
}

const closest = (target: EventTarget | null, selector: string) =>
  target instanceof Element ? target.closest<HTMLElement>(selector) : null;

/** Returns the line of a chat in which an event happened. */
export const lineAt = (target: EventTarget | null): HTMLElement | null => closest(target, "[data-chat]");

/** Returns the drop target in which an event happened; `data-drop` identifies it. */
export const dropPlaceAt = (target: EventTarget | null): HTMLElement | null => closest(target, "[data-drop]");

/** Returns the id of the folder whose button is the event's target. */
export const folderAt = (target: EventTarget | null): string | undefined =>
  target instanceof HTMLElement ? target.dataset.folder : undefined;
