import { type BuilderOptions, ElementBuilder, isPhrase, type Tree } from "./element-builder.ts";
import { blockElements, markdownElements } from "./elements.ts";
import { splitAtTags } from "./tags.ts";

type Decode = BuilderOptions["decode"];

/** Nodes that contain words only. */
const PHRASES = new Set("heading emphasis strong delete link linkReference summary".split(" "));
/** The elements that a disclosure plugin reads; elsewhere their tags are text. */
const DISCLOSURES = new Set(["details", "summary"]);

/**
 * Converts the raw HTML of a Markdown tree (mdast) to nodes with the name and properties of the element (`hName`,
 * `hProperties`), and drops comments. A tag within words that has no partner, a name that no element of an answer has,
 * and an end tag alone stay as they are, to be shown as text. An element whose start tag begins a block ends at the
 * latest with the block around it.
 * @param decode replaces character references such as `&eacute;`
 */
export function nestHtml(tree: Tree, decode: Decode): void {
  nestIn(tree, decode);
}

function nestIn(parent: Tree, decode: Decode): void {
  const { type, children } = parent;
  if (!children) return;
  for (const child of children) nestIn(child, decode);
  if (type === "paragraph" || type === "tableCell" || PHRASES.has(type)) parent.children = nestWords(parent, decode);
  else if (children.some((child) => isHtml(child) || holdsBlock(child))) parent.children = nestBlocks(parent, decode);
}

const isHtml = ({ type }: Tree) => type === "html";
const isBlockElement = (node: Tree) => (node.type === "tagged" || node.type === "thematicBreak") && !isPhrase(node);
const holdsBlock = ({ type, children = [] }: Tree) => type === "paragraph" && children.some(isBlockElement);

/** Nests the elements within words. */
function nestWords({ type, children = [], position }: Tree, decode: Decode): Tree[] {
  if (!children.some(isHtml)) return children;
  const hasBlocks = type === "paragraph" || type === "tableCell";
  const isLink = type === "link" || type === "linkReference";
  const allows = (name: string) =>
    !DISCLOSURES.has(name) && (hasBlocks || !blockElements.has(name)) && !(isLink && name === "a");
  const builder = new ElementBuilder({ allows, decode });
  for (const child of children) addNode(builder, child, false);
  return builder.finish(true, position);
}

/** Nests the elements between blocks, which may contain blocks. */
function nestBlocks({ children = [], position }: Tree, decode: Decode): Tree[] {
  const builder = new ElementBuilder({ allows: (name) => !DISCLOSURES.has(name), decode });
  for (const child of children) {
    if (child.type === "paragraph") addParagraph(builder, child);
    else addNode(builder, child, true);
  }
  return withParagraphs(builder.finish(false, position));
}

function addNode(builder: ElementBuilder, node: Tree, isBlock: boolean): void {
  if (!isHtml(node)) {
    builder.add(node);
    return;
  }
  const pieces = splitAtTags(node.value ?? "", markdownElements);
  const hasTags = pieces.some((piece) => typeof piece !== "string");
  for (const piece of pieces) {
    if (typeof piece !== "string") builder.addTag(piece, node.position);
    else if (isBlock && hasTags) builder.addText(piece);
    else if (piece.trim() !== "") builder.add({ ...node, value: piece });
  }
}

/** Adds a paragraph. Its end tags may close elements around it, and its blocks stand beside its words. */
function addParagraph(builder: ElementBuilder, paragraph: Tree): void {
  let words: Tree[] = [];
  const flush = () => {
    const own = withoutOuterBreaks(words);
    if (own.length > 0) builder.add({ ...paragraph, children: own });
    words = [];
  };
  for (const child of paragraph.children ?? []) {
    const isBlock = isBlockElement(child);
    const ended = isBlock ? null : endTagIn(child);
    if (!isBlock && (ended === null || !builder.isOpen(ended))) {
      words.push(child);
      continue;
    }
    flush();
    if (ended === null) builder.add(child);
    else builder.close(ended, child.position);
  }
  flush();
}

/** Returns the name of the element that a node of raw HTML ends. */
function endTagIn(node: Tree): string | null {
  const [tag] = isHtml(node) ? splitAtTags(node.value ?? "", markdownElements) : [];
  return typeof tag === "object" && tag.isEnd ? tag.name : null;
}

function withoutOuterBreaks(words: readonly Tree[]): Tree[] {
  const isWord = ({ type, value = "" }: Tree) => !(type === "break" || (type === "text" && value.trim() === ""));
  const first = words.findIndex(isWord);
  return first < 0 ? [] : words.slice(first, words.findLastIndex(isWord) + 1);
}

/** Puts words between blocks into paragraphs. */
function withParagraphs(nodes: readonly Tree[]): Tree[] {
  const blocks: Tree[] = [];
  let words: Tree[] = [];
  const flush = () => {
    if (words.every(isHtml)) blocks.push(...words);
    else if (words.some(({ type, value = "" }) => type !== "htmlText" || value.trim() !== ""))
      blocks.push({ type: "paragraph", children: words, position: words.find(({ position }) => position)?.position });
    words = [];
  };
  for (const node of nodes) {
    if (isPhrase(node)) words.push(node);
    else {
      flush();
      blocks.push(node);
    }
  }
  flush();
  return blocks;
}
