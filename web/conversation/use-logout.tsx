import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { signOut } from "../accounts/session/session.ts";
import { forgetOpenFolders } from "../chats/open-folders.ts";
import { deleteStoredFiles } from "../files/files-database.ts";
import { HEIGHTS_KEY } from "../markdown/diagrams/diagram-limits.ts";
import { positionsKey } from "../scroll/scroll-position.ts";
import { writeStorage } from "../storage/browser-storage.ts";
import { lazyModule, useLazyModule } from "../ui/lazy/lazy-module.ts";
import { hasMessages, useChatSession } from "./chat-session.ts";

/** Preloaded: a logout must not need a network. */
const confirmDialogModule = lazyModule(() => import("../ui/dialogs/confirm-dialog.tsx"), "after-chat");

/** Logs out, which removes a temporary chat and all drafts; asks first if there are any. */
export function useLogout(): { logout: () => void; question: ReactNode } {
  const { t } = useTranslation("chat");
  const session = useChatSession();
  const { account, drafts, modelChoice, positions } = session;
  const [asking, setAsking] = useState<"never" | "now" | "before">("never");
  const part = useLazyModule(confirmDialogModule, asking !== "never");
  const leave = () => {
    drafts.clear();
    deleteStoredFiles(account);
    modelChoice.forget();
    positions?.clear();
    writeStorage(positionsKey(account), null);
    forgetOpenFolders(account);
    writeStorage(HEIGHTS_KEY, null);
    void signOut();
  };
  const ask = async () => {
    const isThere = await confirmDialogModule.load().then(
      () => true,
      () => false,
    );
    if (isThere) setAsking("now");
    else if (window.confirm(t(textKey()))) leave();
  };
  const hasTemporary = () => session.temporary !== null && hasMessages(session.temporary);
  const textKey = () => (hasTemporary() ? "leaving.temporary" : "leaving.text");
  const question = part && (
    <part.ConfirmDialog
      isOpen={asking === "now"}
      onOpenChange={(isOpen) => setAsking(isOpen ? "now" : "before")}
      title={t(hasTemporary() ? "leaving.titleTemporary" : "leaving.title")}
      description={t(textKey())}
      confirmLabel={t("leaving.confirm")}
      onConfirm={leave}
    />
  );
  return {
    logout: () => (drafts.hasAny() || session.temporary?.drafts.hasAny() || hasTemporary() ? void ask() : leave()),
    question,
  };
}
