/** The fields of a Markdown tree (mdast) that are read here. */
type Tree = { type: string; value?: string; children?: Tree[] };

/** Tags of disclosures, and comments, which may contain such tags. Group 1: end tag; 2: name; 3: attributes. */
const TAG = /<!--[\s\S]*?-->|<(\/?)(details|summary)(\s[^<>]*)?>/gi;
const OPEN = /\sopen(?=[\s=/]|$)/i;
/** Limits for malicious texts; tags beyond them are text. */
const DEEPEST = 10;
const MOST = 200;

/** Returns whether the attributes of a details tag open it. */
export const isOpenTag = (attributes: string): boolean => OPEN.test(attributes);

type Piece = { tag: "details" | "summary"; isEnd: boolean; attributes: string; written: string } | Tree;

/**
 * Converts the raw HTML of `<details>` and `<summary>` in a Markdown tree to nodes of these names, with the blocks
 * between the tags as children. Attributes other than `open` are dropped. An unclosed element ends with its parent.
 * @param parse parses Markdown that stands beside a tag, which CommonMark takes for HTML, to blocks
 */
export function nestDisclosures(tree: Tree, parse: (markdown: string) => Tree[]): void {
  nestIn(tree, { parse, left: MOST });
}

type Nesting = { parse: (markdown: string) => Tree[]; left: number };

function nestIn(parent: Tree, nesting: Nesting): void {
  const children = parent.children ?? [];
  for (const child of children) if (child.type !== "paragraph") nestIn(child, nesting);
  if (!children.some((child) => child.type === "html" && /<details/i.test(child.value ?? ""))) return;
  const root: Tree = { type: "root", children: [] };
  const open: Tree[] = [root];
  for (const piece of children.flatMap((child) => piecesOf(child, nesting.parse))) {
    const top = open.at(-1) ?? root;
    if (!("tag" in piece)) top.children?.push(piece);
    else if (!(piece.isEnd ? close(open, piece.tag) : begin(open, top, piece, nesting)))
      top.children?.push({ type: "html", value: piece.written });
  }
  parent.children = root.children ?? [];
}

/** Opens an element if it may stand here. */
function begin(open: Tree[], top: Tree, { tag, attributes }: Extract<Piece, { tag: string }>, nesting: Nesting) {
  const isAllowed =
    tag === "details"
      ? open.length <= DEEPEST && nesting.left > 0 && top.type !== "summary"
      : top.type === "details" && top.children?.length === 0;
  if (!isAllowed) return false;
  const properties = tag === "details" && isOpenTag(attributes) ? { open: true } : {};
  const node = { type: tag, data: { hName: tag, hProperties: properties }, children: [] };
  if (tag === "details") nesting.left -= 1;
  top.children?.push(node);
  open.push(node);
  return true;
}

/** Closes the innermost element of this name if there is one. */
function close(open: Tree[], tag: "details" | "summary"): boolean {
  if (open.at(-1)?.type === "summary") {
    const summary = open.pop();
    if (summary) summary.children = summary.children?.flatMap(wordsOf) ?? [];
    if (tag === "summary") return true;
  }
  if (tag === "summary" || open.at(-1)?.type !== "details") return false;
  open.pop();
  return true;
}

/** A summary contains words and headings, no paragraphs. */
const wordsOf = (block: Tree): Tree[] => (block.type === "paragraph" ? (block.children ?? []) : [block]);

function piecesOf(child: Tree, parse: Nesting["parse"]): Piece[] {
  if (child.type === "html") return piecesOfHtml(child, parse);
  // `</details>` at the end of a line of words.
  const ends = child.type === "paragraph" ? (child.children ?? []) : [];
  if (!ends.some(isEndTag)) return [child];
  const pieces: Piece[] = [];
  let words: Tree[] = [];
  const flush = () => {
    if (words.length > 0) pieces.push({ ...child, children: words });
    words = [];
  };
  for (const part of ends) {
    if (isEndTag(part)) {
      flush();
      pieces.push(...piecesOfHtml(part, parse));
    } else words.push(part);
  }
  flush();
  return pieces;
}

const isEndTag = ({ type, value = "" }: Tree) => type === "html" && /^<\/(?:details|summary)\s*>$/i.test(value);

function piecesOfHtml(html: Tree, parse: Nesting["parse"]): Piece[] {
  const value = html.value ?? "";
  const pieces: Piece[] = [];
  let at = 0;
  const takeWords = (end: number) => {
    const words = value.slice(at, end);
    if (words.trim() !== "") pieces.push(...parse(words));
  };
  for (const match of value.matchAll(TAG)) {
    const [written, end, name, attributes = ""] = match;
    if (name === undefined) continue;
    takeWords(match.index);
    at = match.index + written.length;
    const tag = name.toLowerCase() === "details" ? "details" : "summary";
    pieces.push({ tag, isEnd: end === "/", attributes, written });
  }
  if (at === 0) return [html];
  takeWords(value.length);
  return pieces;
}
