import { useTranslation } from "react-i18next";
import { SECOND } from "#contract/limits.ts";
import { notify } from "../../ui/notifications/notify.ts";
import type { DraftFiles } from "../draft-files.ts";

/** Time for which the undo button is shown. */
const UNDO_MS = 10 * SECOND;

/** Returns a function that removes a file from a draft, and shows a notification that restores it. */
export function useRemoval(draft: Pick<DraftFiles, "remove" | "undoRemove">): (id: string, name: string) => void {
  const { t } = useTranslation("files");
  return (id, name) => {
    draft.remove(id);
    const undo = () => {
      if (!draft.undoRemove(id)) notify("error", t("isGone", { name }));
    };
    notify("info", t("removed", { name }), { durationMs: UNDO_MS, action: { label: t("undo"), run: undo } });
  };
}
