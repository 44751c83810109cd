import { hasSentInstructions } from "../api/sent-instructions.ts";
import { i18n } from "../locales/i18n.ts";
import { closeNotification, notify } from "../ui/notifications/notify.ts";

let shown: number | null = null;

/**
 * Notifies the person that another page or session has changed the account's instructions; what this page has sent needs
 * no notification. The field saves while a person writes: a later notification replaces the former.
 */
export function notifyInstructionsChanged(instructions: string): void {
  if (hasSentInstructions(instructions)) return;
  if (shown !== null) closeNotification(shown);
  shown = notify("info", i18n.t("app:instructionsChanged"));
}
