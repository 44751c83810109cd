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
  #line = "";
  /** Mark of the line, written with its first word. */
  #mark = "";
  #preformatted = 0;
  #length = 0;

  /** Length of the text so far, in UTF-16 units. */
  get length(): number {
    return this.#length;
  }

  open(name: string): void {
    if (name === "pre") this.#preformatted++;
    if (name === "br") this.#breakLine();
    else if (CELLS.has(name)) this.#separate();
    else if (BLOCKS.has(name)) this.#endLine();
    const level = HEADING.exec(name)?.[1];
    if (level !== undefined) this.#mark = `${"#".repeat(Number(level))} `;
    else if (name === "li") this.#mark = "- ";
  }

  close(name: string): void {
    if (name === "pre") this.#preformatted--;
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
    const isSeparated = this.#line === "" || /\s$/.test(this.#line);
    this.#add(text.replace(/\s+/g, " ").replace(isSeparated ? /^ / : /^$/, ""));
  }

  /** Separates a cell from the one before it. */
  #separate(): void {
    if (this.#line.trim() === "") return;
    this.#line = this.#line.trimEnd();
    this.#add(" | ");
  }

  /** Ends the line, and the paragraph if there is one. */
  #endLine(): void {
    if (this.#line.trim() !== "") this.#breakLine();
  }

  #breakLine(): void {
    this.#lines.push(this.#line.trimEnd());
    this.#line = "";
    this.#length++;
  }

  #add(text: string): void {
    if (text === "") return;
    const piece = this.#line === "" && text.trim() !== "" ? this.#mark + text : text;
    if (text.trim() !== "") this.#mark = "";
    this.#line += piece;
    this.#length += piece.length;
  }

  toString(): string {
    return [...this.#lines, this.#line]
      .filter((line, at, lines) => line !== "" || lines[at - 1] !== "")
      .join("\n")
      .trim();
  }
}
