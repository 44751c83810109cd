import { MessageCircleDashed, SquarePen } from "lucide-react";
import { useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Provider } from "react-redux";
import { useNavigate } from "react-router";
import { SECOND } from "#contract/limits.ts";
import { chatAddress, TEMPORARY_ADDRESS } from "../../chats/chat-address.ts";
import { selectCurrent, selectIsCreating } from "../../chats/state/chats-selectors.ts";
import { useChatsSelector } from "../../chats/state/chats-store.ts";
import { Button } from "../../ui/components/button.tsx";
import { notify } from "../../ui/notifications/notify.ts";
import { moveDraft, pendingDraftMove } from "../attachments/move-draft.ts";
import { ChatSessionContext, useChatSession } from "../chat-session.ts";
import { useFocusOnBox } from "../composer-box.ts";
import { ConversationPane, type ConversationPaneProps } from "../conversation-pane.tsx";
import { discardTemporary, offerReturn, withdrawReturn } from "./leave-temporary.ts";
import { saveTemporaryChat } from "./save-temporary-chat.ts";
import { type TemporarySession, temporarySession } from "./temporary-session.ts";

const SAVED_NOTIFICATION_MS = 5 * SECOND;

/** Pane of the temporary chat: the same screen over a separate store. */
export default function TemporaryPane(props: ConversationPaneProps) {
  const storedSession = useChatSession();
  const session = useMemo(() => temporarySession(storedSession), [storedSession]);
  useLayoutEffect(() => {
    const moving = storedSession.get(pendingDraftMove);
    const from = moving.get();
    if (from) moveDraft(storedSession, from.chat, session);
    moving.set(null);
  }, [storedSession, session]);
  const keep = useKeep(session);
  useOfferReturn(session);
  const strip = <TemporaryStrip session={session} onKeep={() => void keep()} />;
  return (
    <ChatSessionContext value={session}>
      <Provider store={session.store}>
        <ConversationPane {...props} welcome={<TemporaryWelcome />} strip={strip} />
      </Provider>
    </ChatSessionContext>
  );
}

function TemporaryWelcome() {
  const { t } = useTranslation("temporary");
  return (
    <div className="mx-auto w-full max-w-column px-6 pb-6 text-center sm:px-8 sm:pb-8">
      <MessageCircleDashed aria-hidden="true" strokeWidth={1.5} className="mx-auto mb-5 size-9 text-accent" />
      <h1 className="text-balance font-semibold text-2xl tracking-[-0.022em]">{t("title")}</h1>
      <p className="mt-2 text-balance text-muted leading-text">{t("notice")}</p>
    </div>
  );
}

/** Notice about the temporary chat, with its actions. */
function TemporaryStrip({ session, onKeep }: { session: TemporarySession; onKeep: () => void }) {
  const { t } = useTranslation("temporary");
  const isWriting = useChatsSelector(selectCurrent)?.isWriting ?? false;
  const isSaving = useChatsSelector(selectIsCreating);
  const focusOnBox = useFocusOnBox();
  const beginAnew = () => {
    discardTemporary(session);
    focusOnBox();
  };
  return (
    <div className="border-hairline border-b border-dashed">
      <div className="mx-auto flex w-full max-w-column items-center gap-2 px-4 py-1.5 sm:px-8">
        <p className="flex min-w-0 flex-1 items-center gap-2 text-balance text-muted text-xs">
          <MessageCircleDashed aria-hidden="true" className="size-4 shrink-0 max-sm:hidden" />
          {t("notSaved")}
        </p>
        <div className="flex shrink-0 items-center gap-1">
          <Button
            variant="quiet"
            size="small"
            className="px-2.5 max-sm:min-w-11"
            disabled={isSaving}
            onClick={beginAnew}
          >
            <SquarePen aria-hidden="true" className="size-4 text-muted" />
            <span className="max-sm:sr-only">{t("beginAnew")}</span>
          </Button>
          {/* Keeps the focus while it works: a second press does nothing. */}
          <Button
            variant="secondary"
            size="small"
            busy={isSaving}
            aria-disabled={isSaving}
            disabled={isWriting}
            onClick={onKeep}
          >
            {t(isSaving ? "keeping" : "keep")}
          </Button>
        </div>
      </div>
    </div>
  );
}

/** Offers the return after this screen is left, until it is shown again. */
function useOfferReturn(session: TemporarySession): void {
  const navigate = useNavigate();
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    withdrawReturn(session);
    return () => {
      isHere.current = false;
      // Strict mode runs the effect again at once: then the screen was not left.
      queueMicrotask(() => {
        if (!isHere.current) offerReturn(session, () => void navigate(TEMPORARY_ADDRESS));
      });
    };
  }, [session, navigate]);
}

/** Saves the chat and opens it, unless the user has navigated elsewhere meanwhile. */
function useKeep(session: TemporarySession): () => Promise<void> {
  const { t } = useTranslation("temporary");
  const navigate = useNavigate();
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return async () => {
    const chat = await saveTemporaryChat(session);
    if (chat === null) return;
    notify("info", t("kept"), { durationMs: SAVED_NOTIFICATION_MS });
    if (isHere.current) void navigate(chatAddress(chat), { replace: true });
  };
}
