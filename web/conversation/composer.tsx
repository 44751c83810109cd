import { ArrowUp, Square } from "lucide-react";
import { type KeyboardEvent, type RefObject, useContext, useEffect, useId, useLayoutEffect } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "../ui/cx.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { later, useLater } from "../ui/later.ts";
import { toolsPart } from "./branches/later.tsx";
import { useChatSession, useIsTemporary } from "./chat-session.ts";
import { ComposerBox, takeFocus } from "./composer-box.ts";
import { ModelMenu } from "./model-menu.tsx";
import { useDraft, useSend } from "./use-send.ts";

/** Right behind the screen. Where it cannot be had, there is a box without it. */
export const presetsPart = later(() => import("./presets/preset-tools.tsx"));

/** The box grows with its words up to this height (px). */
const TALLEST = 200;

/** `isWaiting`: the chat is not read or not made yet; words can be written into its box, and sent once it is there. */
type ComposerProps = { chat: string | null; isWaiting: boolean; isWriting: boolean };

export function Composer({ chat, isWaiting, isWriting }: ComposerProps) {
  const { t } = useTranslation("chat");
  const session = useChatSession();
  const { drafts, replies } = session;
  const text = useDraft(drafts, chat);
  const send = useSend(chat);
  const isTemporary = useIsTemporary();
  const presets = useLater(presetsPart);
  const box = useContext(ComposerBox);
  const id = useId();
  useHeight(box, text);
  useFocus(box, chat);
  const canSend = !isWriting && !isWaiting && text.trim() !== "";

  // Send and Stop take each other's place: the focus must not go with the one that leaves.
  const submit = () => {
    if (!canSend) return;
    send();
    takeFocus(box);
  };
  const stop = () => {
    if (chat === null) replies.cancel(null);
    else void replies.stop(chat);
    takeFocus(box);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (
      event.key === "ArrowUp" &&
      text === "" &&
      chat !== null &&
      session.branches &&
      !event.shiftKey &&
      !event.altKey
    ) {
      // There is nothing to go up in: the last question is worded anew, with its end in view.
      event.preventDefault();
      void toolsPart.ask().then((tools) => tools?.editLast(session, chat));
      return;
    }
    // Enter that ends the composing of a character is not ours (229: browsers that tell it late).
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    submit();
  };

  return (
    <form
      className="mx-auto w-full max-w-[48rem] px-3 pt-2 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:px-8 sm:pb-6"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <p className="mb-2 text-balance px-2 text-center text-muted text-xs">{t("composer.disclaimer")}</p>
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
          value={text}
          placeholder={t("composer.placeholder")}
          className="block max-h-[200px] min-h-11 w-full resize-none overflow-y-auto bg-transparent px-4 pt-3.5 pb-1 leading-text outline-none placeholder:text-muted"
          onChange={(event) => drafts.set(chat, event.target.value)}
          onKeyDown={onKeyDown}
        />
        <div className="flex items-center justify-between gap-2 px-2 pb-2">
          <div className="flex min-w-0 items-center gap-1">
            <ModelMenu />
            {presets && <presets.default chat={chat} />}
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
}

function useHeight(box: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words need another height
  useLayoutEffect(() => {
    const area = box.current;
    if (!area) return;
    area.style.height = "auto";
    area.style.height = `${Math.min(area.scrollHeight, TALLEST)}px`;
  }, [box, text]);
}

/** The box takes the focus when a chat opens. */
function useFocus(box: RefObject<HTMLTextAreaElement | null>, chat: string | null): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another chat is the reason to take the focus
  useEffect(() => takeFocus(box), [box, chat]);
}
