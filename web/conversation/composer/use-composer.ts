import { type FocusEvent, type RefObject, useContext, useEffect, useEffectEvent, useRef, useState } from "react";
import { useAuthConfig } from "../../accounts/auth-config.ts";
import { useGrownHeight } from "../../ui/components/use-grown-height.ts";
import { lazyModule, usePreloadedModule } from "../../ui/lazy/lazy-module.ts";
import { useFileWait } from "../attachments/file-waits.ts";
import { useAttaching } from "../attachments/use-attaching.ts";
import { useChatSession } from "../chat-session.ts";
import { ComposerBox, takeFocus } from "../composer-box.ts";
import type { Draft } from "../draft.ts";
import { queueModule } from "../queue/queue-module.ts";
import { hasQueued } from "../queue/queued-draft-keys.ts";
import { useDraft } from "./use-draft.ts";
import { stopReply, useSend } from "./use-send.ts";

/** Motion of the composer, and its return to rest. */
export const composerMotionModule = lazyModule(() => import("./composer-motion.ts"), "after-chat");

/** `isWaiting`: the chat is not loaded or created yet. `isWriting`: a reply of the chat is running. */
export type ComposerChat = { chat: string | null; isWaiting: boolean; isWriting: boolean };

/** State of a composer, with its actions. */
export type ComposerState = ReturnType<typeof useComposer>;

/**
 * Joins the draft of a chat with the rules of its submission. `fileBlock`: reason why the files of the draft cannot be
 * sent. `canQueue`: the draft can be submitted while a reply is being written.
 */
export function useComposer({ chat, isWaiting, isWriting }: ComposerChat) {
  const session = useChatSession();
  const draft = useDraft(session.drafts, chat);
  const send = useSend(chat);
  const box = useContext(ComposerBox);
  useGrownHeight(box, draft.text);
  useFocus(box, chat);
  const { isUsed, check, ...focusEvents } = useUse(box);
  const [hadQueued] = useState(() => hasQueued(session.account));
  const queue = usePreloadedModule(queueModule, isWriting || hadQueued);
  const { attach, isHeld, cancel } = useAttaching(chat);
  const [fileBlock, setFileBlock] = useState<string | null>(null);
  const { maxMessageChars: max = Number.POSITIVE_INFINITY } = useAuthConfig();
  const isBlocked = isHeld || draft.text.length > max || fileBlock !== null;
  const canQueue = isWriting && queue !== undefined && !isBlocked && !draft.isEmpty;
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
    stopReply(session.replies, chat);
    takeFocus(box);
    check();
  };
  const cancelHeld = () => {
    cancel();
    // The button is removed.
    takeFocus(box);
  };
  return {
    chat,
    draft,
    box,
    max,
    isUsed,
    focusEvents,
    queue,
    attach,
    isHeld,
    cancelHeld,
    fileBlock,
    setFileBlock,
    isWriting,
    canQueue,
    canSend,
    submit,
    stop,
  };
}

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
