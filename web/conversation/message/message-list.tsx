import { ArrowDown } from "lucide-react";
import { useCallback, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { type ClientMessage, type Conversation, isHeld } from "../../chats/chats-state.ts";
import { Button } from "../../ui/button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { later, useLater } from "../../ui/later.ts";
import { QuoteButton } from "../branches/later.tsx";
import { KeepPlaceContext, usePlaceKept } from "./keep-place.ts";
import { MessageItem } from "./message-item.tsx";
import { type Notice, waitingNotices } from "./message-notice.tsx";
import { ReplyStatus } from "./reply-status.tsx";
import { useFollowEnd } from "./use-follow-end.ts";

/** Of those who come to a certain message. */
export const landingPart = later(() => import("./landing.tsx"));

/** So many messages are put on the page at once: a long chat opens as fast as a short one. */
const WINDOW = 50;
/** Messages at the end that are always laid out. */
const NEAR_MESSAGES = 4;

type MessageListProps = { conversation: Conversation /** Null: it is still to be made. */; chat: string | null };

export function MessageList({ conversation, chat }: MessageListProps) {
  const { t } = useTranslation("chat");
  const { id } = conversation;
  const messages = useMemo(() => withoutEmptyPlace(conversation), [conversation]);
  const { scroller, content, isAtEnd, jump, leave } = useFollowEnd(id);
  const { shown, hidden, showMore, showFrom, pin } = useWindow(id, messages);
  const [parameters, setParameters] = useSearchParams();
  // The address may be that of another chat already, which is still to be opened.
  const wanted = parameters.get("c") === id ? parameters.get("m") : null;
  const landing = useLater(landingPart, wanted !== null && conversation.isLoaded, () => {});
  const keepPlace = usePlaceKept(scroller);
  const keepPlaceOf = useCallback(
    (element: Element | null) => {
      keepPlace(element);
      leave();
      pin();
    },
    [keepPlace, leave, pin],
  );
  const last = messages.at(-1);
  const asked = messages.findLast(({ role, id: sent }) => role === "user" && sent === null)?.key;

  // Who sends wants to see what comes of it.
  useEffect(() => {
    if (asked !== undefined) jump();
  }, [jump, asked]);

  const showEarlier = () => {
    keepPlace(scroller.current?.querySelector("li") ?? null);
    showMore();
    // The button goes with its last messages: the focus must not go with it.
    if (hidden <= WINDOW) scroller.current?.focus({ preventScroll: true });
  };

  return (
    <div className="relative min-h-0 flex-1">
      <section
        ref={scroller}
        aria-label={t("messages.label")}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className="h-full overflow-y-auto overscroll-contain focus-visible:-outline-offset-2"
      >
        <div ref={content} className="mx-auto w-full max-w-[48rem] px-4 pt-6 pb-4 sm:px-8">
          {hidden > 0 && (
            <Button variant="quiet" size="small" className="mx-auto mb-4 flex text-muted" onClick={showEarlier}>
              {t("messages.earlier")}
            </Button>
          )}
          <KeepPlaceContext value={keepPlaceOf}>
            <ol className="flex flex-col gap-4">
              {shown.map((message, place) => (
                <MessageItem
                  key={message.key}
                  message={message}
                  chat={chat}
                  notice={message === last ? noticeOf(conversation, last) : null}
                  isLast={message === last}
                  isFar={place < shown.length - NEAR_MESSAGES}
                />
              ))}
            </ol>
          </KeepPlaceContext>
        </div>
      </section>
      {!isAtEnd && (
        <IconButton
          label={t("messages.jump")}
          title={t("messages.jump")}
          icon={<ArrowDown aria-hidden="true" />}
          round
          className="absolute start-1/2 bottom-3 -translate-x-1/2 animate-fade border border-outline bg-raised shadow-float rtl:translate-x-1/2"
          onClick={jump}
        />
      )}
      <QuoteButton chat={chat} list={content} />
      {wanted !== null && landing && (
        <landing.default
          key={`${id} ${wanted}`}
          {...{ chat: id, wanted, messages, scroller, hidden }}
          onShowFrom={showFrom}
          onLand={leave}
          onEnd={() => setParameters({ c: id }, { replace: true })}
        />
      )}
      <p role="status" className="sr-only">
        {last && <ReplyStatus message={last} conversation={conversation} />}
      </p>
    </div>
  );
}

/** While a message waits to be sent there is no answer to think about. */
function withoutEmptyPlace({ messages, away }: Conversation): readonly ClientMessage[] {
  return isHeld(away) && messages.at(-1)?.loading ? messages.slice(0, -1) : messages;
}

function noticeOf({ isWriting, away }: Conversation, last: ClientMessage): Notice | null {
  if (away !== null) return waitingNotices[away];
  return last.role === "user" && !isWriting ? "unanswered" : null;
}

function useWindow(chat: string, messages: readonly ClientMessage[]) {
  const [view, setView] = useState<{ chat: string; count: number; most?: number }>({ chat, count: WINDOW });
  const { count, most = Number.POSITIVE_INFINITY } = view.chat === chat ? view : { count: WINDOW };
  const hidden = Math.min(most, Math.max(0, messages.length - count));
  // What is shown stays so where another branch is longer.
  const pin = useCallback(() => setView({ chat, count, most: hidden }), [chat, count, hidden]);
  return {
    shown: messages.slice(hidden),
    hidden,
    showMore: () => setView({ chat, count: count + WINDOW }),
    showFrom: (place: number) => setView({ chat, count: messages.length - Math.max(0, place) }),
    pin,
  };
}
