import { ArrowUp, CircleAlert, Hourglass, Pause } from "lucide-react";
import { useId, useLayoutEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { DraftFile } from "../../files/draft-files.ts";
import filesTexts from "../../locales/en/files.json";
import queue from "../../locales/en/queue.json";
import { registerTexts } from "../../locales/i18n.ts";
import { Store } from "../../store/store.ts";
import { useStore } from "../../store/use-store.ts";
import { Button } from "../../ui/components/button.tsx";
import { lazyModule, useLazyModule } from "../../ui/lazy/lazy-module.ts";
import { useChatSession } from "../chat-session.ts";
import { useFocusOnBox } from "../composer-box.ts";
import type { MessageQueue } from "./message-queue.ts";
import { queueOf } from "./queue-of.ts";
import type { QueuedMessage } from "./queue-view.ts";

export { AnswerCountdown } from "./answer-countdown.tsx";
export { RefusedNotice } from "./refused-notice.tsx";
export { queueOf };

registerTexts("queue", queue);
registerTexts("files", filesTexts);

/** Loaded with the first queued message that has files. */
const queuedFilesModule = lazyModule(() => import("./queued-files.tsx"));

const NO_FILES = new Store<readonly DraftFile[]>([]);

/** The queued messages of a chat, between its messages and its box. */
export default function QueuedMessages({ chat }: { chat: string | null }) {
  const { t } = useTranslation("queue");
  const session = useChatSession();
  const queue = useMemo(() => queueOf(session), [session]);
  const { messages, canSend } = useStore({ subscribe: queue.subscribe, get: () => queue.get(chat) });
  const count = useStore({ subscribe: queue.subscribe, get: queue.count });
  const onFocus = useFocusFallback(messages);
  return (
    <>
      {messages.length > 0 && (
        <ol
          aria-label={t("label")}
          className="mx-auto flex max-h-[min(30dvh,max(5.25rem,100dvh-22rem))] w-full max-w-column flex-col gap-1 overflow-y-auto px-4 pt-2 sm:px-8"
        >
          {messages.map((message) => (
            <Queued key={message.draftKey} {...{ message, queue, canSend }} onFocus={() => onFocus(message.draftKey)} />
          ))}
        </ol>
      )}
      {/* Rendered empty at first: screen readers announce only later changes of a live region. */}
      <p role="status" className="sr-only">
        {/* A screen reader announces only changes: a no-break space makes a repeated text different. */}
        {messages.some(({ status }) => status === "held")
          ? t("held")
          : count > 0 && `${t("queued")}${count % 2 === 0 ? "\u00A0" : ""}`}
      </p>
    </>
  );
}

type QueuedProps = { message: QueuedMessage; queue: MessageQueue; canSend: boolean; onFocus: () => void };

function Queued({ message: { draftKey, text, files: names, status }, queue, canSend, onFocus }: QueuedProps) {
  const { t } = useTranslation(["queue", "files", "app"]);
  const session = useChatSession();
  const module = useLazyModule(queuedFilesModule, names.length > 0);
  const draft = module?.filesOfSession(session).at(draftKey);
  const files = useStore(draft?.files ?? NO_FILES);
  const isBlocked = files.some(({ state }) => state === "failed");
  const focusOnBox = useFocusOnBox();
  const id = useId();
  const item = useRef<HTMLLIElement>(null);
  useLayoutEffect(() => {
    // The list may show only some of its messages.
    if (isBlocked) item.current?.scrollIntoView({ block: "nearest" });
  }, [isBlocked]);
  const command = { variant: "quiet", size: "small", "aria-describedby": id } as const;
  const focusAfter = (act: () => void) => () => {
    act();
    focusOnBox();
  };
  const Icon = isBlocked ? CircleAlert : status === "held" ? Pause : Hourglass;
  return (
    <li ref={item} className="flex flex-col items-end" onFocus={onFocus}>
      {/* Its corner follows the direction of the page, not of its text. */}
      <div
        dir="auto"
        className="reading min-w-0 max-w-[92%] rounded-surface rounded-br-small rtl:rounded-br-surface rtl:rounded-bl-small border border-outline border-dashed bg-raised px-4 py-2.5 leading-text [overflow-wrap:anywhere] sm:max-w-[85%]"
      >
        {module && draft ? (
          <module.default files={files} draft={draft} />
        ) : (
          names.length > 0 && <p className="line-clamp-1 text-muted text-sm">{names.join(", ")}</p>
        )}
        <p id={id} className="line-clamp-3 whitespace-pre-wrap">
          {text || <span className="sr-only">{names.join(", ")}</span>}
        </p>
      </div>
      <div className="-me-1.5 flex min-h-8 flex-wrap items-center justify-end gap-x-1 text-muted text-sm">
        <span className="me-1 flex min-w-0 items-start gap-1">
          <Icon aria-hidden="true" className="mt-[0.15em] size-4 shrink-0" />
          {isBlocked ? t("files:blocked") : t(status)}
        </span>
        {status === "held" && canSend && !isBlocked && (
          <Button {...command} onClick={focusAfter(() => queue.sendNow(draftKey))}>
            <ArrowUp aria-hidden="true" className="size-4 text-muted" />
            {t("sendNow")}
          </Button>
        )}
        <Button {...command} onClick={focusAfter(() => queue.cancel(draftKey))}>
          {t("app:cancel")}
        </Button>
      </div>
    </li>
  );
}

/** Moves the focus to the box when the message that had it leaves the queue. @returns reports the focused message */
function useFocusFallback(messages: readonly QueuedMessage[]): (draftKey: string) => void {
  const focusOnBox = useFocusOnBox();
  const focused = useRef<string>(null);
  useLayoutEffect(() => {
    if (focused.current === null || messages.some(({ draftKey }) => draftKey === focused.current)) return;
    focused.current = null;
    if (document.activeElement === document.body) focusOnBox();
  }, [messages, focusOnBox]);
  return (draftKey) => {
    focused.current = draftKey;
  };
}
