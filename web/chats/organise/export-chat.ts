import type { ChatExportFormat } from "#contract/transfer/transfer.ts";
import { i18n } from "../../locales/i18n.ts";
import { type ChatFileOptions, saveChat } from "../../transfer/chat-exports.ts";
import { notify } from "../../ui/notifications/notify.ts";
import { wordFailure } from "../state/word-failure.ts";

/** Saves a chat or one of its messages as a file, or notifies of the failure. */
export async function exportChat(chat: string, format: ChatExportFormat, options?: ChatFileOptions): Promise<void> {
  try {
    await saveChat(chat, format, options);
  } catch (error) {
    notify("error", wordFailure(error, i18n.t("organise:export.failed")));
  }
}
