import { LogOut, PanelLeft } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useAuthConfig } from "../accounts/auth-config.ts";
import { ChatMenuButton } from "../chats/chat-menu-button.tsx";
import { selectCurrent } from "../chats/chats-selectors.ts";
import { useChatsSelector } from "../chats/chats-store.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { Wordmark } from "../ui/wordmark.tsx";
import { useIsTemporary } from "./chat-session.ts";
import { TemporarySwitch } from "./temporary-switch.tsx";

type ChatHeaderProps = { hasMessages: boolean; onOpenSidebar: () => void; onLogout: () => void };

/**
 * The product's title and Logout, once there is a message; until then the switch to the temporary chat. On a phone also
 * the way to the list of chats.
 */
export function ChatHeader({ hasMessages, onOpenSidebar, onLogout }: ChatHeaderProps) {
  const { t } = useTranslation("chat");
  const { productName } = useAuthConfig();
  const current = useChatsSelector(selectCurrent);
  // The server has no such chat, of which anything could be changed.
  const isTemporary = useIsTemporary();
  return (
    <header
      className={cx(
        "flex min-h-14 items-center gap-2 px-2 pt-[env(safe-area-inset-top)] sm:px-4",
        hasMessages ? "border-hairline border-b" : "justify-between md:absolute md:end-0 md:top-0",
      )}
    >
      <IconButton
        label={t("sidebar.open")}
        icon={<PanelLeft aria-hidden="true" />}
        className="md:hidden"
        onClick={onOpenSidebar}
      />
      {!hasMessages && <TemporarySwitch />}
      {hasMessages && (
        <>
          <h1 className="flex min-w-0 flex-1 items-center overflow-hidden whitespace-nowrap px-1 md:px-4">
            <Wordmark name={productName} />
          </h1>
          {current && !isTemporary && <ChatMenuButton chat={current} where="header" />}
          <Button variant="quiet" size="small" className="text-muted" onClick={onLogout}>
            <LogOut aria-hidden="true" className="size-4" />
            {t("sidebar.logout")}
          </Button>
        </>
      )}
    </header>
  );
}
