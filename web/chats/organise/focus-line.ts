import type { ChatListItem } from "#contract/conversation/chats.ts";
import { chatLink, folderButton } from "../list/list-elements.ts";

/** Moves the focus to a chat's line after it was moved within the list. */
export function focusLine(chat: string): void {
  requestAnimationFrame(() => {
    // The second frame is after the menu has closed, which returns the focus to a removed button.
    requestAnimationFrame(() => chatLink(chat)?.focus({ preventScroll: true }));
  });
}

/** Moves the focus from the removed undo button to the restored chat, or to its folder. */
export function focusAfterUndo(chat: Pick<ChatListItem, "id" | "folderId"> | undefined): void {
  if (chat) focusFree(() => chatLink(chat.id) ?? folderButton(chat.folderId ?? ""));
}

export function focusFolderAfterUndo(folder: string): void {
  focusFree(() => folderButton(folder));
}

/** Moves the focus only if no element has it, so that a focus moved meanwhile stays. */
function focusFree(find: () => HTMLElement | null | undefined): void {
  requestAnimationFrame(() => {
    requestAnimationFrame(() => {
      if (document.activeElement === null || document.activeElement === document.body) find()?.focus();
    });
  });
}
