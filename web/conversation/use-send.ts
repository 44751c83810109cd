import { useCallback } from "react";
import type { NewBranch } from "../chats/state/chats-state.ts";
import type { ConversationReplies } from "../reply/replies.ts";
import { useStore } from "../store/use-store.ts";
import { useChatSession } from "./chat-session.ts";
import type { Draft } from "./draft.ts";
import { sendDraft } from "./queue/send-draft.ts";
import type { DraftBox } from "./stored-drafts.ts";

/** Returns the draft in the box of a chat (null: of the chat that is not created yet). */
export function useDraft(drafts: DraftBox, chat: string | null): Draft {
  return useStore({ subscribe: drafts.subscribe, get: () => drafts.get(chat) });
}

/** Returns {@link sendDraft} for the box of `chat`. */
export function useSend(chat: string | null): (branch?: NewBranch) => void {
  const session = useChatSession();
  return useCallback((branch) => void sendDraft(session, chat, branch), [session, chat]);
}

/** Stops the running or requested reply of a chat (null: of the chat that is not created yet). */
export function stopReply(replies: ConversationReplies, chat: string | null): void {
  if (chat === null) replies.cancel(null);
  else void replies.stop(chat);
}
