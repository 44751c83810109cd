import { isEmptyMessage } from "#contract/conversation/parts.ts";
import { isRunning } from "#contract/conversation/reply-state.ts";
import type { ClientMessage } from "../../chats/state/chats-state.ts";
import { AnswerWords } from "../../message/answer-words.tsx";
import { CopyMessage, onApproach } from "../../message/copy-message.tsx";
import { useShownParts } from "../../message/parts/parts-module.tsx";
import { Stalled } from "../../message/thinking.tsx";
import { cx } from "../../ui/components/cx.ts";
import { AdministratorWords } from "../administrator-words.tsx";
import { LazyAnswerDownload, LazyAnswerTools, LazyVersionPager } from "../branches/lazy-tools.tsx";
import { useChatSession } from "../chat-session.ts";
import { AnswerActions } from "./answer-actions.tsx";
import { modesOf } from "./answer-modes.ts";
import { MessageNotice, type Notice } from "./message-notice.tsx";
import { UsageButton } from "./usage-button.tsx";

type AssistantWordsProps = { message: ClientMessage; isLast: boolean; notice: Notice | null; chat: string | null };

/** An answer, its status if it did not end normally, and its actions. */
export function AssistantWords({ message, isLast, notice, chat }: AssistantWordsProps) {
  const { branches } = useChatSession();
  const { state, content } = message;
  const isWriting = isRunning(state);
  const parts = useShownParts(message);
  const modes = isLast && !isWriting ? modesOf(message) : [];
  return (
    <div className="w-full min-w-0">
      <AnswerWords message={message} parts={parts} />
      {state === "failed" && message.code && <AdministratorWords failure={message.code} />}
      {/* Reserves the height of the actions while text arrives: no layout shift at its end. */}
      <div className="mt-1 flex min-h-8 flex-wrap items-center gap-x-0.5 pointer-coarse:min-h-11 print:hidden">
        {chat !== null && <Versions chat={chat} message={message} />}
        {isWriting && !message.loading && !parts.isBusy && notice === null && <Stalled length={content.length} />}
        {!isWriting && !isEmptyMessage(message) && (
          <div className={cx("flex items-center", !message.alternatives && "-ms-2", !isLast && onApproach)}>
            {content !== "" && (
              <CopyMessage isAnswer text={content} parts={message.parts} shortcut={isLast ? "copyAnswer" : undefined} />
            )}
            {(branches || isLast) && chat !== null && message.id !== null && !modes.includes("retry") && (
              <LazyAnswerTools chat={chat} message={message.id} isLast={isLast} />
            )}
            {chat !== null && message.id !== null && (
              <>
                <UsageButton chat={chat} message={message.id} />
                <LazyAnswerDownload chat={chat} message={message.id} />
              </>
            )}
          </div>
        )}
        {notice !== null && <MessageNotice notice={notice} chat={chat} />}
        {chat !== null && <AnswerActions chat={chat} modes={modes} />}
      </div>
    </div>
  );
}

/** Version pager, if there are other versions; reserves its width while it loads. */
export function Versions({ chat, message }: { chat: string; message: ClientMessage }) {
  if (!message.alternatives) return null;
  return (
    <div className={cx("min-w-21", message.role === "assistant" && "-ms-1.5")}>
      <LazyVersionPager chat={chat} message={message} />
    </div>
  );
}
