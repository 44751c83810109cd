import { MAX_TEXT_CHARS } from "./document-text.ts";

/** Lines of a document, as a parser finds them. A parser ends when it is full. */
export class TextBuilder {
  #text = "";
  #lastChar = "\n";
  /** Blank that precedes the next text, unless it begins with white space. */
  #separation = "";

  /** Whether the limit is exceeded, so that parsing can end. */
  get isFull(): boolean {
    return this.#text.length > MAX_TEXT_CHARS;
  }

  /** The text as it was added. */
  get raw(): string {
    return this.#text;
  }

  get isEmpty(): boolean {
    return this.#text === "";
  }

  add(text: string): void {
    if (text === "") return;
    this.#text += /^\s/.test(text) ? text : this.#separation + text;
    this.#separation = "";
    // The last character of the whole text would flatten V8's rope of pieces each time, in quadratic time.
    this.#lastChar = text.charAt(text.length - 1);
  }

  /** Ends the current line, unless it is empty. */
  endLine(): void {
    if (this.#lastChar !== "\n") this.add("\n");
  }

  /** Separates the next text from the one before by a blank (" " or a tab), unless there is white space already. */
  separate(blank: string): void {
    if (!/\s/.test(this.#lastChar)) this.#separation = blank;
  }

  /** Returns the text without white space at the ends of lines and around it, and without two empty lines in a row. */
  toString(): string {
    return this.#text
      .split("\n")
      .map((line) => line.trimEnd())
      .filter((line, at, lines) => line !== "" || lines[at - 1] !== "")
      .join("\n")
      .trim();
  }
}
