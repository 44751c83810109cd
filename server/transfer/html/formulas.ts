import type { Element, ElementContent } from "hast";
import { fromHtml } from "hast-util-from-html";
import katex from "katex";
import "katex/contrib/mhchem";
import { SECOND } from "#contract/limits.ts";
import {
  expansionsOf,
  FORMULA_OPTIONS,
  isRenderable,
  needsDisplay,
  writtenFormula,
} from "#contract/text/formula-limits.ts";

/** Limits for all formulas of a message; those beyond are shown as written. `chars`: of MathML, in UTF-16 units. */
const MOST = { chars: 1_000_000, ms: 1.5 * SECOND };
/** KaTeX nests an element for each level of a formula, and browsers nest some 500 elements at most. */
const DEEPEST = 200;

/** Renders the formulas of one message as MathML, within limits of its size and time. */
export class Formulas {
  #chars = 0;
  #ms = 0;

  /** Returns a formula as MathML, or as it was written if it is invalid or a limit is reached. */
  render(source: string, isDisplay: boolean): ElementContent {
    const begunAt = performance.now();
    const maths = this.#isSpent() ? null : this.#read(source, isDisplay);
    this.#ms += performance.now() - begunAt;
    return maths ?? asWritten(source, isDisplay);
  }

  #isSpent(): boolean {
    return this.#chars > MOST.chars || this.#ms > MOST.ms;
  }

  #read(source: string, isDisplay: boolean): Element | null {
    if (!isRenderable(source)) return null;
    const mathml = mathmlOf(source, isDisplay || needsDisplay(source));
    this.#chars += mathml?.length ?? 0;
    if (mathml === null || this.#isSpent()) return null;
    const maths = mathIn(fromHtml(mathml, { fragment: true }).children);
    return maths && depthOf(maths) <= DEEPEST ? maths : null;
  }
}

/** @returns null for an invalid formula, one that is nested too deeply, or one that expands to too much */
function mathmlOf(source: string, isDisplay: boolean): string | null {
  try {
    return katex.renderToString(source, {
      ...FORMULA_OPTIONS,
      output: "mathml",
      maxExpand: expansionsOf(source),
      displayMode: isDisplay,
    });
  } catch {
    return null;
  }
}

/** KaTeX wraps the formula in elements for its own style sheet, which the file does not have. */
function mathIn(children: readonly { type: string }[]): Element | null {
  const element = children.find((child): child is Element => child.type === "element");
  return !element || element.tagName === "math" ? (element ?? null) : mathIn(element.children);
}

function depthOf(formula: Element): number {
  let level: Element[] = [formula];
  let depth = 0;
  for (; level.length > 0 && depth <= DEEPEST; depth += 1) {
    level = level.flatMap(({ children }) => children.filter((child) => child.type === "element"));
  }
  return depth;
}

function asWritten(source: string, isDisplay: boolean): Element {
  const code: Element = {
    type: "element",
    tagName: "code",
    properties: {},
    children: [{ type: "text", value: isDisplay ? source : writtenFormula(source, false) }],
  };
  return isDisplay ? { type: "element", tagName: "pre", properties: {}, children: [code] } : code;
}
