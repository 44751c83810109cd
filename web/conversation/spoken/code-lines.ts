const QUOTE_MARK = /^ {0,3}> ?/;
const ITEM_MARK = /^( {0,3}(?:[-*+]|\d{1,9}[.)]))( +(?=\S)| *$)/;
const FENCE = /^ {0,3}(?:(`{3,})[ \t]*([^`\s]*)[^`]*|(~{3,})[ \t]*(\S*).*)$/;
/** Behind the mark of an item, more spaces than these begin code that is indented. */
const MOST_SPACES = 4;

/** Nobody nests deeper; each line is held against all that it stands in. */
const MOST_CONTAINERS = 20;

/** What a line stands in: a quote, or an item of a list, whose lines are indented by so many spaces. */
type Container = "quote" | number;

/** `inside`: without the marks of quotes and items that it stands in. */
export type Line = { kind: "words"; inside: string } | { kind: "code" } | { kind: "fence"; language: string };

/** Tells fenced code from words, line by line, also in lists and quotes. */
export class CodeLines {
  #containers: Container[] = [];
  /** Of code that has not ended. */
  #marks = "";
  #isParagraph = false;

  get isCode(): boolean {
    return this.#marks !== "";
  }

  /** The next line of the text, without its end. */
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

  /** How many of the containers the line goes on with. */
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

/** The containers that a line begins. */
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

/** A tab reaches to the next column that four divides. */
function withoutTabs(line: string): string {
  if (!line.includes("\t")) return line;
  let spaced = "";
  for (const part of line.split(/(\t)/)) spaced += part === "\t" ? " ".repeat(4 - (spaced.length % 4)) : part;
  return spaced;
}
