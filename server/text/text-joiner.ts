import { wellFormed } from "#contract/text/well-formed.ts";

const HIGH_SURROGATE_AT_END = /[\uD800-\uDBFF]$/;

/** Makes pieces of one text well-formed. An unpaired high surrogate at the end of a piece waits for the next one. */
export class TextJoiner {
  #waiting = "";

  /** Returns the text that is complete with this piece. */
  push(piece: string): string {
    let text = this.#waiting + piece;
    this.#waiting = HIGH_SURROGATE_AT_END.exec(text)?.[0] ?? "";
    if (this.#waiting) text = text.slice(0, -1);
    // Checked first: nearly every piece is well-formed, and the conversion would copy it.
    return text.includes("\0") || !text.isWellFormed() ? wellFormed(text) : text;
  }

  /** Ends the text. @returns U+FFFD for a waiting high surrogate */
  end(): string {
    const rest = this.#waiting ? "\uFFFD" : "";
    this.#waiting = "";
    return rest;
  }

  /** Drops a waiting high surrogate. */
  drop(): void {
    this.#waiting = "";
  }
}
