import { useChatsSelector } from "../../chats/state/chats-store.ts";

/** Whether a reply is requested or running in the chat: until it has ended, the server refuses other requests. */
export function useIsBusy(chat: string): boolean {
  return useChatsSelector(({ chats }) => chats.conversations[chat]?.isWriting ?? true);
}
