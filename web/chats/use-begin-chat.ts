import { selectIsCreating } from "./state/chats-selectors.ts";
import { useChatsDispatch, useChatsSelector } from "./state/chats-store.ts";
import { beginChat } from "./state/chats-thunks.ts";

/** Returns the command New chat, which does nothing while a chat is being created. `onBegun`: called after a success. */
export function useBeginChat(onBegun: () => void): { begin: () => void; isCreating: boolean } {
  const dispatch = useChatsDispatch();
  const isCreating = useChatsSelector(selectIsCreating);
  const begin = async () => {
    if (!isCreating && (await dispatch(beginChat())) !== null) onBegun();
  };
  return { begin: () => void begin(), isCreating };
}
