import type { ChatsState } from "../../chats/state/chats-state.ts";

/** State of a chat that is not loaded. */
export const NOT_LOADED = "not loaded";
/** State of a chat that is not loaded, while another tab or device follows its answer. */
export const WRITTEN = "written elsewhere";

/** Returns all that the queue of a chat depends on, as a text to compare. */
export function stateOf({ chats, conversations }: ChatsState, chat: string): string {
  const conversation = conversations[chat];
  if (!conversation) return chats.find(({ id }) => id === chat)?.isWriting ? WRITTEN : NOT_LOADED;
  const { key, id, state, resumes } = conversation.messages.at(-1) ?? {};
  return JSON.stringify([conversation.isWriting, conversation.messages.length, key, id, state, resumes]);
}
