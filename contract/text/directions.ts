/** Writing direction of the blocks of an answer: that of most of their letters, not of their first word or code. */

/** The fields of a tree of HTML (hast) that are read and written here. */
type Tree = {
  type: string;
  tagName?: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: Tree[];
};

type Direction = "ltr" | "rtl";
type Letters = { rtl: number; all: number };

/** Hebrew, Arabic, Syriac, Thaana, NKo, Samaritan, Mandaic, and the blocks of old and of African scripts (Adlam). */
const RTL = String.raw`\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}`;
const HAS_RTL = new RegExp(`[${RTL}]`, "u");
const RTL_LETTERS = new RegExp(`(?=\\p{L})[${RTL}]`, "gu");
const LETTERS = /\p{L}/gu;

const BLOCKS = new Set(
  "p h1 h2 h3 h4 h5 h6 ul ol dl dt dd li table caption td th blockquote details summary figcaption reply-alert".split(
    " ",
  ),
);
/** Blocks within an item or cell; what stands between them is a line of its own. */
const INNER_BLOCKS = new Set([
  ..."p ul ol dl table blockquote details pre figure div section hr".split(" "),
  "reply-alert",
]);
/** Blocks with the direction around them, beside whose start markers and columns stand. */
const FRAMED = new Set(["li", "dd", "td", "th"]);
/** Elements that are written from left to right in all languages. */
const LEFT_TO_RIGHT = new Set("code kbd samp var pre math math-inline math-display".split(" "));
const ADDRESS = /(?:https?:\/\/|www\.)\S+/gi;

/** Returns whether a text has letters that are written from right to left. */
export const hasRightToLeft = (text: string): boolean => HAS_RTL.test(text);

/** Sets the direction of each block of a tree, except where its author did. A block without letters has that around it. */
export function setDirections(tree: Tree): void {
  const letters = new Map<Tree, Letters>();
  count(tree, letters);
  assign(tree, undefined, letters);
}

function count(node: Tree, letters: Map<Tree, Letters>): Letters {
  const sum = { rtl: 0, all: 0 };
  if (node.value !== undefined && node.type === "text") {
    const words = node.value.replaceAll(ADDRESS, "");
    sum.all = words.match(LETTERS)?.length ?? 0;
    sum.rtl = words.match(RTL_LETTERS)?.length ?? 0;
  }
  if (!LEFT_TO_RIGHT.has(node.tagName ?? "")) {
    for (const child of node.children ?? []) {
      const inner = count(child, letters);
      sum.all += inner.all;
      sum.rtl += inner.rtl;
    }
  }
  letters.set(node, sum);
  return sum;
}

function directionOf(nodes: readonly Tree[], letters: Map<Tree, Letters>): Direction | undefined {
  let all = 0;
  let rtl = 0;
  for (const node of nodes) {
    all += letters.get(node)?.all ?? 0;
    rtl += letters.get(node)?.rtl ?? 0;
  }
  if (all === 0) return undefined;
  return 2 * rtl >= all ? "rtl" : "ltr";
}

function assign(node: Tree, around: Direction | undefined, letters: Map<Tree, Letters>): void {
  let own = around;
  if (BLOCKS.has(node.tagName ?? "")) {
    const written = node.properties?.dir;
    own = (FRAMED.has(node.tagName ?? "") ? around : directionOf([node], letters)) ?? around;
    if (written === "ltr" || written === "rtl") own = written;
    else if (own) node.properties = { ...node.properties, dir: own };
    if (FRAMED.has(node.tagName ?? "")) wrapOtherLines(node, own, letters);
  }
  for (const child of node.children ?? []) assign(child, own, letters);
}

/** Wraps the words of an item or cell whose direction is not that around it. */
function wrapOtherLines(item: Tree, around: Direction | undefined, letters: Map<Tree, Letters>): void {
  const children: Tree[] = [];
  let line: Tree[] = [];
  const flush = () => {
    const own = directionOf(line, letters);
    if (own === undefined || own === around) children.push(...line);
    else
      children.push({
        type: "element",
        tagName: "div",
        properties: { dir: own, className: ["own-way"] },
        children: line,
      });
    line = [];
  };
  for (const child of item.children ?? []) {
    if (!INNER_BLOCKS.has(child.tagName ?? "")) {
      line.push(child);
      continue;
    }
    flush();
    children.push(child);
  }
  flush();
  item.children = children;
}
