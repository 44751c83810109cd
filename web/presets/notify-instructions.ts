import { hasSentInstructions } from "../api/sent-instructions.ts";
import { i18n } from "../locales/i18n.ts";
import { notify } from "../ui/notifications/notify.ts";

/**
 * Notifies the person that another page or session has changed the account's instructions; ignores changes that this
 * page has sent. The field saves while a person types: a further notification replaces the former one.
 */
export function notifyInstructionsChanged(instructions: string): void {
  if (!hasSentInstructions(instructions)) notify("info", i18n.t("app:instructionsChanged"));
}
