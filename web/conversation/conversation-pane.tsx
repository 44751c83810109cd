import { type ReactNode, useLayoutEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { willGrow } from "#contract/conversation/reply-state.ts";
import { shownTitle } from "../chats/shown-title.ts";
import {
  selectChats,
  selectCurrent,
  selectErrorText,
  selectFirstMessage,
  selectIsMakingRoom,
  selectIsOpening,
  selectMarkedChat,
} from "../chats/state/chats-selectors.ts";
import { chatEvents } from "../chats/state/chats-slice.ts";
import type { Conversation } from "../chats/state/chats-state.ts";
import { useChatsDispatch, useChatsSelector } from "../chats/state/chats-store.ts";
import { sentMessages } from "../chats/state/stream-reducers.ts";
import { FileNameContext } from "../markdown/file-name.ts";
import { Button } from "../ui/components/button.tsx";
import { cx } from "../ui/components/cx.ts";
import { useLazyModule } from "../ui/lazy/lazy-module.ts";
import { Banner } from "../ui/notifications/banner.tsx";
import { AdministratorWords } from "./administrator-words.tsx";
import { ArchivedNotice } from "./archived-notice.tsx";
import { ChatHeader } from "./chat-header.tsx";
import { useChatSession } from "./chat-session.ts";
import { Composer } from "./composer/composer.tsx";
import { composerMotionModule } from "./composer/use-composer.ts";
import { useSend } from "./composer/use-send.ts";
import { useFocusOnBox } from "./composer-box.ts";
import { ConversationLoading } from "./conversation-loading.tsx";
import { MessageList } from "./message/message-list.tsx";
import { SessionMessages } from "./message/session-messages.tsx";
import { useWithRefused } from "./queue/queue-module.ts";
import { Suggestions, WelcomeTitle } from "./welcome.tsx";

export type ConversationPaneProps = {
  onOpenSidebar: () => void;
  onNewChat: () => void;
  onLogout: () => void;
  /** Replaces the title of an empty chat and its suggestions. */
  welcome?: ReactNode;
  /** Rendered above the messages. */
  strip?: ReactNode;
};

/** The main area: header, error banner, messages or welcome screen, and the composer. */
export function ConversationPane({ welcome, strip, ...header }: ConversationPaneProps) {
  const conversation = useChatsSelector(selectCurrent);
  const isOpening = useChatsSelector(selectIsOpening);
  const isMakingRoom = useChatsSelector(selectIsMakingRoom);
  const marked = useChatsSelector(selectMarkedChat);
  useJoin(conversation);
  const first = useFirstMessage(marked);
  const shown = useWithRefused(first ?? conversation);
  const hasMessages = shown !== null && shown.messages.length > 0;
  const title = useTitle(marked);
  const isWelcome = !hasMessages && !isOpening;
  const foot = useRef<HTMLDivElement>(null);
  const jumpSlot = useRef<HTMLElement>(null);
  const motion = useLazyModule(composerMotionModule);
  const isWriting = !isOpening && (shown?.isWriting ?? false);
  return (
    <>
      <ChatHeader hasMessages={hasMessages} {...header} />
      {hasMessages && strip}
      <ErrorBanner chat={marked} hasMessages={hasMessages} />
      {hasMessages && !isOpening ? (
        <FileNameContext value={title}>
          <SessionMessages chat={shown.id}>
            <MessageList conversation={shown} chat={marked} jumpSlot={jumpSlot} />
          </SessionMessages>
        </FileNameContext>
      ) : (
        <div
          className={cx(
            "flex flex-col",
            // The height of the box below does not change the position of the heading.
            isWelcome ? "shrink-0 basis-2/5 justify-center md:justify-end" : "min-h-0 flex-1",
          )}
        >
          {isWelcome ? (welcome ?? <WelcomeTitle />) : <ConversationLoading title={hasMessages ? null : title} />}
        </div>
      )}
      <div ref={foot} className="max-md:sticky max-md:bottom-0 max-md:order-last max-md:bg-page print:hidden">
        <ArchivedNotice />
        <Composer
          chat={marked}
          isWaiting={isOpening || isMakingRoom}
          isWriting={isWriting}
          canRest={!isWelcome}
          jumpSlot={jumpSlot}
        />
      </div>
      {motion && <motion.SlideDown element={foot} chat={marked} isWelcome={isWelcome} />}
      {isWelcome && (
        <div className="welcome-end">
          {!welcome && (
            <>
              <Suggestions chat={marked} isDisabled={isWriting || isMakingRoom} />
              <AdministratorWords />
            </>
          )}
        </div>
      )}
    </>
  );
}

/** Returns the title of a chat in the list, or a label for the region of its messages if it is not in the list. */
function useTitle(chat: string | null): string {
  const { t } = useTranslation("chat");
  const item = useChatsSelector(selectChats).find(({ id }) => id === chat);
  return item ? shownTitle(item) : t("messages.label");
}

/** A row of its own above the messages. */
function ErrorBanner({ chat, hasMessages }: { chat: string | null; hasMessages: boolean }) {
  const dispatch = useChatsDispatch();
  const text = useChatsSelector(selectErrorText);
  const error = useChatsSelector(({ chats }) => chats.error);
  const { t } = useTranslation(["chat", "app"]);
  const navigate = useNavigate();
  const send = useSend(chat);
  const focusOnBox = useFocusOnBox();
  if (text === null) return null;
  // Closing the banner must not lose the focus.
  const dismiss = () => {
    dispatch(chatEvents.clearError());
    focusOnBox();
  };
  const sendAsBranch = () => {
    send(error?.branch);
    focusOnBox();
  };
  const [act, label] = error?.isOfBudget
    ? [() => void navigate("/settings/usage", { state: { from: `/chat?c=${chat}` } }), t("app:settingsPage.usage")]
    : [error?.branch && sendAsBranch, t("failure.branch")];
  const action = act && (
    <Button variant="secondary" size="small" className="-my-1.5 max-sm:mb-0" onClick={act}>
      {label}
    </Button>
  );
  return (
    <div className={cx(hasMessages && "border-hairline border-b")}>
      <div className="mx-auto w-full max-w-column px-3 py-2 sm:px-8">
        <Banner action={action} onDismiss={dismiss}>
          {text}
        </Banner>
      </div>
    </div>
  );
}

/** Returns the conversation of a first message whose chat is not created yet; null if there is none. */
function useFirstMessage(marked: string | null): Conversation | null {
  const first = useChatsSelector(selectFirstMessage);
  return useMemo(() => {
    if (marked !== null || !first) return null;
    const messages = sentMessages(first);
    return {
      id: "",
      title: "",
      updatedAt: 0,
      location: {},
      messages,
      isLoaded: false,
      isWriting: true,
      waitReason: first.waitReason,
      version: 0,
    };
  }, [marked, first]);
}

/** Joins the reply of the opened chat if it is running, or continues when it is read. */
function useJoin(conversation: Conversation | null): void {
  const { replies } = useChatSession();
  const last = conversation?.messages.at(-1);
  const chat = willGrow(last) && !conversation?.isWriting ? conversation?.id : undefined;
  // A layout effect: the actions of a cut reply must not flash if it continues.
  useLayoutEffect(() => {
    if (chat !== undefined) replies.join(chat);
  }, [replies, chat]);
}
