import { selectWrittenChats } from "../chats/state/chats-selectors.ts";
import type { ChatsStore } from "../chats/state/chats-store.ts";

/** Calls `listener` whenever a reply has ended, as far as this page hears of it. Gives the way to end that. */
export function onReplyEnd(store: ChatsStore, listener: () => void): () => void {
  let before = selectWrittenChats(store.getState());
  return store.subscribe(() => {
    const now = selectWrittenChats(store.getState());
    const hasEnded = [...before].some((chat) => !now.has(chat));
    before = now;
    if (hasEnded) listener();
  });
}
