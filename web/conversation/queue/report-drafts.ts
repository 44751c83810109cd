import { paths } from "#contract/paths.ts";
import { api } from "../../api/client.ts";
import { keepTrying } from "../../api/keep-trying.ts";
import type { Conversation } from "../../chats/state/chats-state.ts";
import { storedKeys } from "../../storage/browser-storage.ts";
import type { ChatSession } from "../chat-session.ts";
import { draftPrefix, isOf } from "../stored-drafts.ts";

const isEmpty = ({ isUntitled, isWriting, messages }: Conversation) =>
  isUntitled && !isWriting && messages.length === 0;

/**
 * Reports the empty chats in which a draft is written, once each: the server removes unused chats after a day, and drafts
 * are stored in the browser only.
 */
export function reportDrafts({ account, store, drafts, atEnd }: ChatSession): void {
  const leaving = new AbortController();
  const reported = new Set<string>();
  const hasDraft = (chat: string) => storedKeys(draftPrefix(account)).some((place) => isOf(place, chat));
  const unsubscribe = drafts.subscribe(() => {
    for (const conversation of Object.values(store.getState().chats.conversations)) {
      const { id } = conversation;
      if (reported.has(id) || !isEmpty(conversation) || !hasDraft(id)) continue;
      reported.add(id);
      const report = (signal: AbortSignal) =>
        api.patch(paths.chat(encodeURIComponent(id)), { isLatest: true }, null, { signal });
      void keepTrying(report, leaving).catch(() => {});
    }
  });
  atEnd(() => {
    unsubscribe();
    leaving.abort();
  });
}
