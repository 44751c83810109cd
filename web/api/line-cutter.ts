/**
 * Splits chunks of text into lines ended by LF, CRLF or CR, wherever the chunks were cut. Returns a line as soon as its
 * first end-of-line character arrives.
 */
export class LineCutter {
  #open = "";
  #skipLineFeed = false;

  /** Returns the lines that end in this chunk. */
  push(text: string): string[] {
    const lines: string[] = [];
    let start = 0;
    if (this.#skipLineFeed && text !== "") {
      if (text.startsWith("\n")) start = 1;
      this.#skipLineFeed = false;
    }
    const ends = /\r\n|\r|\n/g;
    ends.lastIndex = start;
    for (let end = ends.exec(text); end !== null; end = ends.exec(text)) {
      lines.push(this.#open + text.slice(start, end.index));
      this.#open = "";
      start = ends.lastIndex;
      // The chunk may end inside a CRLF: the line is complete, only its LF is missing.
      this.#skipLineFeed = end[0] === "\r" && start === text.length;
    }
    this.#open += text.slice(start);
    return lines;
  }

  /** Returns the text after the last end of line. */
  rest(): string {
    return this.#open;
  }
}
