import { useTranslation } from "react-i18next";
import { notify } from "../../ui/notifications/notify.ts";
import { notifyCounted } from "../../ui/notifications/notify-counted.ts";
import type { DraftFile, DraftFiles } from "../draft-files.ts";

/**
 * Returns a function that removes a file from a draft, and shows a notification that restores it; none for a file that
 * has failed.
 */
export function useRemoval(draft: Pick<DraftFiles, "remove" | "undoRemove">): (file: DraftFile) => void {
  const { t } = useTranslation("files");
  return ({ id, name, state }) => {
    draft.remove(id);
    if (state === "failed") return;
    const undo = () => {
      if (!draft.undoRemove(id)) notify("error", t("isGone", { name }));
    };
    const word = (count: number) => t("removedCount", { count });
    notifyCounted(t("removed", { name }), { kind: "file", count: 1, word, undo: { label: t("undo"), run: undo } });
  };
}
