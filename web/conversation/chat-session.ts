/** The state behind the chat screen of one account, and the values that features add to it. */

import { createContext, useContext } from "react";
import type { ErrorCode } from "#contract/errors.ts";
import type { AttachedFile } from "#contract/files/files.ts";
import { selectCurrent } from "../chats/state/chats-selectors.ts";
import type { ChatsStore } from "../chats/state/chats-store.ts";
import type { ModelChoice } from "../models/model-choice.ts";
import type { PresetList } from "../presets/preset-list.ts";
import type { ConversationReplies, Replies } from "../reply/replies.ts";
import type { ScrollPosition } from "../scroll/scroll-position.ts";
import type { Edits } from "./edits.ts";
import type { DraftBox } from "./stored-drafts.ts";

/** Key of a value that a feature adds to each session: `create` makes it on first use, `dispose` ends it. */
export type SessionKey<T> = {
  readonly create: (session: ChatSession) => T;
  /** Called at the end of the session. */
  readonly dispose?: (value: T) => void;
};

export type ChatSessionDeps = Pick<
  ChatSession,
  | "account"
  | "store"
  | "replies"
  | "drafts"
  | "branches"
  | "modelChoice"
  | "presets"
  | "positions"
  | "storedSession"
  | "filesRefusal"
>;

/** It outlives the screen: replies continue on other pages. */
export class ChatSession {
  declare readonly account: string;
  declare readonly store: ChatsStore;
  declare readonly replies: ConversationReplies;
  declare readonly drafts: DraftBox;
  /** Objects that branches need; null in the temporary chat, which has none. */
  declare readonly branches: { replies: Replies; edits: Edits } | null;
  declare readonly modelChoice: ModelChoice;
  declare readonly presets: PresetList;
  /** Scroll positions of chats, by chat id; null in the temporary chat, which cannot be left. */
  declare readonly positions: Map<string, ScrollPosition> | null;
  /** In the temporary chat's session: the session of the stored chats. Else null. */
  declare readonly storedSession: ChatSession | null;
  /** Returns why files cannot be sent with a message, null if they can. Absent in stored chats, whose files are uploaded. */
  declare readonly filesRefusal?: (files: readonly AttachedFile[]) => ErrorCode | null;
  #temporary: ChatSession | null = null;
  readonly #values = new Map<object, unknown>();
  /** Null once the session has ended. */
  #endings: (() => void)[] | null = [];

  constructor(deps: ChatSessionDeps) {
    // They are the declared members: one assignment for each would weigh more in the chat shell.
    Object.assign(this, deps);
    if (deps.storedSession) deps.storedSession.#temporary = this;
  }

  /** The session of the temporary chat, once it was begun; null in its own session. */
  get temporary(): ChatSession | null {
    return this.#temporary;
  }

  /** Returns the session's value of a key; created on first use. */
  get<T>(key: SessionKey<T>): T {
    // Only this method writes the entry, with the value that the key itself has created.
    if (this.#values.has(key)) return this.#values.get(key) as T;
    const value = key.create(this);
    this.#values.set(key, value);
    this.atEnd(() => key.dispose?.(value));
    return value;
  }

  /** Registers callbacks for the end of the session; calls them at once if the session has ended. */
  atEnd(...endings: (() => void)[]): void {
    if (this.#endings) this.#endings.push(...endings);
    else for (const each of endings) each();
  }

  /** Ends the session. */
  dispose(): void {
    const endings = this.#endings ?? [];
    this.#endings = null;
    for (const each of endings) each();
  }
}

export const ChatSessionContext = createContext<ChatSession | null>(null);

export function useChatSession(): ChatSession {
  const value = useContext(ChatSessionContext);
  if (!value) throw new Error("There is no chat session around this component");
  return value;
}

/** Whether the current chat has messages. */
export const hasMessages = ({ store }: ChatSession) => (selectCurrent(store.getState())?.messages.length ?? 0) > 0;

/** Whether this is the screen of the temporary chat. */
export const useIsTemporary = () => useChatSession().storedSession !== null;
