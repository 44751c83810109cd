import type { ChatLocation } from "#contract/chats.ts";
import { shownTitle } from "../shown-title.ts";
import { type Conversation, isHeld } from "./chats-state.ts";
import type { ChatsRoot } from "./chats-store.ts";

const noPlace: ChatLocation = {};

export const selectChats = ({ chats }: ChatsRoot) => chats.chats;
export const selectHasMoreChats = ({ chats }: ChatsRoot) => chats.hasMoreChats;
export const selectHistoryEnd = ({ chats }: ChatsRoot) => chats.historyEnd;
export const selectHasHistory = ({ chats }: ChatsRoot) => chats.hasLoadedHistory;
export const selectHasNoChats = ({ chats }: ChatsRoot) =>
  chats.hasLoadedHistory && chats.chats.length === 0 && chats.folders.length === 0;
/** Where a chat is put, whether the list shows it or not. */
export const selectChatLocation =
  (chat: string) =>
  ({ chats }: ChatsRoot): ChatLocation =>
    chats.chats.find(({ id }) => id === chat) ?? chats.conversations[chat]?.place ?? noPlace;
export const selectTitleOf =
  (chat: string) =>
  ({ chats }: ChatsRoot): string =>
    shownTitle(chats.chats.find(({ id }) => id === chat) ?? chats.conversations[chat] ?? { title: "" });
export const selectFolders = ({ chats }: ChatsRoot) => chats.folders;
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
/** The message that waits for the chat that is made for it. */
export const selectFirstMessage = ({ chats }: ChatsRoot) => chats.firstMessage;
/** An empty chat is being made. */
export const selectIsMakingRoom = ({ chats }: ChatsRoot) => chats.loading.includes("create") && !chats.firstMessage;
export const selectIsLoading = ({ chats }: ChatsRoot) => chats.loading.length > 0;
export const selectIsCreating = ({ chats }: ChatsRoot) => chats.loading.includes("create");
/** The chat that is marked in the list: the one being opened, so that a click is answered at once, or the current. */
export const selectMarkedChat = ({ chats }: ChatsRoot) => chats.opening ?? chats.currentChat;
/** A chat is being opened, or is current, whose messages are not here yet. */
export const selectIsOpening = ({ chats }: ChatsRoot) =>
  chats.opening !== null || (chats.currentChat !== null && !chats.conversations[chats.currentChat]);
export const selectDestination = ({ chats }: ChatsRoot) => chats.destination;

/** Whether this page follows a reply in the chat, or has asked for one and does not wait to; what others know of it is in the history. */
export const selectIsWritingIn =
  (chat: string) =>
  ({ chats }: ChatsRoot): boolean => {
    const conversation = chats.conversations[chat];
    return conversation !== undefined && isWritten(conversation);
  };

const isWritten = ({ isWriting, away }: Conversation) => isWriting && !isHeld(away);

/** The chats in which a reply is being written, as far as this page knows: here, in other tabs, on other devices. */
export function selectWrittenChats({ chats }: ChatsRoot): ReadonlySet<string> {
  const here = Object.values(chats.conversations).filter(isWritten);
  return new Set([...here, ...chats.chats.filter(({ isWriting }) => isWriting)].map(({ id }) => id));
}

export function selectCurrent({ chats }: ChatsRoot): Conversation | null {
  return chats.currentChat === null ? null : (chats.conversations[chats.currentChat] ?? null);
}

/** The text of the banner: an error of another chat waits until that chat is open. */
export function selectErrorText({ chats }: ChatsRoot): string | null {
  const { error } = chats;
  return error && (error.chat === null || error.chat === chats.currentChat) ? error.text : null;
}
