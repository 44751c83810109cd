import { paths } from "#contract/paths.ts";
import { api } from "../../api/client.ts";
import { keepTrying } from "../../api/keep-trying.ts";
import { chatEvents } from "../../chats/state/chats-slice.ts";
import { isGone } from "../../chats/state/chats-thunks.ts";
import { i18n } from "../../locales/i18n.ts";
import { storedKeys } from "../../storage/browser-storage.ts";
import type { ChatSession } from "../chat-session.ts";
import { chatOfDraft, draftPrefix } from "../stored-drafts.ts";

/**
 * Reports the chats that have a draft in this browser, once each, also those of earlier pages: the server removes unused
 * chats after a day, and knows no drafts. The words of a chat that is gone move to the box of a new one.
 */
export function reportDrafts({ account, store, drafts, atEnd }: ChatSession): void {
  const leaving = new AbortController();
  const reported = new Set<string>();
  let opening = store.getState().chats.opening;
  const look = () => {
    for (const place of storedKeys(draftPrefix(account))) {
      const chat = chatOfDraft(place);
      // Whether a chat that is being read has messages is known in a moment.
      if (chat === null || chat === opening || reported.has(chat)) continue;
      const { messages = [] } = store.getState().chats.conversations[chat] ?? {};
      if (messages.some(({ id }) => id !== null)) continue;
      reported.add(chat);
      const report = (signal: AbortSignal) =>
        api.patch(paths.chat(encodeURIComponent(chat)), { isLatest: true }, null, { signal });
      void keepTrying(report, leaving).catch((cause: unknown) => {
        if (isGone(cause)) store.dispatch(chatEvents.loseChat({ chat, error: i18n.t("chat:failure.gone") }));
      });
    }
  };
  look();
  const stopFollowing = store.subscribe(() => {
    const { opening: now } = store.getState().chats;
    if (now === opening) return;
    opening = now;
    look();
  });
  const unsubscribe = drafts.subscribe(look);
  atEnd(() => {
    stopFollowing();
    unsubscribe();
    leaving.abort();
  });
}
