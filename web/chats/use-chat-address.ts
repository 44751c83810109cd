import { useEffect, useRef } from "react";
import { useLocation, useNavigate, useSearchParams } from "react-router";
import { chatAddress, readChatAddress } from "./chat-address.ts";
import { selectDestination } from "./state/chats-selectors.ts";
import { chatEvents } from "./state/chats-slice.ts";
import { useChatsDispatch, useChatsSelector } from "./state/chats-store.ts";
import { openChat } from "./state/chats-thunks.ts";

/**
 * Ties the open chat to the address `/chat?c=ID`: a new address opens its chat, a chat that was made or that takes the
 * place of a deleted one moves the address.
 * @returns whether the address is that of the temporary chat
 */
export function useChatAddress(): boolean {
  const dispatch = useChatsDispatch();
  const navigate = useNavigate();
  const [parameters] = useSearchParams();
  const { key } = useLocation();
  const { chat: addressed, isTemporary } = readChatAddress(parameters);
  const destination = useChatsSelector(selectDestination);

  // biome-ignore lint/correctness/useExhaustiveDependencies: going to the same chat again reads it again
  useEffect(() => {
    void dispatch(openChat(addressed));
  }, [dispatch, addressed, key]);

  const hasLooked = useRef(false);
  useEffect(() => {
    // What was made or deleted beside another page counts less than the chat that somebody comes for.
    const isOutdone = !hasLooked.current && addressed !== null;
    hasLooked.current = true;
    if (!destination) return;
    dispatch(chatEvents.arrive());
    if (!isOutdone) void navigate(chatAddress(destination.chat), { replace: destination.replace });
  }, [dispatch, navigate, destination, addressed]);

  return isTemporary;
}
