import { chatSchema } from "#contract/conversation.ts";
import { paths } from "#contract/paths.ts";
import { chatEvents } from "../../chats/state/chats-slice.ts";
import type { ChatsThunk } from "../../chats/state/chats-store.ts";

/** Reads a chat that is not open, and stores it unless it was opened meanwhile. Rejects on failure. */
export function readIntoStore(chat: string): ChatsThunk<Promise<void>> {
  return async (dispatch, getState, { api }) => {
    const read = await api.get(paths.chat(encodeURIComponent(chat)), chatSchema);
    if (!getState().chats.conversations[chat]) dispatch(chatEvents.loadChatSuccess({ chat: read }));
  };
}
