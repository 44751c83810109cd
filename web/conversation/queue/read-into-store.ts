import { chatEvents } from "../../chats/state/chats-slice.ts";
import type { ChatsThunk } from "../../chats/state/chats-store.ts";
import { readChat } from "../../chats/state/read-chat.ts";

/** Reads a chat that is not open, and stores it unless it was opened meanwhile. Rejects on failure. */
export function readIntoStore(chat: string): ChatsThunk<Promise<void>> {
  return async (dispatch, getState, { api }) => {
    const read = await readChat(api, chat);
    if (!getState().chats.conversations[chat]) dispatch(chatEvents.loadChatSuccess({ chat: read }));
  };
}
