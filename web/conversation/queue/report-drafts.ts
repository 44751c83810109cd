import { conversationPaths } from "#contract/conversation/paths.ts";
import { api } from "../../api/client.ts";
import { keepTrying } from "../../api/keep-trying.ts";
import { chatEvents } from "../../chats/state/chats-slice.ts";
import { isGone } from "../../chats/state/chats-thunks.ts";
import { i18n } from "../../locales/i18n.ts";
import { storedKeys } from "../../storage/browser-storage.ts";
import type { ChatSession } from "../chat-session.ts";
import { chatOfDraft, draftPrefix, isOf } from "../stored-drafts.ts";

/**
 * Reports the chats that have a draft in this browser, once each, also those of earlier pages: the server removes unused
 * chats after a day, and knows no drafts. The words of a chat that is gone move to the box of a new one.
 */
export function reportDrafts(session: ChatSession): void {
  const { account, store, drafts } = session;
  const leaving = new AbortController();
  const reported = new Set<string>();
  let opening = store.getState().chats.opening;
  const report = (chat: string) => {
    reported.add(chat);
    const patch = (signal: AbortSignal) =>
      api.patch(conversationPaths.chat(encodeURIComponent(chat)), { isLatest: true }, null, { signal });
    void keepTrying(patch, leaving).catch((cause: unknown) => {
      if (isGone(cause)) store.dispatch(chatEvents.loseChat({ chat, error: i18n.t("chat:failure.gone") }));
    });
  };
  /** Looks at the chats without messages only: drafts change with each key. */
  const reportEmptyChats = () => {
    for (const { id, messages } of Object.values(store.getState().chats.conversations)) {
      if (reported.has(id) || messages.some((message) => message.id !== null)) continue;
      if (storedKeys(draftPrefix(account)).some((draftKey) => isOf(draftKey, id))) report(id);
    }
  };
  for (const chat of new Set(storedKeys(draftPrefix(account)).map(chatOfDraft))) {
    // Whether a chat that is being read has messages is known in a moment.
    if (chat !== null && chat !== opening && !store.getState().chats.conversations[chat]) report(chat);
  }
  reportEmptyChats();
  const stopFollowing = store.subscribe(() => {
    const { opening: now } = store.getState().chats;
    if (now === opening) return;
    opening = now;
    reportEmptyChats();
  });
  const unsubscribe = drafts.subscribe(reportEmptyChats);
  session.atEnd(() => {
    stopFollowing();
    unsubscribe();
    leaving.abort();
  });
}
