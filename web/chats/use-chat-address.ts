import { useEffect, useRef } from "react";
import { useLocation, useNavigate, useSearchParams } from "react-router";
import { selectDestination } from "./chats-selectors.ts";
import { chatEvents } from "./chats-slice.ts";
import { useChatsDispatch, useChatsSelector } from "./chats-store.ts";
import { openChat } from "./chats-thunks.ts";

/** `message`: one that is to be shown, on whichever branch it is. */
export const chatAddress = (chat: string | null, message: string | null = null) =>
  chat === null ? "/chat" : `/chat?${new URLSearchParams({ c: chat, ...(message !== null && { m: message }) })}`;

/** The temporary chat has no id that an address could tell. */
export const TEMPORARY_ADDRESS = "/chat?temporary=1";

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
  const addressed = parameters.get("c");
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

  return parameters.has("temporary");
}
