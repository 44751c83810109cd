import "../locales/i18n.ts";
import "./conversation.css";
import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Provider } from "react-redux";
import { useSession } from "../accounts/session.ts";
import { selectCurrent, selectDialog } from "../chats/chats-selectors.ts";
import { useChatsSelector } from "../chats/chats-store.ts";
import { loadOrganiser } from "../chats/load-organiser.ts";
import { Sidebar, useHistory } from "../chats/sidebar.tsx";
import { useChatAddress } from "../chats/use-chat-address.ts";
import { Drawer } from "../ui/dialog.tsx";
import { ChatSessionContext, chatSession, useChatSession } from "./chat-session.ts";
import { ConversationPane } from "./conversation-pane.tsx";
import { useLogout } from "./use-logout.tsx";

/** Begins to load the part for the temporary chat. */
export const loadTemporaryPane = () => import("./temporary/temporary-pane.tsx");

const TemporaryPane = lazy(loadTemporaryPane);
const ChatDialogs = lazy(async () => ({ default: (await loadOrganiser()).ChatDialogs }));

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
  const [isDrawerOpen, setDrawerOpen] = useState(false);
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
  const hasDialog = useChatsSelector(selectDialog) !== null;
  const closeDrawer = () => setDrawerOpen(false);
  const Pane = isTemporary ? TemporaryPane : ConversationPane;
  return (
    <div className="flex h-dvh overflow-hidden">
      <nav
        aria-label={t("sidebar.label")}
        className="hidden w-[30%] min-w-60 shrink-0 border-hairline border-e md:block"
      >
        <Sidebar username={username} onLogout={logout} />
      </nav>
      <Drawer isOpen={isDrawerOpen} onOpenChange={setDrawerOpen} label={t("sidebar.label")}>
        <nav aria-label={t("sidebar.label")} className="min-h-0 flex-1">
          <Sidebar username={username} onLogout={logout} onChosen={closeDrawer} onClose={closeDrawer} />
        </nav>
      </Drawer>
      <main className="relative flex min-w-0 flex-1 flex-col">
        <Suspense>
          <Pane onOpenSidebar={() => setDrawerOpen(true)} onLogout={logout} />
        </Suspense>
      </main>
      {question}
      {hasDialog && (
        <Suspense>
          <ChatDialogs />
        </Suspense>
      )}
    </div>
  );
}

/** What the first look into the menu needs, right behind the screen itself. */
function useEarlyLoads(): void {
  const { modelChoice, presets } = useChatSession();
  useEffect(() => {
    void modelChoice.load();
    void presets.load();
  }, [modelChoice, presets]);
}
