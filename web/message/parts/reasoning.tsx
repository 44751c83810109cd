import { Brain, ChevronRight } from "lucide-react";
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ReasoningPart } from "#contract/conversation/known-parts.ts";
import { SECOND } from "#contract/limits.ts";
import { growingReasoning, reasoningKey } from "../../reply/reply-parts.ts";
import { useKeepPosition } from "../../scroll/keep-position.ts";
import { cx } from "../../ui/components/cx.ts";
import { Spinner } from "../../ui/components/spinner.tsx";
import { useAfterPointer } from "../../ui/use-after-pointer.ts";
import { useMessageContext } from "../message-context.ts";
import { newestHeading } from "./newest-heading.ts";
import type { PartOwner } from "./part-types.ts";
import { ReasoningText } from "./reasoning-text.tsx";
import { ReasoningTime } from "./reasoning-time.tsx";
import {
  hadReasoningFocus,
  isReasoningLimited,
  isReasoningOpen,
  limitReasoning,
  noteReasoningFocus,
  type ReasoningLocation,
  reasoningBegan,
  rememberReasoning,
} from "./remembered-reasoning.ts";

type ReasoningProps = {
  part: ReasoningPart;
  owner: PartOwner;
  /** The model is still at work on it, or has written nothing after it yet. */
  isBusy: boolean;
};

/** The model's reasoning: one line, which opens to its text. Folded, a growing text is read once a second. */
export function Reasoning({ part, owner, isBusy }: ReasoningProps) {
  const { t, i18n } = useTranslation(["parts", "chat"]);
  const id = useId();
  const location = useReasoningLocation(owner.key, part.seq);
  const isGrowing = isBusy && part.durationMs === undefined;
  const [isOpen, setOpen] = useState(() => isReasoningOpen(location, isGrowing));
  const [isLimited, setLimited] = useState(() => isReasoningLimited(location));
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (hadReasoningFocus(location)) button.current?.focus({ preventScroll: true });
  }, [location]);
  // A shorter label would end the button before the position where it is pressed.
  const isLabelGrowing = useAfterPointer(isGrowing);
  const now = useSeconds(isGrowing);
  const growing = owner.id === null ? undefined : growingReasoning.get(reasoningKey(owner.id, part.seq));
  const began = isLabelGrowing ? reasoningBegan(location, part.at === 0 ? owner.createdAt : undefined) : now;
  const newest = isGrowing && !isOpen ? newestHeading(growing?.get() ?? part.text) : null;
  const heading = useAfterPointer(newest);
  const keepPosition = useKeepPosition();
  const toggle = (button: Element) => {
    keepPosition(button);
    rememberReasoning(location, !isOpen);
    limitReasoning(location, isGrowing);
    setLimited(isGrowing);
    setOpen(!isOpen);
  };
  return (
    <div dir={i18n.dir()} className="part-line mb-3 print:hidden">
      <button
        ref={button}
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        className="reasoning-button reading flex max-w-full items-center gap-x-2.5 rounded-small text-muted leading-reading hover:text-ink"
        onClick={({ currentTarget }) => toggle(currentTarget)}
        onFocus={() => noteReasoningFocus(location, true)}
        onBlur={() => noteReasoningFocus(location, false)}
      >
        {isBusy ? <Spinner /> : <Brain aria-hidden="true" className="size-4 shrink-0" />}
        {isLabelGrowing ? (
          <>
            {/* Screen readers would read a name that changes each second again and again. */}
            <span className="sr-only">{t("chat:messages.thinking")}</span>
            <span aria-hidden="true" className="shrink-0 tabular-nums">
              <ReasoningTime durationMs={Math.max(now - began, SECOND)} isGrowing />
            </span>
            {heading !== null && (
              <bdi aria-hidden="true" className="min-w-0 truncate text-sm">
                {heading}
              </bdi>
            )}
          </>
        ) : (
          <span>
            <ReasoningTime durationMs={part.durationMs} />
          </span>
        )}
        <ChevronRight
          aria-hidden="true"
          className={cx("size-4 shrink-0 transition-transform", isOpen ? "rotate-90" : "rtl:-scale-x-100")}
        />
      </button>
      {isOpen && (
        <ReasoningText
          id={id}
          text={part.text}
          growing={isGrowing ? growing : undefined}
          isLimited={isLimited}
          prefix={`${owner.key}-${part.seq}`}
        />
      )}
    </div>
  );
}

function useReasoningLocation(message: string, seq: number): ReasoningLocation {
  const { memory, chat } = useMessageContext();
  return useMemo(() => ({ memory, chat, key: `${message} ${seq}` }), [memory, chat, message, seq]);
}

/** Returns the current time (Unix ms), and renders each second while it is in use. */
function useSeconds(isInUse: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isInUse) return;
    const timer = setInterval(() => setNow(Date.now()), SECOND);
    return () => clearInterval(timer);
  }, [isInUse]);
  return now;
}
