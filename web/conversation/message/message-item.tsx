import { memo, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { ClientMessage } from "../../chats/state/chats-state.ts";
import { exactTime } from "../../locales/times.ts";
import { useModelName } from "../../models/use-model-name.ts";
import { cx } from "../../ui/components/cx.ts";
import { tooltip } from "../../ui/tooltips/tooltip.ts";
import { LazyEditBox, LazyEditButton } from "../branches/lazy-tools.tsx";
import { useChatSession } from "../chat-session.ts";
import { useIsEdited } from "../edits.ts";
import { queueModule } from "../queue/queue-module.ts";
import { AssistantWords, Versions } from "./assistant-words.tsx";
import { CopyMessage, onApproach } from "./copy-message.tsx";
import { MessageNotice, type Notice } from "./message-notice.tsx";
import { QuestionFiles } from "./question-files.tsx";
import { QuestionText } from "./question-text.tsx";

type MessageItemProps = {
  message: ClientMessage;
  /** Null: the chat is not created yet. */
  chat: string | null;
  isLast: boolean;
  isFar: boolean;
  notice: Notice | null;
  /** A link or a search names the message. */
  isWanted: boolean;
};

/** One message with its author, time and text. */
export const MessageItem = memo(function MessageItem({ isFar, ...item }: MessageItemProps) {
  const { message } = item;
  const isPerson = message.role === "user";
  return (
    <li className={cx("message group/message flex flex-col", isPerson && "-mb-2 items-end", isFar && "message-far")}>
      <MessageLabel message={message} />
      {isPerson ? (
        <PersonWords {...item} />
      ) : (
        <AssistantWords message={message} isLast={item.isLast} notice={item.notice} chat={item.chat} />
      )}
    </li>
  );
});

function MessageLabel({ message: { role, model, createdAt } }: Pick<MessageItemProps, "message">) {
  const { t, i18n } = useTranslation("chat");
  const now = t("messages.now");
  return (
    <div className="mb-1.5 flex min-w-0 items-baseline gap-2 text-muted text-xs">
      {/* Screen reader users navigate messages by headings. */}
      <h2 className="shrink-0 font-medium">{role === "user" ? t("messages.you") : t("messages.server")}</h2>
      {createdAt === undefined ? (
        <span>{now}</span>
      ) : (
        <time dateTime={new Date(createdAt).toISOString()} {...tooltip(exactTime(createdAt, i18n.language))}>
          {now}
        </time>
      )}
      {/* Last, because it comes while the answer is written: the time must not move. */}
      {typeof model === "string" && <ModelName model={model} />}
    </div>
  );
}

function ModelName({ model }: { model: string }) {
  const name = useModelName(useChatSession().modelChoice, model);
  return <bdi className="truncate">{name}</bdi>;
}

function PersonWords({ message, isLast, notice, chat, isWanted }: Omit<MessageItemProps, "isFar">) {
  const { id, content, refused } = message;
  const Refusal = refused && queueModule.get()?.RefusedNotice;
  const hasText = content !== "";
  const actions = useRef<HTMLDivElement>(null);
  const { branches } = useChatSession();
  const isEdited = useIsEdited(branches?.edits, chat, id);
  if (isEdited && chat !== null && id !== null) {
    // Removing the edit box must not lose the focus.
    const onEnd = () =>
      requestAnimationFrame(() => actions.current?.querySelector<HTMLElement>("button:last-of-type")?.focus());
    return <LazyEditBox chat={chat} message={id} content={content} onEnd={onEnd} />;
  }
  return (
    <>
      <QuestionFiles message={message} />
      {hasText && (
        // Its corner follows the direction of the page, not of its text.
        <div
          dir="auto"
          data-words=""
          className={cx(
            "reading min-w-0 max-w-[92%] rounded-surface rounded-br-small rtl:rounded-br-surface rtl:rounded-bl-small border border-hairline bg-raised px-4 py-2.5 leading-text [overflow-wrap:anywhere] sm:max-w-[85%]",
            (refused || notice === "waiting" || notice === "crowded") && "border-outline border-dashed",
          )}
        >
          <QuestionText text={content} isWanted={isWanted} />
        </div>
      )}
      <div className="-me-1.5 mt-0.5 flex min-h-8 flex-wrap items-center justify-end self-stretch gap-x-0.5 pointer-coarse:min-h-11 print:hidden">
        {Refusal && <Refusal draftKey={refused} />}
        {notice !== null && (
          <MessageNotice notice={notice} chat={chat} className={cx(notice === "unanswered" && "me-auto")} />
        )}
        <div ref={actions} className={cx("flex items-center", !isLast && onApproach)}>
          {hasText && <CopyMessage text={content} />}
          {branches && chat !== null && id !== null && <LazyEditButton chat={chat} message={id} />}
        </div>
        {chat !== null && <Versions chat={chat} message={message} />}
      </div>
    </>
  );
}
