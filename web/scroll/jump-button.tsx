import { ArrowDown } from "lucide-react";
import { useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { ClientMessage } from "../chats/state/chats-state.ts";
import { IconButton } from "../ui/components/icon-button.tsx";

/** Button that jumps to the newest message, with the number of messages that have come below. */
export function JumpButton({ count, onJump }: { count: number; onJump: () => void }) {
  const { t } = useTranslation("chat");
  const label = count > 0 ? t("messages.jumpNew", { n: count }) : t("messages.jump");
  return (
    <IconButton
      label={label}
      icon={
        <>
          <ArrowDown aria-hidden="true" />
          {count > 0 && <span className="text-accent text-xs tabular-nums">{count}</span>}
        </>
      }
      size="small"
      round
      className="end-0 w-auto min-w-8 animate-fade gap-1 border border-outline bg-raised px-1.5 shadow-float pointer-coarse:w-auto pointer-coarse:min-w-11 sm:pointer-fine:absolute"
      onClick={onJump}
    />
  );
}

/** Counts the messages since the reader was at the end, without the last one then, however much it has grown. */
export function useNewBelow(messages: readonly ClientMessage[], isAtEnd: boolean): number {
  const last = messages.at(-1)?.key;
  const seen = useRef(last);
  useLayoutEffect(() => {
    if (isAtEnd) seen.current = last;
  });
  const index = isAtEnd ? -1 : messages.findLastIndex(({ key }) => key === seen.current);
  return index === -1 ? 0 : messages.length - 1 - index;
}
