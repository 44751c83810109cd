import type { Element } from "hast";
import katex from "katex";
import "katex/contrib/mhchem";
import { type RefObject, useContext, useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Components } from "streamdown";
import {
  expansionsOf,
  FORMULA_OPTIONS,
  isRenderable,
  needsDisplay,
  writtenFormula,
} from "#contract/text/formula-limits.ts";
import replies from "../../locales/en/replies.json";
import { registerTexts } from "../../locales/i18n.ts";
import { useOverflow } from "../../ui/use-overflow.ts";
import { PrintContext } from "../print-work.ts";
import { inTimeSlices } from "./time-slices.ts";

registerTexts("replies", replies);

export const formulaComponents: Components = {
  "math-inline": (props) => <InlineFormula source={sourceOf(props.node)} />,
  "math-display": (props) => <DisplayFormula source={sourceOf(props.node)} />,
};

/** Class that hides an element for a second; a reply whose renderer is loading uses it too. */
const HELD = "reply-held";

function sourceOf(node: Element | undefined): string {
  const text = node?.children[0];
  return text?.type === "text" ? text.value : "";
}

/** Renders with KaTeX into the element of `container`, whose children React does not manage. */
function useFormula(
  container: RefObject<HTMLElement | null>,
  source: string,
  isDisplay: boolean,
  onSet?: () => void,
): void {
  const work = useContext(PrintContext);
  const onEnd = useEffectEvent(() => onSet?.());
  useEffect(() => {
    const { current } = container;
    if (!current) return;
    if (current.childNodes.length === 0) {
      current.textContent = source;
      // While queued, the source reserves space, but is not visible.
      current.classList.add(HELD);
    }
    const endWork = work?.begin();
    const cancel = inTimeSlices(() => {
      setFormula(current, source, isDisplay);
      onEnd();
      endWork?.();
    });
    return () => {
      cancel();
      endWork?.();
    };
  }, [container, source, isDisplay, work]);
}

function InlineFormula({ source }: { source: string }) {
  const container = useRef<HTMLSpanElement>(null);
  useFormula(container, source, false);
  return <span ref={container} className="" />;
}

/** Display formula. If it is wider than the answer, it scrolls, also by keyboard. */
export function DisplayFormula({ source }: { source: string }) {
  const { t } = useTranslation("replies");
  const container = useRef<HTMLSpanElement>(null);
  const [set, setSet] = useState<string | null>(null);
  useFormula(container, source, true, () => setSet(source));
  const isOver = useOverflow(container, set);
  return (
    <span
      ref={container}
      className="reply-formula block"
      {...(isOver && { role: "group", tabIndex: 0, "aria-label": t("formula") })}
    />
  );
}

function setFormula(container: HTMLElement, source: string, isDisplay: boolean): void {
  container.classList.remove(HELD);
  try {
    if (!isRenderable(source)) throw new RangeError("No formula for KaTeX");
    const displayMode = isDisplay || needsDisplay(source);
    katex.render(source, container, { ...FORMULA_OPTIONS, maxExpand: expansionsOf(source), displayMode });
  } catch {
    // Invalid or incomplete: the source says more than KaTeX's error, whose inline styles our CSP forbids.
    container.textContent = writtenFormula(source, isDisplay);
  }
}
