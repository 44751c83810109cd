import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { signOut } from "../accounts/session.ts";
import { forgetOpenFolders } from "../chats/open-folders.ts";
import { later, useLater } from "../ui/later.ts";
import { useChatSession } from "./chat-session.ts";
import { placesKey } from "./message/reading-place.ts";

/** To be called ahead: the way out must not need a network. */
export const leavingPart = later(() => import("../ui/confirm-dialog.tsx"));

/** Logging out forgets what was written and not sent; while there is such a thing, it asks first. */
export function useLogout(): { logout: () => void; question: ReactNode } {
  const { t } = useTranslation("chat");
  const { account, drafts, modelChoice, places } = useChatSession();
  const [asking, setAsking] = useState<"never" | "now" | "before">("never");
  const part = useLater(leavingPart, asking !== "never");
  const leave = () => {
    drafts.clear();
    modelChoice.forget();
    places?.clear();
    localStorage.removeItem(placesKey(account));
    forgetOpenFolders(account);
    void signOut();
  };
  const ask = async () => {
    const isThere = await leavingPart.load().then(
      () => true,
      () => false,
    );
    if (isThere) setAsking("now");
    else if (window.confirm(t("leaving.text"))) leave();
  };
  const question = part && (
    <part.ConfirmDialog
      isOpen={asking === "now"}
      onOpenChange={(isOpen) => setAsking(isOpen ? "now" : "before")}
      title={t("leaving.title")}
      description={t("leaving.text")}
      confirmLabel={t("leaving.confirm")}
      onConfirm={leave}
    />
  );
  return { logout: () => (drafts.hasAny() ? void ask() : leave()), question };
}
