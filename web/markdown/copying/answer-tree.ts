import type { Element, Root } from "hast";
import type { Html, Root as Markdown } from "mdast";
import remarkMath from "remark-math";
import remarkParse from "remark-parse";
import remarkRehype, { type Options } from "remark-rehype";
import { type PluggableList, unified } from "unified";
import { hasRightToLeft, setDirections } from "#contract/text/directions.ts";
import { dollarFormulas } from "#contract/text/dollar-formulas.ts";
import { writtenFormula } from "#contract/text/formula-limits.ts";
import { isHtmlAnswer } from "#contract/text/html/html-answer.ts";
import { nestFences } from "#contract/text/nested-fences.ts";
import { isTooDeep, isTooMarked, isTooNested } from "../costly-markup.ts";
import { parseHtml } from "../html/parse-html.ts";
import { remarkPlugins } from "../reply-blocks.tsx";
import { rehypeSafeMarkdown } from "../reply-schema.ts";

type Formula = { value: string };

const textIn = (tagName: string, value: string): Element => ({
  type: "element",
  tagName,
  properties: {},
  children: [{ type: "text", value }],
});

/** Programs that receive the text have no common form of formulas: they are readable as TeX. */
const handlers: NonNullable<Options["handlers"]> = {
  html: (_: unknown, { value }: Html) => ({ type: "text", value }),
  inlineMath: (_: unknown, { value }: Formula) => textIn("span", writtenFormula(value, false)),
  math: (_: unknown, { value }: Formula) => textIn("p", writtenFormula(value, true)),
};

const processor = unified()
  .use(remarkParse)
  .use(remarkPlugins as PluggableList)
  .use(remarkMath, { singleDollarTextMath: false })
  .use(remarkRehype, { handlers });

/** Returns an answer as a sanitised tree of HTML. Texts that are costly to parse are one preformatted text. */
export function answerTree(text: string): Root {
  const tree = isHtmlAnswer(text) ? htmlTree(text) : markdownTree(text);
  if (hasRightToLeft(text)) setDirections(tree);
  return tree;
}

/** Returns a question, which is shown as it was written. */
export function questionTree(text: string): Root {
  const lines = text.split("\n").flatMap((line, at): Element["children"] => {
    const words = { type: "text" as const, value: line };
    return at === 0 ? [words] : [{ type: "element", tagName: "br", properties: {}, children: [] }, words];
  });
  return { type: "root", children: [{ type: "element", tagName: "p", properties: {}, children: lines }] };
}

const plainTree = (text: string): Root => ({ type: "root", children: [textIn("pre", text)] });

const htmlTree = (html: string): Root => (isTooNested(html) ? plainTree(html) : parseHtml(html));

function markdownTree(text: string): Root {
  if (isTooDeep(text) || text.split(/\n\n+/).some(isTooMarked)) return plainTree(text);
  const normalised = dollarFormulas(nestFences(text, false).text);
  const tree: Markdown = processor.parse(normalised);
  return rehypeSafeMarkdown()(processor.runSync(tree, normalised) as Root);
}
