const QUOTE_MARK = /^ {0,3}> ?/;
const ITEM_MARK = /^( {0,3}(?:[-*+]|\d{1,9}[.)]))( +(?=\S)| *$)/;
const FENCE = /^ {0,3}(?:(`{3,})[ \t]*([^`\s]*)[^`]*|(~{3,})[ \t]*(\S*).*)$/;
/** After the marker of a list item, more spaces than these begin indented code. */
const MOST_SPACES = 4;

/** Limit of nesting: each line is compared with all its containers. */
const MOST_CONTAINERS = 20;

/** Container of a line: a quote, or a list item with the indentation of its lines in spaces. */
type Container = "quote" | number;

/** `inside`: the line without the markers of its containers. */
export type Line = { kind: "words"; inside: string } | { kind: "code" } | { kind: "fence"; language: string };

/** Distinguishes fenced code from text, line by line, also in lists and quotes. */
export class CodeLines {
  #containers: Container[] = [];
  /** Fence of the open code block. */
  #marks = "";
  #isParagraph = false;

  get isCode(): boolean {
    return this.#marks !== "";
  }

  /** Classifies the next line of the text, given without its end. */
  read(line: string): Line {
    const { depth, inside } = this.#enter(withoutTabs(line));
    const isWithin = depth === this.#containers.length;
    if (this.#marks !== "") {
      if (isWithin) return this.#readCode(inside);
      this.#marks = "";
    }
    const opened = opensIn(inside);
    const fence = FENCE.exec(opened.inside);
    const isLazy = this.#isParagraph && !isWithin && opened.containers.length === 0 && !fence;
    const isBlank = opened.inside.trim() === "";
    if (!isBlank && !isLazy)
      this.#containers = [...this.#containers.slice(0, depth), ...opened.containers].slice(0, MOST_CONTAINERS);
    this.#isParagraph = !isBlank && !fence;
    if (!fence) return { kind: "words", inside: opened.inside };
    this.#marks = fence[1] ?? fence[3] ?? "";
    return { kind: "fence", language: fence[2] ?? fence[4] ?? "" };
  }

  #readCode(inside: string): Line {
    const [, marks = ""] = /^ {0,3}(`+|~+)\s*$/.exec(inside) ?? [];
    if (marks.startsWith(this.#marks)) this.#marks = "";
    return { kind: "code" };
  }

  /** Returns how many of the containers the line continues. */
  #enter(line: string): { depth: number; inside: string } {
    let inside = line;
    for (const [depth, container] of this.#containers.entries()) {
      if (container === "quote") {
        const mark = QUOTE_MARK.exec(inside)?.[0];
        if (mark === undefined) return { depth, inside };
        inside = inside.slice(mark.length);
      } else {
        if (inside.slice(0, container).trim() !== "") return { depth, inside };
        inside = inside.slice(container);
      }
    }
    return { depth: this.#containers.length, inside };
  }
}

/** Returns the containers that a line opens. */
function opensIn(line: string): { containers: Container[]; inside: string } {
  const containers: Container[] = [];
  let inside = line;
  for (;;) {
    const quote = QUOTE_MARK.exec(inside)?.[0];
    const item = quote === undefined ? ITEM_MARK.exec(inside) : null;
    if (quote === undefined && !item) return { containers, inside };
    const [, mark = "", spaces = ""] = item ?? [];
    const width = mark.length + (spaces.length > MOST_SPACES || spaces === "" ? 1 : spaces.length);
    containers.push(quote === undefined ? width : "quote");
    inside = inside.slice(quote?.length ?? width);
  }
}

/** Expands tabs to the next column that is a multiple of four. */
function withoutTabs(line: string): string {
  if (!line.includes("\t")) return line;
  let spaced = "";
  for (const part of line.split(/(\t)/)) spaced += part === "\t" ? " ".repeat(4 - (spaced.length % 4)) : part;
  return spaced;
}
