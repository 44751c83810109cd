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

/** Whether an element of HTML, by its name in lower case, has no text for readers. */
export const isWithoutText = (name: string): boolean => SKIPPED.has(name);

/**
 * Text of HTML elements as Markdown of headings, items and rows, with white space collapsed as a browser does. Receives
 * the elements that have text in their order, with their names in lower case.
 */
export class MarkupText {
  readonly #lines: string[] = [];
  /** Pieces of the line: a test of the whole would flatten V8's rope of them each time, in quadratic time. */
  #line: string[] = [];
  #isBlank = true;
  /** Mark of the line, written with its first word. */
  #mark = "";
  #preformatted = 0;
  /** Number of the next item of each open list; undefined for one without numbers. */
  readonly #lists: (number | undefined)[] = [];
  #length = 0;

  /** Length of the text so far, in UTF-16 units. */
  get length(): number {
    return this.#length;
  }

  /** @param attributes of which lists have their numbers; without them none is read */
  open(name: string, attributes: Readonly<Record<string, string>> = {}): void {
    if (name === "ol") this.#lists.push(Number.parseInt(attributes.start ?? "1", 10) || 1);
    else if (name === "ul") this.#lists.push(undefined);
    if (name === "pre") this.#preformatted++;
    if (name === "br") this.#breakLine();
    else if (CELLS.has(name)) this.#separate();
    else if (BLOCKS.has(name)) this.#endLine();
    const level = HEADING.exec(name)?.[1];
    if (level !== undefined) this.#mark = `${"#".repeat(Number(level))} `;
    else if (name === "li") this.#mark = this.#itemMark(attributes.value);
  }

  #itemMark(value: string | undefined): string {
    const last = this.#lists.length - 1;
    const next = this.#lists[last];
    if (next === undefined) return "- ";
    const number = Number.parseInt(value ?? "", 10) || next;
    this.#lists[last] = number + 1;
    return `${number}. `;
  }

  close(name: string): void {
    if (name === "pre") this.#preformatted--;
    if (name === "ol" || name === "ul") this.#lists.pop();
    if (BLOCKS.has(name)) this.#endLine();
  }

  text(text: string): void {
    if (this.#preformatted > 0) {
      for (const [at, line] of text.split("\n").entries()) {
        if (at > 0) this.#breakLine();
        this.#add(line);
      }
      return;
    }
    const isSeparated = /^$|\s$/.test(this.#line.at(-1)?.slice(-1) ?? "");
    this.#add(text.replace(/\s+/g, " ").replace(isSeparated ? /^ / : /^$/, ""));
  }

  /** Separates a cell from the one before it. */
  #separate(): void {
    if (this.#isBlank) return;
    for (let last = this.#line.pop(); last !== undefined; last = this.#line.pop()) {
      const trimmed = last.trimEnd();
      if (trimmed === "") continue;
      this.#line.push(trimmed);
      break;
    }
    this.#add(" | ");
  }

  /** Ends the line, and the paragraph if there is one. */
  #endLine(): void {
    if (!this.#isBlank) this.#breakLine();
  }

  #breakLine(): void {
    this.#lines.push(this.#line.join("").trimEnd());
    this.#line = [];
    this.#isBlank = true;
    this.#length++;
  }

  #add(text: string): void {
    if (text === "") return;
    const hasWords = text.trim() !== "";
    const piece = this.#line.length === 0 && hasWords ? this.#mark + text : text;
    if (hasWords) this.#mark = "";
    this.#isBlank &&= !hasWords;
    this.#line.push(piece);
    this.#length += piece.length;
  }

  toString(): string {
    return [...this.#lines, this.#line.join("")]
      .filter((line, at, lines) => line !== "" || lines[at - 1] !== "")
      .join("\n")
      .trim();
  }
}
