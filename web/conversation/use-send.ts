import { useCallback, useSyncExternalStore } from "react";
import { useChatSession } from "./chat-session.ts";
import type { DraftBox } from "./drafts.ts";

/** The words in the box of a chat (null: of the one that is not there yet). */
export function useDraft(drafts: DraftBox, chat: string | null): string {
  return useSyncExternalStore(drafts.subscribe, () => drafts.get(chat));
}

/** Sends the words in the box of `chat`; what the server does not take goes back there. */
export function useSend(chat: string | null): () => void {
  const { replies, drafts, modelChoice } = useChatSession();
  return useCallback(() => {
    if (drafts.get(chat).trim() === "") return;
    const ticket = drafts.take(chat, modelChoice.current().value);
    void replies.send(chat, ticket.text, ticket.model, ticket.key).then((outcome) => {
      drafts.settle(ticket, outcome, outcome.chat);
    });
  }, [chat, replies, drafts, modelChoice]);
}
