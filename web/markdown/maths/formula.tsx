import type { Element } from "hast";
import katex from "katex";
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Components } from "streamdown";
import replies from "../../locales/en/replies.json";
import { registerTexts } from "../../locales/i18n.ts";
import { useOverflow } from "../../ui/use-overflow.ts";
import { inTimeSlices } from "./time-slices.ts";

registerTexts("replies", replies);

export const formulaComponents: Components = {
  "math-inline": (props) => <InlineFormula source={sourceOf(props.node)} />,
  "math-display": (props) => <DisplayFormula source={sourceOf(props.node)} />,
};

/** Nothing of it links, loads or names things, or grows without bounds; what LaTeX would not take is no news for a log. */
const LIMITS = { trust: false, strict: "ignore", maxSize: 20 } as const;
const MOST_EXPANSIONS = 500;
const DEFINES = /\\(?:[gex]?def|let|futurelet|(?:re)?newcommand|providecommand)(?![a-z])/i;
/** Longer ones (UTF-16 units) stay as they were written: setting one takes the page many times as long as reading it. */
const LONGEST = 4000;

/** Unseen for a second, as a whole reply is that waits for its form. */
const HELD = "reply-held";

function sourceOf(node: Element | undefined): string {
  const text = node?.children[0];
  return text?.type === "text" ? text.value : "";
}

/** KaTeX builds its elements itself, node by node: React keeps only the place for them. */
function useFormula(
  place: RefObject<HTMLElement | null>,
  source: string,
  isDisplay: boolean,
  onSet?: () => void,
): void {
  const onEnd = useEffectEvent(() => onSet?.());
  useEffect(() => {
    const { current } = place;
    if (!current) return;
    if (current.childNodes.length === 0) {
      current.textContent = source;
      // Until its turn it keeps its place, and its marks are not seen.
      current.classList.add(HELD);
    }
    return inTimeSlices(() => {
      setFormula(current, source, isDisplay);
      onEnd();
    });
  }, [place, source, isDisplay]);
}

function InlineFormula({ source }: { source: string }) {
  const place = useRef<HTMLSpanElement>(null);
  useFormula(place, source, false);
  return <span ref={place} className="" />;
}

/** One that is wider than its answer scrolls, also by keyboard. */
function DisplayFormula({ source }: { source: string }) {
  const { t } = useTranslation("replies");
  const place = useRef<HTMLSpanElement>(null);
  const [set, setSet] = useState<string | null>(null);
  useFormula(place, source, true, () => setSet(source));
  const isOver = useOverflow(place, set);
  return (
    <span
      ref={place}
      className="reply-formula block"
      {...(isOver && { role: "group", tabIndex: 0, "aria-label": t("formula") })}
    />
  );
}

/** What a formula defines by itself must not make it longer than one may be that is written out. */
const expansionsOf = (source: string) => (DEFINES.test(source) ? Math.floor(LONGEST / source.length) : MOST_EXPANSIONS);

function setFormula(place: HTMLElement, source: string, isDisplay: boolean): void {
  place.classList.remove(HELD);
  try {
    if (source.length > LONGEST) throw new RangeError("Too long a formula");
    katex.render(source, place, { ...LIMITS, maxExpand: expansionsOf(source), displayMode: isDisplay });
  } catch {
    // Not a formula, or not yet: its source says more than an error, which KaTeX would style against our policy.
    place.textContent = source;
  }
}
