import type { ChatListItem } from "#contract/conversation/chats.ts";
import { i18n } from "../locales/i18n.ts";

/** Returns the title shown for a chat; for an untitled chat a default in the language of the interface. */
export const shownTitle = ({ title, isUntitled }: Pick<ChatListItem, "title" | "isUntitled">): string =>
  isUntitled ? i18n.t("chat:sidebar.newChat") : title;
