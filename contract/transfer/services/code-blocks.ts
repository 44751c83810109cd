/** Code in the Markdown of answers. */

import { CodeScanner } from "../../text/reasoning/code-scanner.ts";

/** Returns a block of code whose fence is longer than any in it. */
export function codeBlock(language: string, code: string): string {
  const longest = (code.match(/`{3,}/g) ?? []).reduce((length, fence) => Math.max(length, fence.length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}

/**
 * Decides for ascending positions of a text whether they are in a fence or in inline code. Reads each character once.
 */
export class CodePositions {
  readonly #text: string;
  #scanner = new CodeScanner();
  #read = 0;

  constructor(text: string) {
    this.#text = text;
  }

  isCode(at: number): boolean {
    this.#scanner.push(this.#text.slice(this.#read, at));
    this.#read = at;
    return this.#scanner.isInCode;
  }

  /** Goes past a block of the text, whose fences are its own. The text behind it is not in code. */
  skipTo(end: number): void {
    this.#scanner = new CodeScanner();
    this.#read = end;
  }
}
