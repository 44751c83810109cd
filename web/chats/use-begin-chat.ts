import { useNavigate } from "react-router";
import { beginChatAlsoOffline } from "./begin-chat-offline.ts";
import { selectIsMakingRoom } from "./state/chats-selectors.ts";
import { useChatsDispatch, useChatsSelector } from "./state/chats-store.ts";

/** Returns the command New chat, which does nothing while a chat is being created. `onBegun`: called after a success. */
export function useBeginChat(onBegun: () => void): { begin: () => void; isCreating: boolean } {
  const dispatch = useChatsDispatch();
  const navigate = useNavigate();
  const isCreating = useChatsSelector(selectIsMakingRoom);
  const begin = async () => {
    const go = (address: string) => {
      void navigate(address, { replace: location.pathname + location.search === address });
    };
    if (!isCreating && (await dispatch(beginChatAlsoOffline(go)))) onBegun();
  };
  return { begin: () => void begin(), isCreating };
}
