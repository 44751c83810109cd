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

/** Entries that the arrow keys reach: chats, folders, and the buttons between them. */
const STEP = `${WAY}, [data-step]`;
/** Elements around an entry and its other buttons. */
const LINE = "[data-chat], [data-folder-line]";

const walk = (list: HTMLElement) =>
  document.createTreeWalker(list, NodeFilter.SHOW_ELEMENT, (node) =>
    node instanceof Element && node.matches(STEP) ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP,
  );

/** Returns the entry of a line of which an event's target is a part. */
function entryAt(target: EventTarget | null): HTMLElement | null {
  return closest(target, STEP) ?? closest(target, LINE)?.querySelector<HTMLElement>(STEP) ?? null;
}

/** Returns the entry after or before that of an event's target. Independent of the length of the list. */
export function adjacentEntry(list: HTMLElement, target: EventTarget | null, isAfter: boolean): Node | null {
  const walker = walk(list);
  const entry = entryAt(target);
  if (!entry) return null;
  walker.currentNode = entry;
  return isAfter ? walker.nextNode() : walker.previousNode();
}

/** Returns the first or the last entry of a list. */
export const firstOrLastEntry = (list: HTMLElement, isLast: boolean): Node | null =>
  isLast ? walk(list).lastChild() : walk(list).firstChild();

/** Returns the control after or before an event's target in its line. */
export function adjacentControl(target: EventTarget | null, isAfter: boolean): HTMLElement | undefined {
  const controls = [...(closest(target, LINE)?.querySelectorAll<HTMLElement>("a, button") ?? [])];
  const at = controls.findIndex((control) => target instanceof Node && control.contains(target));
  return at === -1 ? undefined : controls[at + (isAfter ? 1 : -1)];
}

/** Returns the button of the folder around a chat in which an event happened. */
export const folderAround = (target: EventTarget | null): HTMLElement | null | undefined =>
  lineAt(target) && closest(target, "[data-drop^='folder:']")?.querySelector<HTMLElement>("[data-folder]");

const closest = (target: EventTarget | null, selector: string) =>
  target instanceof Element ? target.closest<HTMLElement>(selector) : null;

/** Returns the line of a chat in which an event happened. */
export const lineAt = (target: EventTarget | null): HTMLElement | null => closest(target, "[data-chat]");

/** Returns whether an event happened in the line of a chat or a folder. */
export const isInLine = (target: EventTarget | null): boolean => closest(target, LINE) !== null;

/** Returns the drop target in which an event happened; `data-drop` identifies it. */
export const dropTargetAt = (target: EventTarget | null): HTMLElement | null => closest(target, "[data-drop]");

/** Returns the id of the folder whose button is the event's target. */
export const folderAt = (target: EventTarget | null): string | undefined =>
  target instanceof HTMLElement ? target.dataset.folder : undefined;
