import { api } from "../../api/client.ts";
import { newRequestKey } from "../../api/request-key.ts";
import { chatEvents } from "../../chats/state/chats-slice.ts";
import { createChatsStore } from "../../chats/state/chats-store.ts";
import { type ChatSession, hasMessages } from "../chat-session.ts";
import { MemoryDrafts } from "./memory-drafts.ts";
import { TemporaryReplies } from "./temporary-replies.ts";

/**
 * The chat of which nothing is kept, of a person who is signed in: a store with this one chat, a box and replies of its
 * own. It lives in the memory of the page, until another one is begun or the session ends.
 */
export type TemporarySession = ChatSession & {
  kept: ChatSession;
  /** Forgets what was said. */
  beginAnew(): void;
};

const sessions = new WeakMap<ChatSession, TemporarySession>();

/** The one beside a session of chats that are kept, made when it is first asked for. */
export function temporarySession(kept: ChatSession): TemporarySession {
  const known = sessions.get(kept);
  if (known) return known;
  const store = createChatsStore();
  const drafts = new MemoryDrafts();
  const replies = new TemporaryReplies(store, api);
  const beginAnew = () => {
    const before = store.getState().chats.currentChat;
    // Under a name of its own: what is still told of the one before must not be told of this one.
    const chat = { id: newRequestKey(), title: "", updatedAt: 0, messages: [] };
    store.dispatch(chatEvents.createChatSuccess({ chat }));
    store.dispatch(chatEvents.clearError());
    if (before === null) return;
    replies.cancel(before);
    void replies.stop(before);
    store.dispatch(chatEvents.deleteChatSuccess({ chat: before }));
  };
  beginAnew();
  // Without a chat every question would be refused, and there is no other way to one.
  store.subscribe(() => {
    if (store.getState().chats.currentChat === null) beginAnew();
  });
  const { account, modelChoice, atEnd } = kept;
  const parts = {
    account,
    store,
    replies,
    drafts,
    branches: null,
    modelChoice,
    presets: kept.presets,
    positions: null,
  };
  const session = { ...parts, kept, temporary: null, movesFrom: null, atEnd, beginAnew };
  sessions.set(kept, session);
  kept.temporary = session;
  const endAsking = askBeforeUnload(session);
  atEnd(() => {
    endAsking();
    replies.dispose();
    drafts.clear();
    beginAnew();
    sessions.delete(kept);
  });
  return session;
}

/**
 * Has the browser ask before the page goes while something is said in the chat. Listens only then: a page with such a
 * listener does not enter the back/forward cache. Returns a function that ends it.
 */
function askBeforeUnload(session: TemporarySession): () => void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  const stop = () => window.removeEventListener("beforeunload", ask);
  const unsubscribe = session.store.subscribe(() => {
    if (hasMessages(session)) window.addEventListener("beforeunload", ask);
    else stop();
  });
  return () => {
    unsubscribe();
    stop();
  };
}
