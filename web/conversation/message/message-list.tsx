import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { readChatAddress } from "../../chats/chat-address.ts";
import { type ClientMessage, type Conversation, isHeld } from "../../chats/state/chats-state.ts";
import { filesOf } from "../../chats/state/file-parts.ts";
import { KeepPositionContext, useAnchoredPosition } from "../../scroll/keep-position.ts";
import { useFollowEnd } from "../../scroll/use-follow-end.ts";
import { lazyScrollModule, useScrollPosition } from "../../scroll/use-scroll-position.ts";
import { useWindow } from "../../scroll/use-window.ts";
import { Button } from "../../ui/components/button.tsx";
import { lazyModule, useLazyModule } from "../../ui/lazy/lazy-module.ts";
import { useSearchParams } from "../../ui/use-search-params.ts";
import { LazyQuoteButton } from "../branches/lazy-tools.tsx";
import { type SessionKey, useChatSession } from "../chat-session.ts";
import { quietQuestions } from "../queue/quiet-questions.ts";
import { matchMarksModule } from "./match-marks-module.ts";
import { MessageItem } from "./message-item.tsx";
import { type Notice, waitingNotices } from "./message-notice.tsx";
import { ReplyStatus } from "./reply-status.tsx";

/** Scrolls to a message that a link or a search names. */
const landingModule = lazyModule(() => import("./landing.tsx"), "after-chat");

/** Reads answers out as they arrive. */
const spokenModule = lazyModule(() => import("../spoken/spoken-reply.tsx"), "after-chat");

/** Questions that were scrolled to the top once: a list that is mounted again restores its position. */
const shownQuestions: SessionKey<Set<string>> = { create: () => new Set() };

/** Messages at the end that are always laid out. */
const NEAR_MESSAGES = 4;

/** `chat` null: the chat is not created yet. `jumpSlot`: element for the button that jumps to the newest message. */
type MessageListProps = { conversation: Conversation; chat: string | null; jumpSlot: RefObject<HTMLElement | null> };

export function MessageList({ conversation, chat, jumpSlot }: MessageListProps) {
  const { t } = useTranslation("chat");
  const { id } = conversation;
  const content = useRef<HTMLDivElement>(null);
  const { messages, shown, range, follow } = useShownMessages(conversation);
  const { start, end, isToEnd, showEnd } = range;
  const { scroller, list, isAtEnd, leave } = follow;
  const last = messages.at(-1);
  const reading = useLazyModule(lazyScrollModule);
  const [above, below] = [useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null)];
  const { wanted, landing, forget } = useWantedMessage(conversation);
  const keepPosition = useKeepPosition(range, follow);
  const spoken = useLazyModule(spokenModule);
  useNewQuestion(id, messages, range, follow);
  const jump = () => {
    if (!isToEnd) showEnd();
    follow.jump();
  };
  return (
    <div className="relative min-h-0 flex-1">
      <section
        ref={scroller}
        aria-label={t("messages.label")}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
        tabIndex={0}
        // The containing block of positioned content such as the heading of footnotes, which would otherwise overflow
        // `main`.
        className="messages relative h-full overflow-y-auto overscroll-contain focus-visible:-outline-offset-2 print:h-auto print:overflow-visible"
      >
        <div ref={content} className="mx-auto w-full max-w-column px-4 pt-6 sm:px-8">
          {reading && (start > 0 || !isToEnd) && <reading.PrintNote />}
          {start > 0 && (
            <div ref={above} className="print:hidden">
              <Button variant="quiet" size="small" className="mx-auto mb-4 flex text-muted" onClick={range.showEarlier}>
                {t("messages.earlier")}
              </Button>
            </div>
          )}
          <KeepPositionContext value={keepPosition}>
            <ol ref={list} className="mb-6 flex flex-col gap-4 [@media(height<30rem)]:mb-1">
              {shown.map((message, nth) => (
                <MessageItem
                  key={message.key}
                  message={message}
                  chat={chat}
                  notice={message === last ? noticeOf(conversation, last) : null}
                  isLast={message === last}
                  isWanted={message.id !== null && message.id === wanted}
                  isFar={start + nth < messages.length - NEAR_MESSAGES}
                />
              ))}
            </ol>
          </KeepPositionContext>
          {!isToEnd && <div ref={below} />}
          <div ref={follow.room} className="print:hidden" />
        </div>
      </section>
      {reading && (
        <reading.ReadingTools
          {...{ chat: id, messages, range, box: scroller, list, above, below, isAtEnd, jumpSlot }}
          onJump={jump}
        />
      )}
      <LazyQuoteButton chat={chat} list={content} />
      {wanted !== null && landing && (
        <landing.default
          key={`${id} ${wanted}`}
          {...{ chat: id, wanted, messages, scroller, list, start, end }}
          onShow={range.showAround}
          onLand={leave}
          onEnd={forget}
        />
      )}
      <p role="status" className="sr-only">
        {last && <ReplyStatus message={last} conversation={conversation} />}
      </p>
      {spoken && <spoken.default key={id} message={last} isWriting={conversation.isWriting} />}
    </div>
  );
}

