import { decodeNamedCharacterReference } from "decode-named-character-reference";
import type { Element, ElementContent, Root } from "hast";
import { fromHtml } from "hast-util-from-html";
import { type Schema, sanitize } from "hast-util-sanitize";
import { toHtml } from "hast-util-to-html";
import type { Code, Heading, Html, Image, ImageReference, Root as Markdown } from "mdast";
import remarkBreaks from "remark-breaks";
import remarkCjkFriendly from "remark-cjk-friendly/parseOnly";
import remarkCjkStrikethrough from "remark-cjk-friendly-gfm-strikethrough/parseOnly";
import remarkGfm from "remark-gfm";
import remarkMath from "remark-math";
import remarkParse from "remark-parse";
import remarkRehype, { defaultHandlers, type Options } from "remark-rehype";
import { type Processor, unified } from "unified";
import { markAlerts } from "#contract/text/alerts.ts";
import { endBareAddresses } from "#contract/text/bare-addresses.ts";
import { hasCostlyLines } from "#contract/text/costly-lines.ts";
import { piecesOf } from "#contract/text/costly-runs.ts";
import { hasRightToLeft, setDirections } from "#contract/text/directions.ts";
import { nestDisclosures } from "#contract/text/disclosures.ts";
import { dollarFormulas } from "#contract/text/dollar-formulas.ts";
import { gfmOptions } from "#contract/text/gfm-options.ts";
import { answerAncestors, answerAttributes, answerElements, droppedElements } from "#contract/text/html/elements.ts";
import { isHtmlAnswer } from "#contract/text/html/html-answer.ts";
import { MATHS_ATTRIBUTES, MATHS_TAGS } from "#contract/text/html/maths.ts";
import { nestHtml } from "#contract/text/html/nest-html.ts";
import { renameOldElements } from "#contract/text/html/old-elements.ts";
import { maskInHtml, maskInMarkdown, unmaskTree } from "#contract/text/html/other-names.ts";
import { decodeReferences } from "#contract/text/html/references.ts";
import { repairNesting } from "#contract/text/html/repair-nesting.ts";
import { nestFences } from "#contract/text/nested-fences.ts";
import { Formulas } from "./formulas.ts";
import { alertTitle, diagramCaption, disclosureSummary } from "./product-words.ts";

/** Allowlist of elements and attributes of a printed message: nothing that executes, loads or takes input. */
const schema: Schema = {
  // Pictures became links.
  tagNames: [...answerElements.filter((name) => name !== "img"), "input", ...MATHS_TAGS],
  attributes: {
    ...answerAttributes,
    ...MATHS_ATTRIBUTES,
    code: [],
    input: [
      ["type", "checkbox"],
      ["disabled", true],
      ["checked", true],
    ],
    blockquote: [["className", "alert"]],
  },
  ancestors: answerAncestors,
  required: { input: { type: "checkbox", disabled: true } },
  protocols: { href: ["http", "https", "mailto"] },
};

