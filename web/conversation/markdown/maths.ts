/** Sets formulas. Loaded when the first one is met. */

import "katex/dist/katex.min.css";
import type { Element, Root } from "hast";
import remarkMath from "remark-math";
import type { MathPlugin } from "streamdown";

export { formulaComponents } from "./formula.tsx";

/** No formula is longer than formula.tsx sets: beginnings without an end are not to have all of the text searched. */
const CODE_OR_FORMULA =
  /^ {0,3}(`{3,}|~{3,})[\s\S]*?(?:^ {0,3}\1[`~]*[ \t]*$|$(?![\s\S]))|(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\2(?!`)|\\\[([\s\S]{0,4000}?)\\\]|\\\(([^\n]{0,4000}?)\\\)/gm;

/** `\[…\]` and `\(…\)`, as models write them, in the dollars that Markdown's formulas know. Code stays as it is. */
export function dollarFormulas(markdown: string): string {
  return markdown.replaceAll(CODE_OR_FORMULA, (all, _fence, _span, block?: string, inline?: string) => {
    if (block !== undefined) return `\n$$\n${block.trim()}\n$$\n`;
    return inline === undefined ? all : `$$${inline.trim()}$$`;
  });
}

/** Turns the code that formulas are until here into elements of our own, which formula.tsx shows. */
const rehypeFormulas = () => (tree: Root) => replaceFormulas(tree);

function replaceFormulas(parent: Root | Element): void {
  for (const [place, child] of parent.children.entries()) {
    if (child.type !== "element") continue;
    const code = child.tagName === "pre" ? child.children.find((inner) => inner.type === "element") : child;
    const tagName = code && formulaTag(code);
    if (tagName) parent.children[place] = { ...code, tagName, properties: {} };
    else replaceFormulas(child);
  }
}

function formulaTag({ tagName, properties }: Element): string | undefined {
  const names = tagName === "code" && Array.isArray(properties.className) ? properties.className.map(String) : [];
  return names.find((name) => name === "math-inline" || name === "math-display");
}

/** For Streamdown, in place of its own plugin: that one parses KaTeX's output as HTML, with a parser as heavy as KaTeX. */
export const maths: MathPlugin = {
  name: "katex",
  type: "math",
  remarkPlugin: [remarkMath, { singleDollarTextMath: false }],
  rehypePlugin: rehypeFormulas,
};
