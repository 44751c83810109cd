import type { ChatListItem } from "#contract/chats.ts";
import type { Message, MessageState, Role } from "#contract/conversation.ts";

export type ClientMessage = {
  /** Stays the same from the key press to the stored message, so that nothing on the screen is built twice. */
  key: string;
  /** The server's id, once it is known. */
  id: string | null;
  role: Role;
  content: string;
  state: MessageState;
  /** An assistant's message of which no word has come yet. */
  loading: boolean;
} & Pick<Message, "code" | "seams" | "isTruncated" | "resumes">;

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
  messages: ClientMessage[];
  /** Whether {@link messages} are the server's; false until the chat was first read. */
  isLoaded: boolean;
  /** A reply is being written and this page follows it. */
  isWriting: boolean;
  away: Away | null;
  /** Raised when a reply is begun and when it ends: what was asked of the server before may be older than the screen. */
  turn: number;
};

/** Something under way: `history`, `create`, or `open:`, `send:`, `delete:` and a chat's id. */
export type Work = string;

export type ChatsState = {
  /** The history, newest activity first. */
  chats: ChatListItem[];
  /** Whether the server has more of the history than {@link chats}. */
  hasMoreChats: boolean;
  /** The history was read: that {@link chats} is empty means that there is none. */
  hasLoadedHistory: boolean;
  /** Id of the chat on the screen; its messages are in {@link conversations}. */
  currentChat: string | null;
  /** Id of the chat that is being read to become the current one. */
  opening: string | null;
  /** What could not be read and is not here, to be read once the server is back: the history, a chat by its id. */
  missing: { history: boolean; chat: string | null };
  /** Every chat read or written on this page: what arrives for a chat that is not open is kept. */
  conversations: Record<string, Conversation>;
  firstMessage: FirstMessage | null;
  /** What is under way; the screen is loading while there is something. */
  loading: Work[];
  /** Already worded. `chat`: the one it belongs to, null for the history and for what has no chat. */
  error: { text: string; chat: string | null } | null;
  /** Where the address must go because a chat was made or deleted: a new object each time. */
  destination: { chat: string | null; replace: boolean } | null;
};

export const initialChatsState: ChatsState = {
  chats: [],
  hasMoreChats: false,
  hasLoadedHistory: false,
  currentChat: null,
  opening: null,
  missing: { history: false, chat: null },
  conversations: {},
  firstMessage: null,
  loading: [],
  error: null,
  destination: null,
};
