import type { ChatListItem } from "#contract/chats.ts";
import { i18n } from "../locales/i18n.ts";

/** The title of a chat as the screen names it: in the language of the interface where the chat has none of its own. */
export const shownTitle = ({ title, isUntitled }: Pick<ChatListItem, "title" | "isUntitled">): string =>
  isUntitled ? i18n.t("chat:sidebar.newChat") : title;
