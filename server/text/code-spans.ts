import { lineAt } from "#contract/text/reasoning/code-scanner.ts";

/** The beginning of a line that ends a paragraph, and with it each code span. */
const BLOCK = /^[\s>]*(?:$|[-*+]\s|\d{1,9}[.)]\s|#{1,6}\s|\||(?:[-=*_][ \t]*){3,}$|`{3,}[^`]*$|~{3})/;
/** The beginning of a line that may yet become that of a block. */
const UNDECIDED = /^[\s>]*(?:[-*+=_#`~ \t]*|\d{1,9}[.)]?)$|^[\s>]*(?:`{3}|~{3})/;
const RUN = /`+/g;

type Runs = { positions: number[]; next: number };

/** Finds the ends of code spans in a growing text for ascending start positions. Reads each part of the text once. */
export class CodeSpans {
  readonly #runs = new Map<number, Runs>();
  #runsTo = 0;
  /** Beginning of the next line that begins a block; none before `#linesTo` otherwise. */
  #block = -1;
  #linesTo = 0;

  /**
   * Returns the end of the code span that `length` backticks before `from` began.
   * @returns "none" without an end in the paragraph, "pending" if it may still arrive
   */
  endOf(text: string, from: number, length: number, isEnded: boolean): number | "none" | "pending" {
    const block = this.#blockAfter(text, from, isEnded);
    this.#runsTo = Math.max(this.#runsTo, from);
    for (;;) {
      const at = this.#nextRun(from, length);
      if (at !== undefined) return at < block ? at + length : "none";
      if (this.#runsTo >= Math.min(block, text.length)) break;
      if (!this.#readRun(text, isEnded)) break;
    }
    return isEnded || this.#runsTo >= block ? "none" : "pending";
  }

  #nextRun(from: number, length: number): number | undefined {
    const runs = this.#runs.get(length);
    while (runs && (runs.positions[runs.next] ?? from) < from) runs.next += 1;
    return runs?.positions[runs.next];
  }

  /** @returns false if the next run may still grow */
  #readRun(text: string, isEnded: boolean): boolean {
    RUN.lastIndex = this.#runsTo;
    const run = RUN.exec(text);
    const end = run ? run.index + run[0].length : text.length;
    if (run && end === text.length && !isEnded) {
      this.#runsTo = run.index;
      return false;
    }
    if (run) {
      const runs = this.#runs.get(run[0].length) ?? { positions: [], next: 0 };
      runs.positions.push(run.index);
      this.#runs.set(run[0].length, runs);
    }
    this.#runsTo = end;
    return true;
  }

  /** Returns the beginning of the next line after `from` that begins a block; Infinity if it is not known yet. */
  #blockAfter(text: string, from: number, isEnded: boolean): number {
    if (this.#block > from) return this.#block;
    this.#linesTo = Math.max(this.#linesTo, from);
    for (;;) {
      const end = text.indexOf("\n", this.#linesTo);
      if (end === -1) {
        this.#linesTo = text.length;
        return Number.POSITIVE_INFINITY;
      }
      const { line, isComplete } = lineAt(text, end + 1, isEnded);
      // Its line feed is read again with the rest of the line.
      this.#linesTo = end;
      if (!isComplete && UNDECIDED.test(line)) return Number.POSITIVE_INFINITY;
      this.#linesTo = end + 1;
      if (BLOCK.test(line)) {
        this.#block = end + 1;
        return this.#block;
      }
    }
  }
}
