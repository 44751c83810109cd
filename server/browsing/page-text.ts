/** What is read of a node of the DOM. */
export type PageNode = {
  nodeType: number;
  localName?: string | null;
  data?: string;
  firstChild: PageNode | null;
  nextSibling: PageNode | null;
  parentNode: PageNode | null;
};

/** Node type of elements. */
export const ELEMENT = 1;
const TEXT = 3;

const names = (words: string) => new Set(words.split(" "));
const SKIPPED = names(
  "script style noscript template iframe object embed svg math head select button canvas video audio",
);
const BLOCKS = names(
  "address article aside blockquote body dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 " +
    "h5 h6 header hr li main nav ol p pre section summary table tbody tfoot thead tr ul",
);
const CELLS = names("td th");
const HEADING = /^h([1-6])$/;

/**
 * Collects the text below a node as Markdown of headings, items and rows, without a recursion that deep nesting could
 * exhaust.
 * @param max UTF-16 units, after which the rest is not read
 */
export function textBelow(root: PageNode, max: number): string {
  const lines = new LineWriter();
  let preformatted = 0;
  for (let node: PageNode | null = root; node !== null && lines.length <= max; ) {
    const name = node.nodeType === ELEMENT ? (node.localName ?? "").toLowerCase() : "";
    const isSkipped = SKIPPED.has(name);
    if (node.nodeType === TEXT) lines.write(node.data ?? "", preformatted > 0);
    else if (!isSkipped) open(lines, name);
    if (name === "pre" && node.firstChild) preformatted++;
    if (node.firstChild && !isSkipped) {
      node = node.firstChild;
      continue;
    }
    while (node !== null && node !== root && node.nextSibling === null) {
      node = node.parentNode;
      if (node?.nodeType !== ELEMENT) continue;
      const closed: string = (node.localName ?? "").toLowerCase();
      if (closed === "pre") preformatted--;
      if (BLOCKS.has(closed)) lines.endLine();
    }
    node = node === root ? null : (node?.nextSibling ?? null);
  }
  return lines.toString();
}

function open(lines: LineWriter, name: string): void {
  if (name === "br") lines.breakLine();
  else if (CELLS.has(name)) lines.separate();
  else if (BLOCKS.has(name)) lines.endLine();
  const level = HEADING.exec(name)?.[1];
  if (level !== undefined) lines.begin(`${"#".repeat(Number(level))} `);
  else if (name === "li") lines.begin("- ");
}

/** Joins pieces of text to lines, with white space collapsed as a browser does. */
class LineWriter {
  readonly #lines: string[] = [];
  #line = "";
  /** Mark of the line, written with its first word. */
  #mark = "";
  length = 0;

  write(text: string, isPreformatted: boolean): void {
    if (isPreformatted) {
      for (const [at, line] of text.split("\n").entries()) {
        if (at > 0) this.breakLine();
        this.#add(line);
      }
      return;
    }
    const isSeparated = this.#line === "" || /\s$/.test(this.#line);
    this.#add(text.replace(/\s+/g, " ").replace(isSeparated ? /^ / : /^$/, ""));
  }

  /** Sets the mark of the line that begins. */
  begin(mark: string): void {
    this.#mark = mark;
  }

  /** Separates a cell from the one before it. */
  separate(): void {
    if (this.#line.trim() === "") return;
    this.#line = this.#line.trimEnd();
    this.#add(" | ");
  }

  /** Ends the line, and the paragraph if there is one. */
  endLine(): void {
    if (this.#line.trim() !== "") this.breakLine();
  }

  breakLine(): void {
    this.#lines.push(this.#line.trimEnd());
    this.#line = "";
    this.length++;
  }

  #add(text: string): void {
    if (text === "") return;
    const piece = this.#line === "" && text.trim() !== "" ? this.#mark + text : text;
    if (text.trim() !== "") this.#mark = "";
    this.#line += piece;
    this.length += piece.length;
  }

  toString(): string {
    return [...this.#lines, this.#line]
      .filter((line, at, lines) => line !== "" || lines[at - 1] !== "")
      .join("\n")
      .trim();
  }
}
