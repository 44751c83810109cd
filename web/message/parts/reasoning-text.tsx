import { Check, Copy } from "lucide-react";
import { useDeferredValue, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { MarkdownReply } from "../../markdown/markdown-reply.tsx";
import { WordPainter } from "../../reply/word-painter.ts";
import type { ReadableStore } from "../../store/store.ts";
import { cx } from "../../ui/components/cx.ts";
import { IconButton } from "../../ui/components/icon-button.tsx";
import { useCopy } from "../../ui/use-copy.ts";

/** Distance (px) from the end within which a reader counts as following it. */
const NEAR = 24;

type ReasoningTextProps = {
  id: string;
  text: string;
  /** The text while it grows. */
  growing: ReadableStore<string> | undefined;
  /** Whether its height is limited: opened while it grows, it must not push the answer away. */
  isLimited: boolean;
  prefix: string;
};

/** The text of an opened reasoning, painted like an answer while it grows. */
export function ReasoningText({ id, text, growing, isLimited, prefix }: ReasoningTextProps) {
  const { t } = useTranslation("parts");
  const painted = usePainted(growing, text);
  // A long text appears a moment later, so that the press is answered at once.
  const shown = useDeferredValue(painted, "");
  const box = useFollowedBox(isLimited);
  return (
    <div id={id} className="reasoning-text mt-2 border-hairline border-s-2 ps-4">
      <section
        ref={box}
        aria-label={t("reasoning.label")}
        // A scroll container must be reachable by keyboard.
        tabIndex={isLimited ? 0 : undefined}
        dir="auto"
        className={cx("text-muted", isLimited && "max-h-[min(20rem,45vh)] overflow-y-auto overscroll-contain")}
      >
        <div>
          <MarkdownReply text={shown} isGrowing={growing !== undefined} prefix={prefix} />
        </div>
      </section>
      <CopyReasoning text={() => growing?.get() ?? text} />
    </div>
  );
}

function CopyReasoning({ text }: { text: () => string }) {
  const { t } = useTranslation(["parts", "chat"]);
  const { isCopied, copy } = useCopy();
  return (
    <IconButton
      label={isCopied ? t("chat:messages.copied") : t("reasoning.copy")}
      icon={isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
      size="small"
      className="-ms-2 mt-1 [&_svg]:size-4"
      onClick={() => copy(text())}
    />
  );
}

/** Returns the text of `growing` in the pace of a painter, and `text` once it has ended. */
function usePainted(growing: ReadableStore<string> | undefined, text: string): string {
  const [painted, setPainted] = useState(() => growing?.get() ?? "");
  useEffect(() => {
    if (!growing) return;
    let known = growing.get();
    setPainted(known);
    const painter = new WordPainter(known.length, (words) => setPainted((before) => before + words));
    const stop = growing.subscribe(() => {
      const all = growing.get();
      painter.push(all.slice(known.length));
      known = all;
    });
    return () => {
      stop();
      painter.flush();
    };
  }, [growing]);
  return growing ? painted : text;
}

/** Returns the ref of a box that shows the end of its growing content, until the reader scrolls away from it. */
function useFollowedBox(isFollowed: boolean) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    const outer = box.current;
    const inner = outer?.firstElementChild;
    if (!isFollowed || !outer || !inner) return;
    let isFollowing = true;
    const onScroll = () => {
      isFollowing = outer.scrollHeight - outer.scrollTop - outer.clientHeight <= NEAR;
    };
    const observer = new ResizeObserver(() => {
      if (isFollowing) outer.scrollTop = outer.scrollHeight;
    });
    outer.addEventListener("scroll", onScroll, { passive: true });
    observer.observe(inner);
    return () => {
      observer.disconnect();
      outer.removeEventListener("scroll", onScroll);
    };
  }, [isFollowed]);
  return box;
}