/** Determines the messages to render, follows the end of the chat, and restores and records its scroll position. */
function useShownMessages(conversation: Conversation) {
  const { id } = conversation;
  const session = useChatSession();
  const messages = useMemo(() => withoutEmptyReply(conversation), [conversation]);
  const range = useWindow(id, messages, () => {
    const left = lazyScrollModule.get()?.storedPosition(session, id);
    return left ? messages.findIndex((message) => message.id === left[0]) : -1;
  });
  const follow = useFollowEnd(range.isToEnd, (isThere) => recordPosition(isThere));
  const { scroller, list, leave } = follow;
  const shown = messages.slice(range.start, range.end);
  const recordPosition = useScrollPosition(id, {
    session,
    shown: () => ({ chat: id, box: scroller.current, list: list.current, shown }),
    onRestored: leave,
    onEnd: () => {
      range.showEnd();
      follow.begin();
    },
  });
  return { messages, range, shown, follow };
}

/** Returns the message that the address names, and the lazy module that scrolls to it. */
function useWantedMessage({ id, isLoaded }: Conversation) {
  const [parameters, setParameters] = useSearchParams();
  // The address may already name another chat, which is not open yet.
  const addressed = readChatAddress(parameters);
  const wanted = addressed.chat === id ? addressed.message : null;
  const landing = useLazyModule(landingModule, wanted !== null && isLoaded, () => {});
  // biome-ignore lint/correctness/useExhaustiveDependencies: leaving the chat is the reason
  useEffect(() => () => matchMarksModule.get()?.clearMatches(), [id]);
  return { wanted, landing, forget: () => setParameters({ c: id }, { replace: true }) };
}

type Range = ReturnType<typeof useWindow>;
type Follow = ReturnType<typeof useFollowEnd>;

/** Returns a function that holds an element at its position on the screen while the content above it changes. */
function useKeepPosition({ pin }: Range, { scroller, leave }: Follow) {
  const keepPosition = useAnchoredPosition(scroller);
  return useCallback(
    (element: Element | null) => {
      keepPosition(element);
      leave();
      pin();
    },
    [keepPosition, leave, pin],
  );
}

/**
 * Scrolls a new question to the top, once: after a send the user wants to see it and the beginning of its answer. If the
 * server refuses it, its notice is scrolled into view.
 */
function useNewQuestion(id: string, messages: readonly ClientMessage[], range: Range, follow: Follow): void {
  const session = useChatSession();
  const { start, isToEnd, showEnd } = range;
  const asked = messages.findLast(({ role, id: sent, refused }) => role === "user" && sent === null && !refused);
  const last = messages.at(-1);
  useLayoutEffect(() => {
    const known = session.get(shownQuestions);
    if (last?.refused && known.delete(`${id} ${last.key}`)) {
      const element = follow.list.current?.lastElementChild;
      if (element && isToEnd) follow.showRefused(element);
    }
    if (!asked) return;
    // With the id, because a chat that is not created yet has none: its first message is new again when it gets one.
    const question = `${id} ${asked.key}`;
    if (known.has(question)) return;
    const isLeft = quietQuestions.has(asked.key) && !follow.isAtEnd;
    if (!isLeft && !isToEnd) return showEnd();
    known.add(question);
    if (isLeft) return;
    const element = follow.list.current?.children[messages.indexOf(asked) - start];
    follow.showQuestion(element ? { element, has: filesOf(asked).length > 0 ? "files" : "text" } : null);
  });
}

/** Removes the empty placeholder of the answer while a message waits to be sent. */
function withoutEmptyReply({ messages, waitReason }: Conversation): readonly ClientMessage[] {
  return isHeld(waitReason) && messages.at(-1)?.loading ? messages.slice(0, -1) : messages;
}

function noticeOf({ isWriting, waitReason }: Conversation, last: ClientMessage): Notice | null {
  if (waitReason !== null) return waitingNotices[waitReason];
  return last.role === "user" && !isWriting && !last.refused ? "unanswered" : null;
}
