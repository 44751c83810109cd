import { paths } from "#contract/paths.ts";
import type { Api } from "../api/client.ts";
import { keepTrying } from "../api/keep-trying.ts";
import type { Conversation } from "../chats/state/chats-state.ts";
import type { ChatsStore } from "../chats/state/chats-store.ts";
import type { Drafts } from "./stored-drafts.ts";

/**
 * Reports the empty chats in which a draft is written, once each: the server removes unused chats after a day, and drafts
 * are stored in the browser only. Returns a function that stops it.
 */
export function reportDrafts(store: ChatsStore, drafts: Drafts, api: Api): () => void {
  const leaving = new AbortController();
  const reported = new Set<string>();
  const isEmpty = ({ isUntitled, isWriting, messages }: Conversation) =>
    isUntitled && !isWriting && messages.length === 0;
  const unsubscribe = drafts.subscribe(() => {
    for (const conversation of Object.values(store.getState().chats.conversations)) {
      const { id } = conversation;
      if (reported.has(id) || !isEmpty(conversation) || drafts.listOf(id).size === 0) continue;
      reported.add(id);
      const report = (signal: AbortSignal) =>
        api.patch(paths.chat(encodeURIComponent(id)), { isLatest: true }, null, { signal });
      void keepTrying(report, leaving).catch(() => {});
    }
  });
  return () => {
    unsubscribe();
    leaving.abort();
  };
}
