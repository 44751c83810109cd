import { LogOut, PanelLeft, SquarePen } from "lucide-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { useAuthConfig } from "../accounts/auth-config.ts";
import { ChatMenuButton } from "../chats/chat-menu-button.tsx";
import { shownTitle } from "../chats/shown-title.ts";
import { selectCurrent } from "../chats/state/chats-selectors.ts";
import { useChatsSelector } from "../chats/state/chats-store.ts";
import { Button } from "../ui/components/button.tsx";
import { cx } from "../ui/components/cx.ts";
import { IconButton } from "../ui/components/icon-button.tsx";
import { Wordmark } from "../ui/components/wordmark.tsx";
import { useIsTemporary } from "./chat-session.ts";
import { TemporarySwitch } from "./temporary-switch.tsx";

type ChatHeaderProps = {
  hasMessages: boolean;
  onOpenSidebar: () => void;
  onNewChat: () => void;
  onLogout: () => void;
};

/**
 * Header with the product's title and Logout, once there is a message. The switch to the temporary chat is at the end
 * of an empty chat, and stays there in a temporary one: Logout must not appear under the pointer. On a phone also the
 * buttons for the list of chats and for a new chat, and Logout is an icon.
 */
export const ChatHeader = memo(function ChatHeader({
  hasMessages,
  onOpenSidebar,
  onNewChat,
  onLogout,
}: ChatHeaderProps) {
  const { t } = useTranslation("chat");
  const { productName } = useAuthConfig();
  const id = useChatsSelector((root) => selectCurrent(root)?.id);
  const title = useChatsSelector((root) => shownTitle(selectCurrent(root) ?? { title: "" }));
  // A temporary chat is not on the server, so nothing of it can be changed.
  const isTemporary = useIsTemporary();
  return (
    <header
      className={cx(
        "flex min-h-[calc(3.5rem+env(safe-area-inset-top))] items-center gap-2 px-2 pt-[env(safe-area-inset-top)] sm:px-4 print:hidden",
        hasMessages ? "border-hairline border-b" : "justify-between md:absolute md:end-0 md:top-0",
      )}
    >
      <IconButton
        label={t("sidebar.open")}
        icon={<PanelLeft aria-hidden="true" className="rtl:-scale-x-100" />}
        className="md:hidden"
        onClick={onOpenSidebar}
      />
      {hasMessages && (
        <>
          <h1 className="flex min-w-0 flex-1 items-center px-1 md:px-4">
            <Wordmark name={productName} />
          </h1>
          <IconButton
            label={t("sidebar.newChat")}
            icon={<SquarePen aria-hidden="true" />}
            className="md:hidden"
            onClick={onNewChat}
          />
          {id !== undefined && !isTemporary && <ChatMenuButton chat={{ id, title }} where="header" />}
          <Button variant="quiet" size="small" className="text-muted max-sm:min-w-11 max-sm:px-0" onClick={onLogout}>
            <LogOut aria-hidden="true" className="size-4 rtl:-scale-x-100" />
            <span className="max-sm:sr-only">{t("sidebar.logout")}</span>
          </Button>
        </>
      )}
      {(!hasMessages || isTemporary) && <TemporarySwitch />}
    </header>
  );
});
