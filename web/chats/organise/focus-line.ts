import type { ChatListItem } from "#contract/chats.ts";
import { chatLink, folderButton } from "../list-elements.ts";

/** A chat that goes to another part of the list takes the focus along. */
export function focusLine(chat: string): void {
  requestAnimationFrame(() => {
    // After the menu that did it has closed, which gives the focus to a button that is gone.
    requestAnimationFrame(() => chatLink(chat)?.focus({ preventScroll: true }));
  });
}

/** The button that undid something has gone, and with it the focus: it passes to what came back, or to its folder. */
export function focusAfterUndo(chat: Pick<ChatListItem, "id" | "folderId"> | undefined): void {
  if (chat) focusFree(() => chatLink(chat.id) ?? folderButton(chat.folderId ?? ""));
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