/** Codes of a shared page have their language, for its label, and its footnotes a class. */
const pageSchema: Schema = {
  ...schema,
  attributes: {
    ...schema.attributes,
    code: [["className", /^language-[\w+#.-]{1,40}$/]],
    section: [["className", "footnotes"]],
  },
};

const htmlSchema: Schema = {
  ...schema,
  tagNames: [...answerElements],
  attributes: { ...answerAttributes, code: [] },
  strip: [...droppedElements],
};

const PROTOCOLS = new Set(["http:", "https:", "mailto:"]);

const text = (value: string): ElementContent => ({ type: "text", value });
const elementOf = (tagName: string, children: ElementContent[] = [], properties = {}): Element => ({
  type: "element",
  tagName,
  properties,
  children,
});
/** A formula in the tree of remark-math. */
type Formula = { value: string };

const link = (href: string, words: string) => elementOf("a", [text(words)], { href });

/**
 * Returns the handlers that differ from the defaults. Formulas become MathML, and the source of a diagram gets a
 * caption. Images become links, because they would load from elsewhere. HTML that is no element is text. A Setext heading
 * is a paragraph and a rule, as on the screen; an ATX heading ends with its line.
 */
const handlersWith = (formulas: Formulas): NonNullable<Options["handlers"]> => ({
  code: (state, node: Code) => {
    if (node.lang?.toLowerCase() === "math") return formulas.render(node.value, true);
    const code = defaultHandlers.code(state, node);
    if (node.lang?.toLowerCase() !== "mermaid") return code;
    return elementOf("figure", [elementOf("figcaption", [diagramCaption()]), code]);
  },
  inlineMath: (_: unknown, { value }: Formula) => formulas.render(value, false),
  math: (_: unknown, { value }: Formula) => formulas.render(value, true),
  heading: (state, node: Heading) => {
    if (node.position?.start.line === node.position?.end.line) return defaultHandlers.heading(state, node);
    return [defaultHandlers.paragraph(state, { type: "paragraph", children: node.children }), elementOf("hr")];
  },
  html: (_: unknown, { value }: Html) => text(value),
  image: (_: unknown, { url, alt }: Image) => link(url, alt || url),
  imageReference: (_: unknown, { alt }: ImageReference) => text(alt ?? ""),
});

type Tree = Parameters<typeof markAlerts>[0];

/** Remark plugin that gives GitHub's alerts a class and a title. Must run before line breaks become nodes. */
const remarkAlerts = () => (tree: Tree, file: { value: unknown }) =>
  markAlerts(tree, String(file.value), (quote, kind) => {
    const name = { type: "strong", children: [], data: { hChildren: [alertTitle(kind)] } };
    quote.children = [{ type: "paragraph", children: [name] }, ...(quote.children ?? [])];
    Object.assign(quote, { data: { hProperties: { className: ["alert"] } } });
  });

const remarkBareAddresses = () => (tree: Tree, file: { value: unknown }) => endBareAddresses(tree, String(file.value));

/** Remark plugin that converts HTML to nodes, as in the page. */
function remarkHtml(this: Processor) {
  const { parser } = this;
  this.parser = (text, file) => {
    const tree = parser?.(maskInMarkdown(text), file) ?? { type: "root" };
    unmaskTree(tree);
    return tree;
  };
  return (tree: Tree) => nestHtml(tree, (written) => decodeReferences(written, decodeNamedCharacterReference));
}

/** Remark plugin for disclosures. */
function remarkDisclosures(this: Processor) {
  const parse = (markdown: string) => (this.parse(markdown) as Markdown).children;
  return (tree: Tree) => nestDisclosures(tree, parse);
}

const processorWith = (formulas: Formulas, isQuestion: boolean) =>
  unified()
    .use(remarkParse)
    .use(remarkGfm, gfmOptions)
    .use(remarkCjkFriendly)
    .use(remarkCjkStrikethrough, gfmOptions)
    .use(remarkMath, { singleDollarTextMath: false })
    .use(remarkDisclosures)
    .use(remarkAlerts)
    .use(remarkBareAddresses)
    .use(remarkBreaks)
    .use(isQuestion ? [] : [remarkHtml])
    .use(remarkRehype, { handlers: handlersWith(formulas) });

/** Renders Markdown as sanitised HTML, which is harmless in any page. May take long for malicious texts. */
export function renderMarkdown(markdown: string): string {
  return renderSections(markdown).join("");
}

/** `cuts`: ascending positions (UTF-16 units). `isQuestion`: HTML in the text is text. */
export type RenderOptions = { cuts?: readonly number[]; isQuestion?: boolean };

/**
 * Renders Markdown like {@link renderMarkdown}, cut between its blocks.
 * A cut inside a block is above it.
 * @returns one section more than cuts
 */
export function renderSections(markdown: string, options: RenderOptions = {}): string[] {
  return renderTrees(markdown, options).map((tree) => toHtml(tree, { closeSelfClosing: true }));
}

/** `isPage`: for a screen, where people open disclosures. */
type TreeOptions = RenderOptions & { isPage?: boolean };

/** Renders Markdown like {@link renderSections}, as trees of sanitised elements. */
export function renderTrees(markdown: string, options: TreeOptions = {}): Root[] {
  const { cuts = [], isQuestion = false, isPage = false } = options;
  // HTML has no blocks between which a cut could be.
  if (!isQuestion && isHtmlAnswer(markdown)) return [...cuts.map(emptyTree), renderHtml(markdown, isPage)];
  const processor = processorWith(new Formulas(), isQuestion);
  const { text: nested, positionOf } = nestFences(markdown, false);
  const normalised = dollarFormulas(nested);
  const parsed = processor.runSync(processor.parse(normalised), normalised);
  const tree = sanitize(parsed, isPage ? pageSchema : schema) as Root;
  repairNesting(tree);
  linksOnly(tree);
  nameDisclosures(tree, { isOpen: !isPage });
  if (hasRightToLeft(markdown)) setDirections(tree);
  flattenCostly(tree, normalised);
  const ends = cuts.map((cut) => firstBehind(tree, dollarFormulas(nested.slice(0, positionOf(cut))).trimEnd().length));
  return [...ends, tree.children.length].map((end, index) => ({
    type: "root",
    children: tree.children.slice(ends[index - 1] ?? 0, end),
  }));
}

const emptyTree = (): Root => ({ type: "root", children: [] });

/** Renders an answer that is HTML. */
function renderHtml(html: string, isPage: boolean): Root {
  const parsed = fromHtml(maskInHtml(html), { fragment: true });
  unmaskTree(parsed);
  renameOldElements(parsed);
  const tree = sanitize(parsed, htmlSchema) as Root;
  picturesToLinks(tree);
  repairNesting(tree);
  linksOnly(tree);
  nameDisclosures(tree, { isOpen: !isPage });
  if (hasRightToLeft(html)) setDirections(tree);
  if (hasCostlyText(tree)) tree.children = plainPieces(html);
  return tree;
}

/** Replaces the blocks of Markdown that are too costly to be laid out by their source, as in the page. */
function flattenCostly(tree: Root, source: string): void {
  tree.children = tree.children.flatMap((block) => {
    const { position } = block;
    const written = position && source.slice(position.start.offset, position.end.offset);
    if (!(written === undefined ? hasCostlyText(block) : hasCostlyLines(written))) return [block];
    const isCode = block.type === "element" && block.tagName === "pre";
    return plainPieces(written === undefined || isCode ? textOf(block) : written).map((piece) =>
      position ? { ...piece, position } : piece,
    );
  });
}

const hasCostlyText = (node: Root | Root["children"][number]): boolean =>
  node.type === "text" ? hasCostlyLines(node.value) : "children" in node && node.children.some(hasCostlyText);

const textOf = (node: Root["children"][number]): string =>
  node.type === "text" ? node.value : "children" in node ? node.children.map(textOf).join("") : "";

/** Parsers of HTML drop the first line break of preformatted text. */
const plainPieces = (written: string): Element[] =>
  Array.from(piecesOf(written), (piece) =>
    elementOf("pre", [text(piece.startsWith("\n") ? `\n${piece}` : piece)], { className: ["plain"] }),
  );

function picturesToLinks(parent: Root | Element): void {
  for (const child of parent.children) {
    if (child.type !== "element") continue;
    if (child.tagName === "img") {
      const { src = "", alt } = child.properties;
      Object.assign(child, link(String(src), String(alt || src)));
    } else picturesToLinks(child);
  }
}

/** Returns the index of the first block that ends behind a position. The footnotes are behind all positions. */
function firstBehind({ children }: Root, position: number): number {
  const last = children.findLastIndex((child) => (child.position?.end.offset ?? Number.POSITIVE_INFINITY) <= position);
  return last + 1;
}

/** Restricts links to http, https and mailto. A relative link would resolve against the location of the file. */
function linksOnly({ children }: Root | Element): void {
  for (const child of children) {
    if (child.type !== "element") continue;
    if (child.tagName === "a") {
      const url = URL.parse(String(child.properties.href ?? ""));
      child.properties = url && PROTOCOLS.has(url.protocol) ? { href: url.href, rel: ["noopener", "noreferrer"] } : {};
    }
    linksOnly(child);
  }
}

/** Gives disclosures without a summary a general one, and opens all for paper, where a reader cannot. */
function nameDisclosures({ children }: Root | Element, options: { isOpen: boolean }): void {
  for (const child of children) {
    if (child.type !== "element") continue;
    if (child.tagName === "details") {
      child.properties = options.isOpen ? { open: true } : {};
      const hasSummary = child.children.some((inner) => inner.type === "element" && inner.tagName === "summary");
      if (!hasSummary) child.children.unshift(elementOf("summary", [disclosureSummary()]));
    }
    nameDisclosures(child, options);
  }
}
