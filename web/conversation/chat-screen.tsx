import "../locales/i18n.ts";
import "./conversation.css";
import { type ComponentType, type ReactNode, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Provider } from "react-redux";
import { useNavigate } from "react-router";
import { useSession } from "../accounts/session.ts";
import { selectCurrent, selectDialog } from "../chats/chats-selectors.ts";
import { chatEvents } from "../chats/chats-slice.ts";
import { useChatsDispatch, useChatsSelector } from "../chats/chats-store.ts";
import { organiserPart } from "../chats/organiser-part.ts";
import { Sidebar, useHistory } from "../chats/sidebar.tsx";
import { chatAddress, useChatAddress } from "../chats/use-chat-address.ts";
import { later, useLater } from "../ui/later.ts";
import { ChatSessionContext, chatSession, useChatSession } from "./chat-session.ts";
import { ConversationPane, type ConversationPaneProps } from "./conversation-pane.tsx";
import { useLogout } from "./use-logout.tsx";

/** On a wide screen nobody needs it. */
export const drawerPart = later(() => import("../ui/dialog.tsx"));
export const temporaryPart = later(() => import("./temporary/temporary-pane.tsx"));

/** `onTitle`: told what is on the screen; null without a chat. */
type ChatScreenProps = { onTitle: (title: string | null) => void };

/** The chat area of the person who is signed in. */
export function ChatScreen({ onTitle }: ChatScreenProps) {
  const { user } = useSession();
  const account = user?.id ?? "";
  const session = useMemo(() => chatSession(account), [account]);
  return (
    <ChatSessionContext value={session}>
      <Provider store={session.store}>
        <ChatLayout key={account} username={user?.username ?? null} onTitle={onTitle} />
      </Provider>
    </ChatSessionContext>
  );
}

function ChatLayout({ username, onTitle }: ChatScreenProps & { username: string | null }) {
  const { t } = useTranslation("chat");
  const [drawer, setDrawer] = useState<"unused" | "open" | "closed">("unused");
  const { logout, question } = useLogout();
  const isTemporary = useChatAddress();
  useHistory();
  useEarlyLoads();
  const current = useChatsSelector(selectCurrent)?.title || null;
  const title = isTemporary ? t("temporary.name") : current;
  useEffect(() => {
    onTitle(title);
    return () => onTitle(null);
  }, [onTitle, title]);
  const dialogs = useDialogs();
  const drawerParts = useLater(drawerPart, drawer !== "unused", () => setDrawer("unused"));
  const closeDrawer = () => setDrawer("closed");
  const Pane = usePane(isTemporary);
  return (
    <div className="flex h-dvh overflow-hidden">
      <nav
        aria-label={t("sidebar.label")}
        className="hidden w-[30%] min-w-60 shrink-0 border-hairline border-e md:block"
      >
        <Sidebar username={username} onLogout={logout} />
      </nav>
      {drawerParts && (
        <drawerParts.Drawer
          isOpen={drawer === "open"}
          onOpenChange={(isOpen) => setDrawer(isOpen ? "open" : "closed")}
          label={t("sidebar.label")}
        >
          <nav aria-label={t("sidebar.label")} className="min-h-0 flex-1">
            <Sidebar username={username} onLogout={logout} onChosen={closeDrawer} onClose={closeDrawer} />
          </nav>
        </drawerParts.Drawer>
      )}
      <main className="relative flex min-w-0 flex-1 flex-col">
        {Pane && <Pane onOpenSidebar={() => setDrawer("open")} onLogout={logout} />}
      </main>
      {question}
      {dialogs}
    </div>
  );
}

/** Undefined until it is there. Where the temporary chat cannot be had, the way leads back. */
function usePane(isTemporary: boolean): ComponentType<ConversationPaneProps> | undefined {
  const session = useChatSession();
  const navigate = useNavigate();
  const part = useLater(temporaryPart, isTemporary, () => {
    session.movesFrom = null;
    void navigate(chatAddress(null), { replace: true });
  });
  return isTemporary ? part?.default : ConversationPane;
}

/** The dialog that something on the screen asked for. */
function useDialogs(): ReactNode {
  const dispatch = useChatsDispatch();
  const hasDialog = useChatsSelector(selectDialog) !== null;
  const parts = useLater(organiserPart, hasDialog, () => dispatch(chatEvents.organise({ dialog: null })));
  return parts && <parts.ChatDialogs />;
}

/** What the first look into the menu needs, right behind the screen itself. */
function useEarlyLoads(): void {
  const { modelChoice, presets } = useChatSession();
  useEffect(() => {
    void modelChoice.load();
    void presets.load();
  }, [modelChoice, presets]);
}
