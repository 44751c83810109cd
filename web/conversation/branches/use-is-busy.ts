import { useChatsSelector } from "../../chats/state/chats-store.ts";

/** Whether a reply is being asked for or written in the chat: until it has ended, the server takes nothing else. */
export function useIsBusy(chat: string): boolean {
  return useChatsSelector(({ chats }) => chats.conversations[chat]?.isWriting ?? true);
}
