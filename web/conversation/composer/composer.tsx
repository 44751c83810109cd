import { ArrowUp, Square } from "lucide-react";
import { type KeyboardEvent, memo, type RefObject, useId } from "react";
import { useTranslation } from "react-i18next";
import { ModelMenu } from "../../models/model-menu.tsx";
import { cx } from "../../ui/components/cx.ts";
import { IconButton } from "../../ui/components/icon-button.tsx";
import { enterSends } from "../../ui/keys/shortcuts.ts";
import { lazyModule, useLazyModule } from "../../ui/lazy/lazy-module.ts";
import { AttachButton } from "../attachments/attach-button.tsx";
import { FileDrop } from "../attachments/file-drop.tsx";
import { HeldFiles } from "../attachments/held-files.tsx";
import { attachDropped, attachPasted, composerFilesModule } from "../attachments/use-attaching.ts";
import { useChatSession, useIsTemporary } from "../chat-session.ts";
import { isSendKey } from "./is-send-key.ts";
import { type ComposerChat, type ComposerState, useComposer } from "./use-composer.ts";

/** Loaded after the screen. If loading fails, the box works without it. */
const presetToolsModule = lazyModule(() => import("../../presets/preset-tools.tsx"), "after-chat");

/** Loaded with the first message that exceeds the limit. */
const tooLongModule = lazyModule(() => import("./too-long.tsx"));

/**
 * A chat that `isWaiting` accepts text in its box, which can be sent once it is there. `canRest`: on a phone, the box is
 * one line while it is empty and not used. `jumpSlot`: element for the button that jumps to the newest message.
 */
type ComposerProps = ComposerChat & {
  canRest: boolean;
  jumpSlot?: RefObject<HTMLElement | null>;
};

/** Memoized: rendered again for its own text only, not for that of a reply. */
export const Composer = memo(function Composer({ chat, isWaiting, isWriting, canRest, jumpSlot }: ComposerProps) {
  const { t } = useTranslation("chat");
  const composer = useComposer({ chat, isWaiting, isWriting });
  const { draft, queue, attach, isHeld, isUsed, focusEvents, submit } = composer;
  const isTemporary = useIsTemporary();
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
          {...focusEvents}
          className={cx(
            canRest && !isUsed && !isHeld && draft.isUntouched && "composer-resting",
            "composer rounded-surface border border-outline bg-raised shadow-rest",
            isTemporary && "border-dashed",
          )}
        >
          <DraftFiles composer={composer} />
          <DraftText composer={composer} />
          <ComposerTools composer={composer} />
        </div>
      </form>
    </>
  );
});

type PieceProps = { composer: ComposerState };

function DraftFiles({ composer: { chat, draft, isHeld, cancelHeld, setFileBlock } }: PieceProps) {
  const hasFiles = draft.files.length > 0;
  const files = useLazyModule(composerFilesModule, hasFiles);
  if (hasFiles && files) return <files.default chat={chat} onBlock={setFileBlock} />;
  return hasFiles || isHeld ? <HeldFiles onCancel={isHeld ? cancelHeld : undefined} /> : null;
}

function DraftText({ composer: { chat, draft, box, max, attach, submit } }: PieceProps) {
  const { t } = useTranslation("chat");
  const { drafts } = useChatSession();
  const id = useId();
  const isTooLong = draft.text.length > max;
  const tooLong = useLazyModule(tooLongModule, isTooLong);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isSendKey(event)) return;
    event.preventDefault();
    submit();
  };
  return (
    <>
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
        className="composer-text mt-1.5 block field-sizing-content min-h-11 w-full resize-none overflow-y-auto bg-transparent px-4 py-2 leading-text outline-none placeholder:text-muted"
        onChange={(event) => drafts.set(chat, drafts.get(chat).withText(event.target.value))}
        onKeyDown={onKeyDown}
        onPaste={(event) => attach && attachPasted(attach, event)}
      />
    </>
  );
}

function ComposerTools({ composer }: PieceProps) {
  const session = useChatSession();
  const presets = useLazyModule(presetToolsModule);
  const { chat, attach, isWriting, canQueue } = composer;
  return (
    <div className="composer-tools flex items-center gap-x-1 px-2 pb-2 max-sm:flex-wrap pointer-coarse:gap-x-0">
      {/* On a phone, what finds no room beside a long name stands in a line below it. */}
      <div className="flex min-w-0 items-center gap-1 pointer-coarse:gap-0">
        {attach && <AttachButton onChoose={attach} />}
        <ModelMenu choice={session.modelChoice} />
      </div>
      {presets && <presets.default chat={chat} session={session} />}
      <div className="ms-auto flex shrink-0 items-center gap-2">
        {isWriting && <StopButton key="stop" composer={composer} />}
        {(!isWriting || canQueue) && <SendButton key="send" composer={composer} />}
      </div>
    </div>
  );
}

function StopButton({ composer: { canQueue, stop } }: PieceProps) {
  const { t } = useTranslation("chat");
  return (
    <IconButton
      label={t("composer.stop")}
      shortcut="stop"
      icon={<Square aria-hidden="true" className="fill-current" />}
      variant={canQueue ? "quiet" : "primary"}
      round
      className={cx("[&_svg]:size-3.5", canQueue && "border border-outline")}
      // The second click of a double click was meant for Send, which was here before.
      onClick={(event) => event.detail < 2 && stop()}
    />
  );
}

/** Sends the draft, or queues it while a reply is being written. */
function SendButton({ composer: { isWriting, fileBlock, canQueue, canSend } }: PieceProps) {
  const { t } = useTranslation("chat");
  return (
    <IconButton
      type="submit"
      label={isWriting ? t("composer.queue") : t("composer.send")}
      {...(fileBlock !== null && { hint: fileBlock })}
      shortcut="send"
      icon={<ArrowUp aria-hidden="true" />}
      variant="primary"
      round
      disabled={!canQueue && !canSend}
    />
  );
}
