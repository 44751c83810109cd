import type { Element } from "hast";
import katex from "katex";
import { useEffect, useRef } from "react";
import type { Components } from "streamdown";
import { inTurn } from "./in-turn.ts";

export const formulaComponents: Components = {
  "math-inline": (props) => <Formula source={sourceOf(props.node)} isDisplay={false} />,
  "math-display": (props) => <Formula source={sourceOf(props.node)} isDisplay={true} />,
};

/** Nothing of it links, loads or names things, or grows without bounds; what LaTeX would not take is no news for a log. */
const LIMITS = { trust: false, strict: "ignore", maxSize: 20 } as const;
const MOST_EXPANSIONS = 500;
const DEFINES = /\\(?:[gex]?def|let|futurelet|(?:re)?newcommand|providecommand)(?![a-z])/i;
/** Longer ones (UTF-16 units) stay as they were written: setting one takes the page many times as long as reading it. */
const LONGEST = 4000;

function sourceOf(node: Element | undefined): string {
  const text = node?.children[0];
  return text?.type === "text" ? text.value : "";
}

/** KaTeX builds its elements itself, node by node: React keeps only the place for them. */
function Formula({ source, isDisplay }: { source: string; isDisplay: boolean }) {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const { current } = place;
    if (!current) return;
    if (current.childNodes.length === 0) current.textContent = source;
    return inTurn(() => setFormula(current, source, isDisplay));
  }, [source, isDisplay]);
  return <span ref={place} className={isDisplay ? "block" : ""} />;
}

/** What a formula defines by itself must not make it longer than one may be that is written out. */
const expansionsOf = (source: string) => (DEFINES.test(source) ? Math.floor(LONGEST / source.length) : MOST_EXPANSIONS);

function setFormula(place: HTMLElement, source: string, isDisplay: boolean): void {
  try {
    if (source.length > LONGEST) throw new RangeError("Too long a formula");
    katex.render(source, place, { ...LIMITS, maxExpand: expansionsOf(source), displayMode: isDisplay });
  } catch {
    // Not a formula, or not yet: its source says more than an error, which KaTeX would style against our policy.
    place.textContent = source;
  }
}
