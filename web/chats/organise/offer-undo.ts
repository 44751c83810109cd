import { SECOND } from "#contract/limits.ts";
import { i18n } from "../../locales/i18n.ts";
import { notify } from "../../ui/notifications/notify.ts";

/** Time for which the undo button is shown. */
const UNDO_MS = 10 * SECOND;

/** Shows a notification of an action with a button that undoes it. */
export function offerUndo(text: string, undo: () => void): void {
  notify("info", text, { durationMs: UNDO_MS, action: { label: i18n.t("organise:told.undo"), run: undo } });
}
