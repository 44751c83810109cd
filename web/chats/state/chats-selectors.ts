import type { ChatLocation } from "#contract/conversation/chats.ts";
import { shownTitle } from "../shown-title.ts";
import { type Conversation, isHeld } from "./chats-state.ts";
import type { ChatsRoot } from "./chats-store.ts";

const noLocation: ChatLocation = {};

export const selectChats = ({ chats }: ChatsRoot) => chats.chats;
export const selectHasMoreChats = ({ chats }: ChatsRoot) => chats.hasMoreChats;
export const selectHistoryEnd = ({ chats }: ChatsRoot) => chats.historyEnd;
export const selectHasHistory = ({ chats }: ChatsRoot) => chats.hasLoadedHistory;
export const selectHasNoChats = ({ chats }: ChatsRoot) =>
  chats.hasLoadedHistory && chats.chats.length === 0 && chats.folders.length === 0;
/** Selects the location of a chat, even if the list does not show it. */
export const selectChatLocation =
  (chat: string) =>
  ({ chats }: ChatsRoot): ChatLocation =>
    chats.chats.find(({ id }) => id === chat) ?? chats.conversations[chat]?.location ?? noLocation;
export const selectTitleOf =
  (chat: string) =>
  ({ chats }: ChatsRoot): string =>
    shownTitle(chats.chats.find(({ id }) => id === chat) ?? chats.conversations[chat] ?? { title: "" });
export const selectFolders = ({ chats }: ChatsRoot) => chats.folders;
export const selectIsFolderOpen =
  (folder: string) =>
  ({ chats }: ChatsRoot): boolean =>
    chats.openFolders.includes(folder);
/** Selects the number of chats in a folder; null if all of them are in the list of chats. */
export const selectFolderCount =
  (folder: string) =>
  ({ chats }: ChatsRoot): number | null => {
    const isRead = !chats.hasMoreChats || chats.folderPages[folder]?.hasMore === false;
    return isRead ? null : (chats.folderCounts[folder] ?? 0);
  };
export const selectFolderPage =
  (folder: string) =>
  ({ chats }: ChatsRoot) =>
    chats.folderPages[folder];
export const selectIsLoadingFolder =
  (folder: string) =>
  ({ chats }: ChatsRoot) =>
    chats.loading.includes(`folder:${folder}`);
export const selectSelection = ({ chats }: ChatsRoot) => chats.selection;
export const selectRenaming = ({ chats }: ChatsRoot) => chats.renaming;
export const selectAnnouncement = ({ chats }: ChatsRoot) => chats.announcement;
export const selectDialog = ({ chats }: ChatsRoot) => chats.dialog;
export const selectIsLoadingHistory = ({ chats }: ChatsRoot) => chats.loading.includes("history");
/** Selects the message whose chat is being created. */
export const selectFirstMessage = ({ chats }: ChatsRoot) => chats.firstMessage;
/** Selects whether an empty chat is being created. */
export const selectIsMakingRoom = ({ chats }: ChatsRoot) => chats.loading.includes("create") && !chats.firstMessage;
export const selectIsLoading = ({ chats }: ChatsRoot) => chats.loading.length > 0;
export const selectIsCreating = ({ chats }: ChatsRoot) => chats.loading.includes("create");
/** Selects the marked chat of the list: the one being opened, so that a click shows at once, or the current. */
export const selectMarkedChat = ({ chats }: ChatsRoot) => chats.opening ?? chats.currentChat;
/** Selects whether a chat is being opened, or the current chat has no messages yet. */
export const selectIsOpening = ({ chats }: ChatsRoot) =>
  chats.opening !== null || (chats.currentChat !== null && !chats.conversations[chats.currentChat]);
export const selectDestination = ({ chats }: ChatsRoot) => chats.destination;

/** Selects whether this page follows a reply in the chat; the history has the replies that other pages follow. */
export const selectIsWritingIn =
  (chat: string) =>
  ({ chats }: ChatsRoot): boolean => {
    const conversation = chats.conversations[chat];
    return conversation !== undefined && isWritten(conversation);
  };

const isWritten = ({ isWriting, waitReason }: Conversation) => isWriting && !isHeld(waitReason);

/** Selects the chats with a reply in progress: followed here, or reported from other tabs and devices. */
export function selectWrittenChats({ chats }: ChatsRoot): ReadonlySet<string> {
  const here = Object.values(chats.conversations).filter(isWritten);
  return new Set([...here, ...chats.chats.filter(({ isWriting }) => isWriting)].map(({ id }) => id));
}

export function selectCurrent({ chats }: ChatsRoot): Conversation | null {
  return chats.currentChat === null ? null : (chats.conversations[chats.currentChat] ?? null);
}

/** Selects the text of the banner: an error of another chat is shown when that chat is opened. */
export function selectErrorText({ chats }: ChatsRoot): string | null {
  const { error } = chats;
  return error && (error.chat === null || error.chat === chats.currentChat) ? error.text : null;
}
