import { useCallback } from "react";
import type { NewBranch } from "../../chats/state/chats-state.ts";
import type { ConversationReplies } from "../../reply/replies.ts";
import { useChatSession } from "../chat-session.ts";
import { sendDraft } from "./send-draft.ts";

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
