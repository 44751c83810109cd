import { memo, useRef } from "react";
import type { ClientMessage } from "../../chats/state/chats-state.ts";
import { CopyMessage, onApproach } from "../../message/copy-message.tsx";
import { MessageFrame } from "../../message/message-frame.tsx";
import { QuestionFiles } from "../../message/question-files.tsx";
import { QuestionWords } from "../../message/question-words.tsx";
import { cx } from "../../ui/components/cx.ts";
import { LazyEditBox, LazyEditButton } from "../branches/lazy-tools.tsx";
import { useChatSession } from "../chat-session.ts";
import { useIsEdited } from "../edits.ts";
import { queueModule } from "../queue/queue-module.ts";
import { AssistantWords, Versions } from "./assistant-words.tsx";
import { isUnsent, MessageNotice, type Notice } from "./message-notice.tsx";

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

/** One message with its author, time, text and actions. */
export const MessageItem = memo(function MessageItem({ isFar, ...item }: MessageItemProps) {
  const { message } = item;
  return (
    <MessageFrame message={message} isFar={isFar}>
      {message.role === "user" ? <PersonWords {...item} /> : <AssistantWords {...item} />}
    </MessageFrame>
  );
});

function PersonWords({ message, isLast, notice, chat, isWanted }: Omit<MessageItemProps, "isFar">) {
  const { id, content, refused } = message;
  const Refusal = refused && queueModule.get()?.RefusedNotice;
  const hasText = content !== "";
  const editButton = useRef<HTMLButtonElement>(null);
  const { branches } = useChatSession();
  const isEdited = useIsEdited(branches?.edits, chat, id);
  if (isEdited && chat !== null && id !== null) {
    // Removing the edit box must not lose the focus.
    const onEnd = () => requestAnimationFrame(() => editButton.current?.focus());
    return <LazyEditBox chat={chat} message={id} content={content} onEnd={onEnd} />;
  }
  return (
    <>
      <QuestionFiles message={message} />
      {hasText && (
        <QuestionWords text={content} isWanted={isWanted} isUnsent={refused !== undefined || isUnsent(notice)} />
      )}
      <div className="-me-1.5 mt-0.5 flex min-h-8 flex-wrap items-center justify-end self-stretch gap-x-0.5 pointer-coarse:min-h-11 print:hidden">
        {Refusal && <Refusal draftKey={refused} />}
        {notice !== null && (
          <MessageNotice notice={notice} chat={chat} className={cx(notice === "unanswered" && "me-auto")} />
        )}
        <div className={cx("flex items-center", !isLast && onApproach)}>
          {hasText && <CopyMessage text={content} />}
          {branches && chat !== null && id !== null && <LazyEditButton ref={editButton} chat={chat} message={id} />}
        </div>
        {chat !== null && <Versions chat={chat} message={message} />}
      </div>
    </>
  );
}
