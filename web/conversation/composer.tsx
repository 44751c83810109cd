import { ArrowUp, Square } from "lucide-react";
import { type KeyboardEvent, memo, type RefObject, useContext, useEffect, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import { ModelMenu } from "../models/model-menu.tsx";
import { cx } from "../ui/components/cx.ts";
import { IconButton } from "../ui/components/icon-button.tsx";
import { useGrownHeight } from "../ui/components/use-grown-height.ts";
import { lazyModule, useLazyModule } from "../ui/lazy/lazy-module.ts";
import { useChatSession, useIsTemporary } from "./chat-session.ts";
import { ComposerBox, takeFocus } from "./composer-box.ts";
import { Draft } from "./draft.ts";
import { isSendKey } from "./is-send-key.ts";
import { stopReply, useDraft, useSend } from "./use-send.ts";

/** Loaded after the screen. If loading fails, the box works without it. */
const presetToolsModule = lazyModule(() => import("../presets/preset-tools.tsx"), "behind-chat");

/** `isWaiting`: the chat is not loaded or created yet; its box accepts text, which can be sent once it is. */
type ComposerProps = { chat: string | null; isWaiting: boolean; isWriting: boolean };

/** Memoized: rendered again for its own text only, not for that of a reply. */
export const Composer = memo(function Composer({ chat, isWaiting, isWriting }: ComposerProps) {
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
  const canSend = !isWriting && !isWaiting && !draft.isEmpty;

  const sendWhenThere = useEarlySend({ chat, draft, isWaiting, isWriting, send });

  // Send and Stop replace each other: removing a button must not lose the focus.
  const submit = () => {
    if (isWaiting) return sendWhenThere();
    if (!canSend) return;
    send();
    takeFocus(box);
  };
  const stop = () => {
    stopReply(replies, chat);
    takeFocus(box);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (!isSendKey(event)) return;
    event.preventDefault();
    submit();
  };

  return (
    <form
      className="mx-auto w-full max-w-column px-3 pt-2 pb-[max(0.75rem,calc(env(safe-area-inset-bottom)-var(--keyboard)))] sm:px-8 sm:pb-6"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <p className="mb-2 px-2 text-center text-muted text-xs">
        {t("composer.mistakes")} <span className="max-sm:sr-only">{t("composer.check")}</span>
      </p>
      <div
        className={cx(
          "composer rounded-surface border border-outline bg-raised shadow-rest",
          isTemporary && "border-dashed",
        )}
      >
        <label htmlFor={id} className="sr-only">
          {t("composer.label")}
        </label>
        <textarea
          ref={box}
          id={id}
          rows={1}
          dir="auto"
          value={draft.text}
          placeholder={t("composer.placeholder")}
          className="block field-sizing-content max-h-[200px] min-h-11 w-full resize-none overflow-y-auto bg-transparent px-4 pt-3.5 pb-1 leading-text outline-none placeholder:text-muted"
          onChange={(event) => drafts.set(chat, new Draft(event.target.value))}
          onKeyDown={onKeyDown}
        />
        <div className="flex items-center justify-between gap-2 px-2 pb-2">
          <div className="flex min-w-0 items-center gap-1">
            <ModelMenu choice={session.modelChoice} />
            {presets && <presets.default chat={chat} session={session} />}
          </div>
          {isWriting ? (
            <IconButton
              key="stop"
              label={t("composer.stop")}
              title={t("composer.stop")}
              icon={<Square aria-hidden="true" className="fill-current" />}
              variant="primary"
              round
              className="[&_svg]:size-3.5"
              onClick={stop}
            />
          ) : (
            <IconButton
              key="send"
              type="submit"
              label={t("composer.send")}
              title={t("composer.send")}
              icon={<ArrowUp aria-hidden="true" />}
              variant="primary"
              round
              disabled={!canSend}
            />
          )}
        </div>
      </div>
    </form>
  );
});

type EarlySend = { chat: string | null; draft: Draft; isWaiting: boolean; isWriting: boolean; send: () => void };

/** Sends the box once its chat is loaded, unless the text or the chat has changed by then. */
function useEarlySend({ chat, draft, isWaiting, isWriting, send }: EarlySend): () => void {
  const wanted = useRef<{ chat: string | null; draft: Draft }>(null);
  useEffect(() => {
    const { current } = wanted;
    const isSame = current?.chat === chat && current.draft.isSame(draft);
    if (!isWaiting || !isSame) wanted.current = null;
    if (!isWaiting && !isWriting && isSame) send();
  }, [chat, draft, isWaiting, isWriting, send]);
  return () => {
    if (!draft.isEmpty) wanted.current = { chat, draft };
  };
}

/** Focuses the box when a chat opens. */
function useFocus(box: RefObject<HTMLTextAreaElement | null>, chat: string | null): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another chat is the reason to take the focus
  useEffect(() => takeFocus(box), [box, chat]);
}
