import type { ChatListItem, ChatLocation } from "#contract/conversation/chats.ts";
import type { Message } from "#contract/conversation/conversation.ts";
import type { Folder } from "#contract/conversation/folders.ts";
import type { AttachedFile } from "#contract/files/files.ts";
import type { Effort } from "#contract/models/effort.ts";

export type ClientMessage = Omit<Message, "id" | "parent" | "model" | "createdAt"> & {
  /** Model, once it writes, and time, once the message was read from the server. */
  model?: string | null;
  createdAt?: number;
  /** React key. Stays the same from the key press to the stored message, so that nothing is mounted twice. */
  key: string;
  /** The server's id, once it is known. */
  id: string | null;
  /** An assistant's message without text yet. */
  loading: boolean;
  /** Location of a question that the server has refused. Such messages are never in {@link Conversation.messages}. */
  refused?: string;
};

/**
 * The reason for waiting. The server is unreachable, for a request (`offline`) or while a reply is being read
 * (`reconnecting`); one of the account's other replies must end before the server accepts a request (`rate-limited`); or
 * the server answers that it cannot take a request now (`at-capacity`).
 */
export type WaitReason = "offline" | "reconnecting" | "rate-limited" | "at-capacity";

/** Returns whether a request was not accepted yet, so that no reply is being written. */
export const isHeld = (waitReason: WaitReason | null): boolean => waitReason !== null && waitReason !== "reconnecting";

/** A branch that a refused message can begin. `key`: that of its send; `before`: the messages that precede it. */
export type NewBranch = { key: string; before: readonly ClientMessage[] };

/** A message to a chat that is not created yet. */
export type FirstMessage = {
  key: string;
  text: string;
  files?: readonly AttachedFile[];
  waitReason: WaitReason | null;
};

/**
 * When a failed answer may be repeated by itself, because its provider has asked for a wait. `at`: by the monotonic clock
 * (`performance.now`), in ms. `model`: the one that was asked. `tries`: how often the answer was repeated by itself.
 */
export type AnswerRetry = { at: number; model: string; tries: number };

export type Conversation = {
  id: string;
  title: string;
  isUntitled?: boolean;
  /** `updatedAt` and `location` are known even if the list does not show the chat, because it is archived or old. */
  updatedAt: number;
  location: ChatLocation;
  messages: ClientMessage[];
  /** Whether {@link messages} are the server's; false until the chat was first read. */
  isLoaded: boolean;
  /** A reply is being written and this page follows it. */
  isWriting: boolean;
  waitReason: WaitReason | null;
  /** Of an answer that this page has asked for, until the next request. */
  retry?: AnswerRetry | undefined;
  /** Version, raised when a reply begins or ends, or the title changes; a read sent before that may be stale. */
  version: number;
  /** As stored on the server: a deleted preset counts as none. */
  presetId?: string | null;
  instructions?: string;
  /** Effort of reasoning; null: of the preset, else the model's default. */
  effort?: Effort | null;
  /** Slugs of the groups of tools; null: of the preset, else none. */
  tools?: string[] | null;
};

/** `end`: last activity of the oldest chat that was read of the folder. */
export type FolderPage = { end: number; hasMore: boolean };

/**
 * The open dialog: a name for a chat or a folder; a new folder, into which `chats` are moved; the command palette,
 * optionally with the choices of one action (`scope`); the list of shortcuts; the page that prints a chat.
 */
export type ChatDialog =
  | { kind: "palette"; scope?: string }
  | { kind: "shortcuts" }
  | { kind: "rename-chat" | "rename-folder" | "instructions" | "export" | "share" | "print"; id: string }
  | { kind: "new-folder"; chats: string[] };

/** Pending work: `history`, `create`; `open:`, `send:` or `delete:` and a chat's id; `folder:` and a folder's id. */
export type Work = string;

/**
 * How a chat is answered. `presetId: null` is no preset; `effort: null` is that of the preset, else the model's; `tools`
 * are slugs of groups, null those of the preset, else none.
 */
export type Guidance = { presetId: string | null; effort: Effort | null; tools: string[] | null };

export type ChatsState = {
  /** The history, newest first, without archived chats: the pages read so far, pinned chats, opened folders. */
  chats: ChatListItem[];
  /** Whether the server has more of the history than {@link chats}. */
  hasMoreChats: boolean;
  /** Last activity of the oldest chat that was read of the history; older ones are pinned, or in an opened folder. */
  historyEnd: number;
  /** Folders in the person's order. */
  folders: Folder[];
  /** By folder id: number of chats listed in the folder, including those that this page has not loaded yet. */
  folderCounts: Record<string, number>;
  /** Ids of the folders that are open in the list. */
  openFolders: string[];
  /** How far each opened folder was read, by its id. */
  folderPages: Record<string, FolderPage>;
  /** Ids of the selected chats; null outside selection mode. */
  selection: string[] | null;
  /** Id of the chat or the folder that is being renamed in its line. */
  renaming: string | null;
  dialog: ChatDialog | null;
  /** The last outcome, for the live region of screen readers. */
  announcement: string;
  /** The history was read: an empty {@link chats} means that there are no chats. */
  hasLoadedHistory: boolean;
  /** Id of the chat on the screen; its messages are in {@link conversations}. */
  currentChat: string | null;
  /** Id of the chat that is being read to become the current one. */
  opening: string | null;
  /** Failed reads, retried once the server is reachable: the history, and the id of the chat to open. */
  missing: { history: boolean; chat: string | null };
  /** Every chat read or written on this page; text that arrives for a chat that is not open is stored too. */
  conversations: Record<string, Conversation>;
  firstMessage: FirstMessage | null;
  guidanceOfNew: Guidance;
  /** The effort that the person chose last, with which new chats begin. */
  usualEffort: Effort | null;
  /** Pending work; the screen is loading while there is any. */
  loading: Work[];
  /**
   * The error in the banner, in the person's language. `chat`: the chat it belongs to, null for the history and errors
   * without a chat. `branch`: the branch that a message can begin which was refused because the chat was continued
   * elsewhere. `isOfOpening`: a chat could not be opened; cleared by the next attempt to open one. `isOfBudget`: a budget
   * refused the request.
   */
  error: {
    text: string;
    chat: string | null;
    branch?: NewBranch | undefined;
    isOfOpening?: boolean;
    isOfBudget?: boolean | undefined;
  } | null;
  /** Pending navigation after a chat was created or deleted: a new object each time; null once it is done. */
  destination: { chat: string | null; replace: boolean } | null;
};

export const initialChatsState: ChatsState = {
  chats: [],
  hasMoreChats: false,
  historyEnd: 0,
  folders: [],
  folderCounts: {},
  openFolders: [],
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
  guidanceOfNew: { presetId: null, effort: null, tools: null },
  usualEffort: null,
  loading: [],
  error: null,
  destination: null,
};
