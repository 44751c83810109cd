import { memo } from "react";
import { useTranslation } from "react-i18next";
import type { ClientMessage } from "../../chats/chats-state.ts";
import { cx } from "../../ui/cx.ts";
import { AssistantWords } from "./assistant-words.tsx";
import { CopyMessage, onApproach } from "./copy-message.tsx";
import { MessageNotice, type Notice } from "./message-notice.tsx";

type MessageItemProps = {
  message: ClientMessage;
  /** Null: it is still to be made. */
  chat: string | null;
  isLast: boolean;
  isFar: boolean;
  notice: Notice | null;
};

/** One message of the conversation, by whom and when, and its words. */
export const MessageItem = memo(function MessageItem({ message, chat, isLast, isFar, notice }: MessageItemProps) {
  const isPerson = message.role === "user";
  return (
    <li className={cx("group/message flex flex-col", isPerson && "mb-2 items-end", isFar && "message-far")}>
      <MessageLabel isPerson={isPerson} />
      {isPerson ? (
        <PersonWords text={message.content} notice={notice} chat={chat} />
      ) : (
        <AssistantWords message={message} isLast={isLast} notice={notice} chat={chat} />
      )}
    </li>
  );
});

function MessageLabel({ isPerson }: { isPerson: boolean }) {
  const { t } = useTranslation("chat");
  return (
    <p className="mb-1.5 flex items-baseline gap-2 text-muted text-xs">
      <span className="font-medium">{isPerson ? t("messages.you") : t("messages.server")}</span>
      <span>{t("messages.now")}</span>
    </p>
  );
}

type PersonWordsProps = { text: string; notice: Notice | null; chat: string | null };

function PersonWords({ text, notice, chat }: PersonWordsProps) {
  return (
    <>
      <div className="flex max-w-[92%] items-center gap-1 sm:max-w-[85%]">
        <CopyMessage text={text} className={onApproach} />
        <div
          dir="auto"
          className={cx(
            "min-w-0 whitespace-pre-wrap rounded-surface border border-hairline bg-raised px-4 py-2.5 leading-text [overflow-wrap:anywhere]",
            (notice === "waiting" || notice === "crowded") && "border-outline border-dashed",
          )}
        >
          {text}
        </div>
      </div>
      {notice !== null && (
        <MessageNotice
          notice={notice}
          chat={chat}
          className={cx("mt-1.5", notice === "unanswered" ? "self-start" : "justify-end")}
        />
      )}
    </>
  );
}
