import type { ChatListItem, ChatLocation } from "#contract/chats.ts";
import type { Message } from "#contract/conversation.ts";
import type { Folder } from "#contract/folders.ts";

export type ClientMessage = Omit<Message, "id" | "parent" | "model" | "createdAt"> & {
  /** Stays the same from the key press to the stored message, so that nothing on the screen is built twice. */
  key: string;
  /** The server's id, once it is known. */
  id: string | null;
  /** An assistant's message of which no word has come yet. */
  loading: boolean;
};

/**
 * What is waited for: the server, which is not there now, for a request that is to be answered (`asking`) or for a reply
 * that is being read (`reading`); or the end of another reply, before which the server takes no request (`crowded`).
 */
export type Away = "asking" | "reading" | "crowded";

/** Whether a request waits to be taken: nothing is being written yet. */
export const isHeld = (away: Away | null): boolean => away === "asking" || away === "crowded";

/** A message to a chat that is still to be made. */
export type FirstMessage = { key: string; text: string; away: Away | null };

export type Conversation = {
  id: string;
  title: string;
  isUntitled?: boolean;
  /** These two also of a chat that the list does not show: one that is archived, or old. */
  updatedAt: number;
  place: ChatLocation;
  messages: ClientMessage[];
  /** Whether {@link messages} are the server's; false until the chat was first read. */
  isLoaded: boolean;
  /** A reply is being written and this page follows it. */
  isWriting: boolean;
  away: Away | null;
  /** Version, raised when a reply begins or ends and when the title changes: a read that was sent before may be stale. */
  turn: number;
  /** As the server has it: a preset that is not there any more counts as none. */
  presetId?: string | null;
  instructions?: string;
};

/** `end`: last activity of the oldest chat that was read of it. */
export type FolderPage = { end: number; hasMore: boolean };

/**
 * What is asked for in a dialog: a name for a chat or a folder, or for a new folder, into which chats go then; what to do
 * or to find, perhaps among the choices of one action; which keys there are.
 */
export type ChatDialog =
  | { kind: "palette"; scope?: string }
  | { kind: "shortcuts" }
  | { kind: "rename-chat" | "rename-folder" | "instructions"; id: string }
  | { kind: "new-folder"; chats: string[] };

/** Something under way: `history`, `create`, or `open:`, `send:`, `delete:` and a chat's id, `folder:` and a folder's. */
export type Work = string;

export type ChatsState = {
  /** The history, newest activity first, without archived chats: as far as it was read, and what is put on show. */
  chats: ChatListItem[];
  /** Whether the server has more of the history than {@link chats}. */
  hasMoreChats: boolean;
  /** Last activity of the oldest chat that was read of the history; older ones are pinned, or in an opened folder. */
  historyEnd: number;
  /** In their order. */
  folders: Folder[];
  /** How far the folders that were opened were read, by their ids. */
  folderPages: Record<string, FolderPage>;
  /** Ids of chats that are to be changed together; null while nobody marks any. */
  selection: string[] | null;
  /** Id of the chat or the folder whose name is being written in its line. */
  renaming: string | null;
  dialog: ChatDialog | null;
  /** What was done last, for those who do not see it. */
  announcement: string;
  /** The history was read: that {@link chats} is empty means that there is none. */
  hasLoadedHistory: boolean;
  /** Id of the chat on the screen; its messages are in {@link conversations}. */
  currentChat: string | null;
  /** Id of the chat that is being read to become the current one. */
  opening: string | null;
  /** What could not be read, to be read once the server is back: the history, the chat of the address by its id. */
  missing: { history: boolean; chat: string | null };
  /** Every chat read or written on this page: what arrives for a chat that is not open is kept. */
  conversations: Record<string, Conversation>;
  firstMessage: FirstMessage | null;
  /** The preset that the next new chat is born with. */
  presetOfNew: string | null;
  /** What is under way; the screen is loading while there is something. */
  loading: Work[];
  /**
   * Already worded. `chat`: the one it belongs to, null for the history and for what has no chat. `behind`: what was shown
   * where a message was to follow that the chat, which has gone on elsewhere, did not take. `isOfOpening`: a chat could not
   * be opened; it ends with the next attempt to open one.
   */
  error: { text: string; chat: string | null; behind?: readonly ClientMessage[]; isOfOpening?: boolean } | null;
  /** Where the address must go because a chat was made or deleted: a new object each time; null once it is there. */
  destination: { chat: string | null; replace: boolean } | null;
};

export const initialChatsState: ChatsState = {
  chats: [],
  hasMoreChats: false,
  historyEnd: 0,
  folders: [],
  folderPages: {},
  selection: null,
  renaming: null,
  dialog: null,
  announcement: "",
  hasLoadedHistory: false,
  currentChat: null,
  opening: null,
  missing: { history: false, chat: null },
  conversations: {},
  firstMessage: null,
  presetOfNew: null,
  loading: [],
  error: null,
  destination: null,
};
