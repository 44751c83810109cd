import { ArrowUp, Square } from "lucide-react";
import {
  type FocusEvent,
  type KeyboardEvent,
  memo,
  type RefObject,
  useContext,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from "react";
import { useTranslation } from "react-i18next";
import { useAuthConfig } from "../accounts/auth-config.ts";
import { ModelMenu } from "../models/model-menu.tsx";
import { cx } from "../ui/components/cx.ts";
import { IconButton } from "../ui/components/icon-button.tsx";
import { useGrownHeight } from "../ui/components/use-grown-height.ts";
import { enterSends } from "../ui/keys/shortcuts.ts";
import { lazyModule, useLazyModule, usePreloadedModule } from "../ui/lazy/lazy-module.ts";
import { AttachButton } from "./attachments/attach-button.tsx";
import { FileDrop } from "./attachments/file-drop.tsx";
import { useFileWait } from "./attachments/file-waits.ts";
import { HeldFiles } from "./attachments/held-files.tsx";
import { attachDropped, attachPasted, composerFilesModule, useAttaching } from "./attachments/use-attaching.ts";
import { useChatSession, useIsTemporary } from "./chat-session.ts";
import { ComposerBox, takeFocus } from "./composer-box.ts";
import type { Draft } from "./draft.ts";
import { isSendKey } from "./is-send-key.ts";
import { queueModule } from "./queue/queue-module.ts";
import { hasQueued } from "./queue/queued-draft-keys.ts";
import { useDraft } from "./use-draft.ts";
import { stopReply, useSend } from "./use-send.ts";

/** Loaded after the screen. If loading fails, the box works without it. */
const presetToolsModule = lazyModule(() => import("../presets/preset-tools.tsx"), "after-chat");

/** Loaded with the first message that exceeds the limit. */
const tooLongModule = lazyModule(() => import("./too-long.tsx"));

/** Motion of the composer, and its return to rest. */
export const composerMotionModule = lazyModule(() => import("./composer-motion.ts"), "after-chat");

/**
 * `isWaiting`: the chat is not loaded or created yet; its box accepts text, which can be sent once it is. `canRest`: on a
 * phone, the box is one line while it is empty and not used. `jumpSlot`: element for the button that jumps to the newest
 * message.
 */
type ComposerProps = {
  chat: string | null;
  isWaiting: boolean;
  isWriting: boolean;
  canRest: boolean;
  jumpSlot?: RefObject<HTMLElement | null>;
};

/** Memoized: rendered again for its own text only, not for that of a reply. */
export const Composer = memo(function Composer({ chat, isWaiting, isWriting, canRest, jumpSlot }: ComposerProps) {
  const { t } = useTranslation("chat");
  const session = useChatSession();
  const { drafts, replies } = session;
  const draft = useDraft(drafts, chat);
  const send = useSend(chat);
  const isTemporary = useIsTemporary();
  const presets = useLazyModule(presetToolsModule);
  const box = useContext(ComposerBox);
  const id = useId();
  useGrownHeight(box, draft.text);
  useFocus(box, chat);
  const { isUsed, check, ...use } = useUse(box);
  const [hadQueued] = useState(() => hasQueued(session.account));
  const queue = usePreloadedModule(queueModule, isWriting || hadQueued);
  const { attach, isHeld, cancel } = useAttaching(chat);
  const [fileBlock, setFileBlock] = useState<string | null>(null);
  const { maxMessageChars: max = Number.POSITIVE_INFINITY } = useAuthConfig();
  const isTooLong = draft.text.length > max;
  const tooLong = useLazyModule(tooLongModule, isTooLong);
  const isBlocked = isHeld || isTooLong || fileBlock !== null;
  const canQueue = isWriting && queue !== undefined && !isBlocked && !draft.isEmpty;
  const hasFiles = draft.files.length > 0;
  const files = useLazyModule(composerFilesModule, hasFiles);
  const { isWaiting: isUploading } = useFileWait(session, chat);
  const canSend = !isWriting && !isWaiting && !isUploading && !isBlocked && !draft.isEmpty;

  const submitNow = () => {
    if (isBlocked) return;
    const isQueued = chat !== null && queue?.queueOf(session).enqueue(chat);
    if (!isQueued && !isWriting) send();
  };
  // The chat of a first message is being created: it has no queue yet.
  const isEarly = isWaiting || (isWriting && chat === null);
  const submitWhenThere = useEarlySubmit({ chat, draft, isEarly, submit: submitNow });

  // Send and Stop replace each other: removing a button must not lose the focus.
  const submit = () => {
    if (isEarly) return submitWhenThere();
    submitNow();
    takeFocus(box);
    check();
  };
  const stop = () => {
    stopReply(replies, chat);
    takeFocus(box);
    check();
  };

  const cancelHeld = () => {
    cancel();
    // The button is removed.
    takeFocus(box);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isSendKey(event)) return;
    event.preventDefault();
    submit();
  };

  return (
    <>
      {queue && <queue.default chat={chat} />}
      {attach && <FileDrop onDrop={(transfer) => attachDropped(attach, transfer)} />}
      <form
        className="mx-auto w-full max-w-column px-3 pt-2 pb-[max(0.75rem,calc(env(safe-area-inset-bottom)-var(--keyboard)))] sm:px-8 sm:pb-6"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <div className="relative mb-2 flex items-center gap-2">
          <p className="min-w-0 flex-1 text-balance text-center text-[0.75rem] text-muted sm:pointer-fine:px-14 sm:text-xs">
            {`${t("composer.mistakes")} ${t("composer.check")}`}
          </p>
          <span ref={jumpSlot} className="contents" />
        </div>
        <div
          {...use}
          className={cx(
            canRest && !isUsed && !isHeld && draft.isUntouched && "composer-resting",
            "composer rounded-surface border border-outline bg-raised shadow-rest",
            isTemporary && "border-dashed",
          )}
        >
          {hasFiles && files ? (
            <files.default chat={chat} onBlock={setFileBlock} />
          ) : (
            (hasFiles || isHeld) && <HeldFiles onCancel={isHeld ? cancelHeld : undefined} />
          )}
          {isTooLong && tooLong && <tooLong.default length={draft.text.length} max={max} />}
          <label htmlFor={id} className="sr-only">
            {t("composer.label")}
          </label>
          <textarea
            ref={box}
            id={id}
            rows={1}
            dir="auto"
            enterKeyHint={enterSends() ? "send" : "enter"}
            value={draft.text}
            placeholder={t("composer.placeholder")}
            className="composer-text mt-1.5 block field-sizing-content max-h-[200px] min-h-11 w-full resize-none overflow-y-auto bg-transparent px-4 py-2 leading-text outline-none placeholder:text-muted"
            onChange={(event) => drafts.set(chat, drafts.get(chat).withText(event.target.value))}
            onKeyDown={onKeyDown}
            onPaste={(event) => attach && attachPasted(attach, event)}
          />
          <div className="composer-tools flex items-center gap-x-1 px-2 pb-2 max-sm:flex-wrap pointer-coarse:gap-x-0">
            {/* On a phone, what finds no room beside a long name stands in a line below it. */}
            <div className="flex min-w-0 items-center gap-1 pointer-coarse:gap-0">
              {attach && <AttachButton onChoose={attach} />}
              <ModelMenu choice={session.modelChoice} />
            </div>
            {presets && <presets.default chat={chat} session={session} />}
            <div className="ms-auto flex shrink-0 items-center gap-2">
              {isWriting && (
                <IconButton
                  key="stop"
                  label={t("composer.stop")}
                  shortcut="stop"
                  icon={<Square aria-hidden="true" className="fill-current" />}
                  variant={canQueue ? "quiet" : "primary"}
                  round
                  className={cx("[&_svg]:size-3.5", canQueue && "border border-outline")}
                  // The second click of a double click was meant for Send, which was here before.
                  onClick={(event) => event.detail < 2 && stop()}
                />
              )}
              {(!isWriting || canQueue) && (
                <IconButton
                  key="send"
                  type="submit"
                  label={isWriting ? t("composer.queue") : t("composer.send")}
                  {...(fileBlock !== null && { hint: fileBlock })}
                  shortcut="send"
                  icon={<ArrowUp aria-hidden="true" />}
                  variant="primary"
                  round
                  disabled={!canQueue && !canSend}
                />
              )}
            </div>
          </div>
        </div>
      </form>
    </>
  );
});

