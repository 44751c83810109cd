import { useEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { useSearchParams } from "../ui/use-search-params.ts";
import { chatAddress, readChatAddress } from "./chat-address.ts";
import { selectDestination } from "./state/chats-selectors.ts";
import { chatEvents } from "./state/chats-slice.ts";
import { useChatsDispatch, useChatsSelector } from "./state/chats-store.ts";
import { openChat } from "./state/chats-thunks.ts";

/**
 * Synchronizes the open chat with the address `/chat?c=ID`: a new address opens its chat; a created chat, or the one
 * that replaces a deleted chat, changes the address.
 * @returns whether the address is that of the temporary chat
 */
export function useChatAddress(): boolean {
  const dispatch = useChatsDispatch();
  const navigate = useNavigate();
  const [parameters] = useSearchParams();
  const { key } = useLocation();
  const { chat: addressed, isTemporary } = readChatAddress(parameters);
  const destination = useChatsSelector(selectDestination);

  // biome-ignore lint/correctness/useExhaustiveDependencies: navigating to the same chat again reads it again
  useEffect(() => {
    void dispatch(openChat(addressed));
  }, [dispatch, addressed, key]);

  const hasRun = useRef(false);
  useEffect(() => {
    // On mount, the chat in the address has precedence over a destination left from another page.
    const isOutdone = !hasRun.current && addressed !== null;
    hasRun.current = true;
    if (!destination) return;
    dispatch(chatEvents.arrive());
    if (!isOutdone) void navigate(chatAddress(destination.chat), { replace: destination.replace });
  }, [dispatch, navigate, destination, addressed]);

  return isTemporary;
}
