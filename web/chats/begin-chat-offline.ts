import { i18n } from "../locales/i18n.ts";
import { notify } from "../ui/notifications/notify.ts";
import { chatAddress } from "./chat-address.ts";
import { selectFirstMessage } from "./state/chats-selectors.ts";
import type { ChatsThunk } from "./state/chats-store.ts";
import { createChat } from "./state/chats-thunks.ts";

const NOTICE_MS = 8000;

/**
 * Runs the command New chat, also without a network: then it opens the chat that is created with its first message. If
 * that message already waits, a notification says so, because there is one such chat.
 * @param go navigates to an address
 * @returns whether a chat was begun or opened
 */
export function beginChatAlsoOffline(go: (address: string) => void): ChatsThunk<Promise<boolean>> {
  return async (dispatch, getState) => {
    const isFirstWaiting = selectFirstMessage(getState()) !== null;
    if (!isFirstWaiting && navigator.onLine) return (await dispatch(createChat())) !== null;
    go(chatAddress(null));
    if (isFirstWaiting) notify("info", i18n.t("chat:sidebar.newChatWaits"), { durationMs: NOTICE_MS });
    return true;
  };
}