/**
 * Tracks whether the composer is in use: from the focus of the box or of a key press until the focus leaves it and its
 * menus, whose events React passes on through their portals.
 */
function useUse(box: RefObject<HTMLElement | null>) {
  const [isUsed, setUsed] = useState(false);
  const isWithin = useRef(false);
  return {
    isUsed,
    /** Called when Send or Stop is removed, which then loses the focus without an event. */
    check: () => {
      isWithin.current = document.activeElement === box.current;
      setUsed(isWithin.current);
    },
    onFocus: ({ target }: FocusEvent) => {
      isWithin.current = true;
      // A button that is tapped must not move under the finger.
      if (target.matches(":focus-visible")) setUsed(true);
    },
    onBlur: () => {
      isWithin.current = false;
      const rest = () => isWithin.current || setUsed(false);
      composerMotionModule.load().then(
        ({ afterPointer }) => setTimeout(() => afterPointer(rest)),
        () => {},
      );
    },
  };
}

type EarlySubmit = { chat: string | null; draft: Draft; isEarly: boolean; submit: () => void };

/** Submits the box once its chat is loaded or created, unless the text or the chat has changed by then. */
function useEarlySubmit({ chat, draft, isEarly, submit }: EarlySubmit): () => void {
  const wanted = useRef<{ chat: string | null; draft: Draft }>(null);
  const submitNow = useEffectEvent(submit);
  useEffect(() => {
    const { current } = wanted;
    const isSame = (current?.chat === chat || current?.chat === null) && current.draft.isSame(draft);
    if (!isEarly || !isSame) wanted.current = null;
    if (!isEarly && isSame) submitNow();
  }, [chat, draft, isEarly]);
  return () => {
    if (!draft.isEmpty) wanted.current = { chat, draft };
  };
}

/** Focuses the box when a chat opens. */
function useFocus(box: RefObject<HTMLTextAreaElement | null>, chat: string | null): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another chat is the reason to take the focus
  useEffect(() => takeFocus(box), [box, chat]);
}
