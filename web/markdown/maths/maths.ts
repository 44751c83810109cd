/** Renders formulas. Loaded when the first formula occurs. */

import "katex/dist/katex.min.css";
// Without it browsers copy each symbol of a formula twice.
import "../copying/copy-selection.ts";
import type { Element, Root } from "hast";
import remarkMath from "remark-math";
import type { MathPlugin } from "streamdown";

export { rewriteFormulas } from "#contract/text/dollar-formulas.ts";
export { DisplayFormula, formulaComponents } from "./formula.tsx";

/** Rehype plugin that replaces the code elements of remark-math by custom elements, which formula.tsx renders. */
const rehypeFormulas = () => (tree: Root) => replaceFormulas(tree);

function replaceFormulas(parent: Root | Element): void {
  for (const [index, child] of parent.children.entries()) {
    if (child.type !== "element") continue;
    const code = child.tagName === "pre" ? child.children.find((inner) => inner.type === "element") : child;
    const tagName = code && formulaTag(code);
    if (tagName) parent.children[index] = { ...code, tagName, properties: {} };
    else replaceFormulas(child);
  }
}

function formulaTag({ tagName, properties }: Element): string | undefined {
  const names = tagName === "code" && Array.isArray(properties.className) ? properties.className.map(String) : [];
  return names.find((name) => name === "math-inline" || name === "math-display");
}

/** Replaces Streamdown's own plugin, which parses KaTeX's output with an HTML parser as large as KaTeX. */
export const maths: MathPlugin = {
  name: "katex",
  type: "math",
  remarkPlugin: [remarkMath, { singleDollarTextMath: false }],
  rehypePlugin: rehypeFormulas,
};
