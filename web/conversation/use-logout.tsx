import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { signOut } from "../accounts/session.ts";
import { forgetOpenFolders } from "../chats/open-folders.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { useChatSession } from "./chat-session.ts";

/** Logging out forgets what was written and not sent; while there is such a thing, it asks first. */
export function useLogout(): { logout: () => void; question: ReactNode } {
  const { t } = useTranslation("chat");
  const { account, drafts, modelChoice } = useChatSession();
  const [isAsking, setAsking] = useState(false);
  const leave = () => {
    drafts.clear();
    modelChoice.forget();
    forgetOpenFolders(account);
    void signOut();
  };
  const question = (
    <ConfirmDialog
      isOpen={isAsking}
      onOpenChange={setAsking}
      title={t("leaving.title")}
      description={t("leaving.text")}
      confirmLabel={t("leaving.confirm")}
      onConfirm={leave}
    />
  );
  return { logout: () => (drafts.hasAny() ? setAsking(true) : leave()), question };
}
