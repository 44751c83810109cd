import chat from "../locales/en/chat.json";
import { registerTexts } from "../locales/i18n.ts";
import "./conversation.css";
import { type ComponentType, type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Provider } from "react-redux";
import { useNavigate } from "react-router";
import { SECOND } from "#contract/limits.ts";
import { useSession } from "../accounts/session/session.ts";
import { chatAddress } from "../chats/chat-address.ts";
import { SidebarPanel } from "../chats/panel/sidebar-panel.tsx";
import { shownTitle } from "../chats/shown-title.ts";
import { Sidebar, useHistory } from "../chats/sidebar.tsx";
import { selectCurrent, selectDialog } from "../chats/state/chats-selectors.ts";
import { chatEvents } from "../chats/state/chats-slice.ts";
import { useChatsDispatch, useChatsSelector } from "../chats/state/chats-store.ts";
import { useBeginChat } from "../chats/use-begin-chat.ts";
import { useChatAddress } from "../chats/use-chat-address.ts";
import { useStore } from "../store/use-store.ts";
import { Landmark } from "../ui/components/landmark.tsx";
import { SkipLink } from "../ui/components/skip-link.tsx";
import { lazyModule, useLazyModule } from "../ui/lazy/lazy-module.ts";
import { pendingDraftMove } from "./attachments/move-draft.ts";
import { ChatSessionContext, useChatSession } from "./chat-session.ts";
import { ComposerBox, useFocusOnBox } from "./composer-box.ts";
import { ConversationPane, type ConversationPaneProps } from "./conversation-pane.tsx";
import { openStoredSession } from "./stored-session.ts";
import { useLogout } from "./use-logout.tsx";

registerTexts("chat", chat);

/** Not used on a wide screen. */
const drawerModule = lazyModule(() => import("../ui/dialogs/drawer.tsx"), "after-chat");
const dialogsModule = lazyModule(() => import("../chats/organise/chat-dialogs.tsx"), "after-chat");
const temporaryModule = lazyModule(() => import("./temporary/temporary-pane.tsx"), "after-chat");

type ActionsProps = { page: "chats" | "temporary"; onLogout: () => void; onChosen: () => void };
type ChatScreenProps = {
  /** Receives the title of the chat on the screen; null without a chat. */
  onTitle: (title: string | null) => void;
  /** Shortcuts and palette of the page. Passed in by the page, because actions import the conversation. */
  Actions?: ComponentType<ActionsProps>;
};

/** The chat area of the account that is signed in. */
export function ChatScreen(props: ChatScreenProps) {
  const { user } = useSession();
  const account = user?.id ?? "";
  const session = useMemo(() => openStoredSession(account), [account]);
  const box = useRef<HTMLTextAreaElement>(null);
  return (
    <ChatSessionContext value={session}>
      <Provider store={session.store}>
        <ComposerBox value={box}>
          <ChatLayout key={account} username={user?.username ?? null} {...props} />
        </ComposerBox>
      </Provider>
    </ChatSessionContext>
  );
}

function ChatLayout({ username, onTitle, Actions }: ChatScreenProps & { username: string | null }) {
  const { t } = useTranslation("chat");
  const [drawer, setDrawer] = useState<"unused" | "open" | "closed">("unused");
  const { logout, question } = useLogout();
  const isTemporary = useChatAddress();
  useHistory();
  useEarlyLoads();
  // Selects the title only: a wider selection would render the whole screen many times a second.
  const current = useChatsSelector((root) => shownTitle(selectCurrent(root) ?? { title: "" })) || null;
  const title = isTemporary ? t("temporary.name") : current;
  useEffect(() => {
    onTitle(title);
    return () => onTitle(null);
  }, [onTitle, title]);
  const dialogs = useDialogs();
  const focusOnBox = useFocusOnBox();
  const { begin } = useBeginChat(focusOnBox);
  useLazyModule(drawerModule, drawer !== "unused", () => setDrawer("unused"));
  // Loaded before it is requested, so that a swipe can open it.
  const drawerParts = useStore(drawerModule);
  const closeDrawer = () => setDrawer((before) => (before === "unused" ? before : "closed"));
  const Pane = usePaneComponent(isTemporary);
  return (
    <div className="chat-frame flex overflow-hidden print:block print:overflow-visible">
      <SkipLink />
      <SidebarPanel username={username} onLogout={logout} onBegun={focusOnBox} />
      {drawerParts && (
        <drawerParts.Drawer
          isOpen={drawer === "open"}
          onOpenChange={(isOpen) => setDrawer(isOpen ? "open" : "closed")}
          label={t("sidebar.label")}
        >
          <Landmark as="nav" aria-label={t("sidebar.label")} className="min-h-0 flex-1">
            <Sidebar username={username} onLogout={logout} onChosen={closeDrawer} onClose={closeDrawer} />
          </Landmark>
        </drawerParts.Drawer>
      )}
      {/* Only the welcome may be taller than a phone in landscape orientation. */}
      <Landmark
        as="main"
        className="relative flex min-w-0 flex-1 flex-col overflow-y-auto max-md:scroll-pb-44 print:block print:overflow-visible"
      >
        {Pane && <Pane onOpenSidebar={() => setDrawer("open")} onNewChat={begin} onLogout={logout} />}
      </Landmark>
      {Actions && <Actions page={isTemporary ? "temporary" : "chats"} onLogout={logout} onChosen={closeDrawer} />}
      {question}
      {dialogs}
    </div>
  );
}

/** Returns the lazy pane; undefined until it has loaded. If the temporary pane fails to load, navigates back. */
function usePaneComponent(isTemporary: boolean): ComponentType<ConversationPaneProps> | undefined {
  const session = useChatSession();
  const navigate = useNavigate();
  const part = useLazyModule(temporaryModule, isTemporary, () => {
    session.get(pendingDraftMove).set(null);
    void navigate(chatAddress(null), { replace: true });
  });
  return isTemporary ? part?.default : ConversationPane;
}

/** Renders the dialog that was requested on the screen. */
function useDialogs(): ReactNode {
  const dispatch = useChatsDispatch();
  const hasDialog = useChatsSelector(selectDialog) !== null;
  const module = useLazyModule(dialogsModule, hasDialog, () => dispatch(chatEvents.organise({ dialog: null })));
  return module && <module.ChatDialogs />;
}

/** Time (ms) for the event connection to open: after that the presets are read without it. */
const LIVE_WITHIN_MS = 2 * SECOND;

/**
 * Preloads the data of the menus, right after the screen itself. The presets are read when the event connection opens,
 * so that no change falls between the read and the connection, or after a timeout.
 */
function useEarlyLoads(): void {
  const { modelChoice, presets } = useChatSession();
  useEffect(() => {
    void modelChoice.load();
    if (!presets.isMissing()) {
      presets.readStale();
      return;
    }
    const timer = setTimeout(() => presets.readMissing(), LIVE_WITHIN_MS);
    return () => clearTimeout(timer);
  }, [modelChoice, presets]);
  // A preset may have a model, which an early message must be sent to.
  const hasPreset = useChatsSelector(({ chats }) =>
    Boolean((chats.currentChat === null ? chats.guidanceOfNew : chats.conversations[chats.currentChat])?.presetId),
  );
  useEffect(() => {
    if (hasPreset) presets.readMissing();
  }, [hasPreset, presets]);
}
