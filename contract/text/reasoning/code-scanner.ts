/** Length of the beginning of a line that decides whether it is a fence, in UTF-16 units. */
const LINE_MAX = 200;
const FENCE = /^[\s>]*(?:[-*+]|\d{1,9}[.)])?\s*(`{3,}|~{3,})(.*)$/s;
const CLOSING = /^[\s>]*(`{3,}|~{3,})\s*$/;

/**
 * Returns the beginning of a line of a growing text. `isComplete`: what follows does not change how the line begins.
 * @param isEnded whether nothing follows the text
 */
export function lineAt(text: string, from: number, isEnded: boolean): { line: string; isComplete: boolean } {
  const head = text.slice(from, from + LINE_MAX);
  const end = head.indexOf("\n");
  if (end !== -1) return { line: head.slice(0, end), isComplete: true };
  return { line: head, isComplete: isEnded || head.length === LINE_MAX };
}

/** Returns the characters with which a line opens a fence; empty if it opens none. */
export function openingFence(line: string): string {
  const [, opening = "", info = ""] = FENCE.exec(line) ?? [];
  // Backticks in the same line make inline code of it.
  return opening.startsWith("`") && info.includes("`") ? "" : opening;
}

/** Whether a line closes the fence that `fence` opened. */
export const closesFence = (line: string, fence: string): boolean => (CLOSING.exec(line)?.[1] ?? "").startsWith(fence);

/**
 * Decides whether the end of a streamed Markdown text is in code, by the text so far: in a fence, or after an opening
 * backtick of the same line. Inline code of several lines is not recognised, so that a single backtick has no effect
 * beyond its line.
 */
export class CodeScanner {
  /** Beginning of the current line. */
  #line = "";
  /** Characters with which the open fence began; empty outside of fences. */
  #fence = "";
  /** Number of backticks that opened inline code in this line; 0 outside. */
  #inline = 0;
  /** Number of backticks at the end of the text. */
  #run = 0;

  push(text: string): void {
    let from = 0;
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", from)) {
      this.#grow(text.slice(from, at));
      this.#endLine();
      from = at + 1;
    }
    this.#grow(text.slice(from));
  }

  /** Whether a word that follows now is in code. */
  get isInCode(): boolean {
    this.#endRun();
    return this.#fence !== "" || this.#inline > 0;
  }

  /** Whether the current line has white space only. */
  get isLineStart(): boolean {
    return this.#line.trim() === "";
  }

  #grow(text: string): void {
    if (this.#line.length < LINE_MAX) this.#line += text.slice(0, LINE_MAX - this.#line.length);
    for (let from = 0; from < text.length; ) {
      if (text[from] === "`") {
        this.#run += 1;
        from += 1;
        continue;
      }
      this.#endRun();
      const next = text.indexOf("`", from);
      from = next === -1 ? text.length : next;
    }
  }

  #endRun(): void {
    if (this.#run === 0) return;
    if (this.#inline === 0) this.#inline = this.#run;
    else if (this.#inline === this.#run) this.#inline = 0;
    this.#run = 0;
  }

  #endLine(): void {
    if (this.#fence === "") this.#fence = openingFence(this.#line);
    else if (closesFence(this.#line, this.#fence)) this.#fence = "";
    this.#line = "";
    this.#inline = 0;
    this.#run = 0;
  }
}
