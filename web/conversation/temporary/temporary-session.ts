import type { AttachedFile } from "#contract/files/files.ts";
import { api } from "../../api/client.ts";
import { newRequestKey } from "../../api/request-key.ts";
import { chatEvents } from "../../chats/state/chats-slice.ts";
import { createChatsStore } from "../../chats/state/chats-store.ts";
import { ChatSession, type ChatSessionDeps, hasMessages, type SessionKey } from "../chat-session.ts";
import { refusalOf } from "./files-refusal.ts";
import { MemoryDrafts } from "./memory-drafts.ts";
import { TemporaryReplies } from "./temporary-replies.ts";

type TemporaryDeps = ChatSessionDeps & {
  storedSession: ChatSession;
  drafts: MemoryDrafts;
  beginAnew: () => void;
};

/**
 * Session of the temporary chat of the signed-in account: a store with this one chat, its own drafts and replies. In
 * memory only, until another one is begun or the session ends.
 */
export class TemporarySession extends ChatSession {
  declare readonly storedSession: ChatSession;
  declare readonly drafts: MemoryDrafts;
  /** Discards the messages. */
  readonly beginAnew: () => void;

  constructor(deps: TemporaryDeps) {
    super(deps);
    this.beginAnew = deps.beginAnew;
  }
}

const besideStored: SessionKey<TemporarySession> = {
  create: openTemporary,
  dispose: (session) => session.dispose(),
};

/** Returns the temporary session beside a session of stored chats; created on first use. */
export const temporarySession = (storedSession: ChatSession): TemporarySession => storedSession.get(besideStored);

function openTemporary(storedSession: ChatSession): TemporarySession {
  const store = createChatsStore();
  const drafts = new MemoryDrafts();
  const replies = new TemporaryReplies(store, api);
  const beginAnew = () => {
    const before = store.getState().chats.currentChat;
    // With a new id: late events of the former chat must not apply to this one.
    const { usualEffort } = storedSession.store.getState().chats;
    const guidance = usualEffort === null ? {} : { effort: usualEffort };
    const chat = { id: newRequestKey(), title: "", updatedAt: 0, messages: [], ...guidance };
    store.dispatch(chatEvents.createChatSuccess({ chat }));
    store.dispatch(chatEvents.clearError());
    if (before === null) return;
    replies.cancel(before);
    void replies.stop(before);
    store.dispatch(chatEvents.deleteChatSuccess({ chat: before }));
  };
  beginAnew();
  // Without a chat every question would be refused, and nothing else creates one.
  store.subscribe(() => {
    if (store.getState().chats.currentChat === null) beginAnew();
  });
  const { account, modelChoice, presets } = storedSession;
  const deps = { account, store, replies, drafts, branches: null, modelChoice, presets, positions: null };
  const filesRefusal = (files: readonly AttachedFile[]) => refusalOf(store, files);
  const session = new TemporarySession({ ...deps, storedSession, filesRefusal, beginAnew });
  session.atEnd(
    askBeforeUnload(session),
    () => replies.dispose(),
    () => drafts.clear(),
    beginAnew,
  );
  return session;
}

/**
 * Registers `beforeunload` while the chat has messages. Only then: a page with such a listener does not enter the
 * back/forward cache. Returns a function that stops it.
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
