import type { ChatExportFormat } from "#contract/transfer/transfer.ts";
import { i18n } from "../../locales/i18n.ts";
import { saveChat } from "../../transfer/chat-exports.ts";
import { notify } from "../../ui/notifications/notify.ts";
import { wordFailure } from "../state/word-failure.ts";

/** Saves a chat as a file, or notifies of the failure. `withReasoning`: an HTML file contains the models' reasoning. */
export async function exportChat(chat: string, format: ChatExportFormat, withReasoning = false): Promise<void> {
  try {
    await saveChat(chat, format, withReasoning);
  } catch (error) {
    notify("error", wordFailure(error, i18n.t("organise:export.failed")));
  }
}
