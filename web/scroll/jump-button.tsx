import { ArrowDown } from "lucide-react";
import { useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { ClientMessage } from "../chats/state/chats-state.ts";
import { IconButton } from "../ui/components/icon-button.tsx";

/** Button that jumps to the newest message, with the count of messages whose ends the reader has not seen. */
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
      round
      className="print:hidden absolute start-1/2 bottom-3 w-auto min-w-10 -translate-x-1/2 animate-fade gap-1 border border-outline bg-raised px-2.5 shadow-float pointer-coarse:min-w-11 rtl:translate-x-1/2"
      onClick={onJump}
    />
  );
}

/** Counts the messages since the reader was at the end, and the last one then if it has grown since. */
export function useNewBelow(messages: readonly ClientMessage[], isAtEnd: boolean): number {
  const last = messages.at(-1);
  const seen = useRef({ key: last?.key, length: last?.content.length ?? 0 });
  useLayoutEffect(() => {
    if (isAtEnd) seen.current = { key: last?.key, length: last?.content.length ?? 0 };
  });
  if (isAtEnd) return 0;
  const place = messages.findLastIndex(({ key }) => key === seen.current.key);
  if (place === -1) return 0;
  const hasGrown = (messages[place]?.content.length ?? 0) > seen.current.length;
  return messages.length - 1 - place + (hasGrown ? 1 : 0);
}
