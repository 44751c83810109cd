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

/** No links, resources, ids or classes from a formula; bounded size; no warnings for input that LaTeX would reject. */
const LIMITS = { trust: false, strict: "ignore", maxSize: 20 } as const;
const MOST_EXPANSIONS = 500;
const DEFINES = /\\(?:[gex]?def|let|futurelet|(?:re)?newcommand|providecommand)(?![a-z])/i;
/** Longer formulas (UTF-16 units) stay as written: rendering one takes many times as long as parsing it. */
const LONGEST = 4000;

/** Class that hides an element for a second; a reply whose renderer is loading uses it too. */
const HELD = "reply-held";

function sourceOf(node: Element | undefined): string {
  const text = node?.children[0];
  return text?.type === "text" ? text.value : "";
}

/** Renders with KaTeX into the element of `place`, whose children React does not manage. */
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
      // While queued, the source reserves space, but is not visible.
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

/** Display formula. If it is wider than the answer, it scrolls, also by keyboard. */
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

/** Returns the limit of macro expansions: a formula with own macros must not expand to more than `LONGEST`. */
const expansionsOf = (source: string) => (DEFINES.test(source) ? Math.floor(LONGEST / source.length) : MOST_EXPANSIONS);

function setFormula(place: HTMLElement, source: string, isDisplay: boolean): void {
  place.classList.remove(HELD);
  try {
    if (source.length > LONGEST) throw new RangeError("Too long a formula");
    katex.render(source, place, { ...LIMITS, maxExpand: expansionsOf(source), displayMode: isDisplay });
  } catch {
    // Invalid or incomplete: the source says more than KaTeX's error, whose inline styles our CSP forbids.
    place.textContent = source;
  }
}
