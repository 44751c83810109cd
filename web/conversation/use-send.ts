import { useCallback } from "react";
import type { ClientMessage } from "../chats/state/chats-state.ts";
import type { ConversationReplies } from "../reply/replies.ts";
import { useStore } from "../store/use-store.ts";
import { useChatSession } from "./chat-session.ts";
import type { Draft } from "./draft.ts";
import type { DraftBox } from "./stored-drafts.ts";

/** Returns the draft in the box of a chat (null: of the chat that is not created yet). */
export function useDraft(drafts: DraftBox, chat: string | null): Draft {
  return useStore({ subscribe: drafts.subscribe, get: () => drafts.get(chat) });
}

/**
 * Sends the text in the box of `chat`; refused text returns there. With `behind` it begins a branch after those
 * messages.
 */
export function useSend(chat: string | null): (behind?: readonly ClientMessage[]) => void {
  const { replies, drafts, branches, modelChoice } = useChatSession();
  return useCallback(
    (behind) => {
      if (drafts.get(chat).isEmpty) return;
      const ticket = drafts.take(chat, modelChoice.current().value);
      const sent =
        behind && branches && chat !== null
          ? branches.replies.sendAsBranch(chat, behind, { ...ticket, text: ticket.draft.text })
          : replies.send(chat, ticket.draft.text, ticket.model, ticket.key);
      void sent.then((outcome) => drafts.settle(ticket, outcome, outcome.chat));
    },
    [chat, replies, drafts, branches, modelChoice],
  );
}

/** Stops the running or requested reply of a chat (null: of the chat that is not created yet). */
export function stopReply(replies: ConversationReplies, chat: string | null): void {
  if (chat === null) replies.cancel(null);
  else void replies.stop(chat);
}
