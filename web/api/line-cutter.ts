/**
 * Cuts text that arrives in pieces into lines ended by LF, CRLF or CR, wherever the pieces were cut. A line is given
 * out as soon as its first end-of-line character is there.
 */
export class LineCutter {
  #open = "";
  #skipLineFeed = false;

  /** The lines that end in this piece of text. */
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
      // The CR of a CRLF that the cut has parted: the line is whole, only its LF is still to come.
      this.#skipLineFeed = end[0] === "\r" && start === text.length;
    }
    this.#open += text.slice(start);
    return lines;
  }

  /** What stood after the last end of line. */
  rest(): string {
    return this.#open;
  }
}
