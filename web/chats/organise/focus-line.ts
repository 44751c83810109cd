import type { ChatListItem } from "#contract/chats.ts";

/** A chat that goes to another part of the list takes the focus along. */
export function focusLine(chat: string): void {
  requestAnimationFrame(() => {
    // After the menu that did it has closed, which gives the focus to a button that is gone.
    requestAnimationFrame(() => lineOf(chat)?.querySelector("a")?.focus({ preventScroll: true }));
  });
}

/** The button that undid something has gone, and with it the focus: it passes to what came back, or to its folder. */
export function focusAfterUndo(chat: Pick<ChatListItem, "id" | "folderId"> | undefined): void {
  if (chat) focusFree(() => lineOf(chat.id)?.querySelector("a") ?? folderButton(chat.folderId));
}

export function focusFolderAfterUndo(folder: string): void {
  focusFree(() => folderButton(folder));
}

/** Whoever has gone on elsewhere meanwhile stays there. */
function focusFree(find: () => HTMLElement | null | undefined): void {
  requestAnimationFrame(() => {
    requestAnimationFrame(() => {
      if (document.activeElement === null || document.activeElement === document.body) find()?.focus();
    });
  });
}

/** The line of a chat in the list that is on the screen: the drawer of a phone stands beside a hidden one. */
export const lineOf = (chat: string) => onScreen(`[data-chat="${CSS.escape(chat)}"]`);
const folderButton = (folder = "") => onScreen(`[data-folder="${CSS.escape(folder)}"]`);

function onScreen(selector: string): HTMLElement | undefined {
  const found = document.querySelectorAll<HTMLElement>(selector);
  return [...found].find((element) => element.offsetParent !== null);
}
