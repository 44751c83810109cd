import { CITATION_MARK } from "#contract/conversation/citations/citation-mark.ts";
import { LONGEST_FORMULA } from "#contract/text/formula-limits.ts";
import { closesFence, lineAt, openingFence } from "#contract/text/reasoning/code-scanner.ts";
import { SINGLE_DOLLARS, singleFormula } from "#contract/text/single-dollars.ts";
import { CodeSpans } from "./code-spans.ts";
import { GrowingSearch } from "./growing-search.ts";

/** A mark of citations in a text: `[1]`, `[1, 2]`. `at`: its end in UTF-16 units. */
export type CitationMark = { at: number; mark: string };

/** A line feed, an opener of code or of a formula, an escape, or a mark. Group 1: the beginning of a mark at the end. */
const TOKEN = new RegExp(`\\n|\`+|\\$+|\\\\[\\s\\S]?|${CITATION_MARK.source}|(\\[[\\d,\\s]{0,60}$)`, "g");
const SINGLE = new RegExp(SINGLE_DOLLARS, "y");
const ENVIRONMENT = /\\begin\{((?:align|gather|equation|alignat)\*?)\}/y;
/** Longer than the beginning of an environment, in UTF-16 units. */
const ENVIRONMENT_MAX = 20;
/** The beginning of a line that may yet become a fence. */
const UNDECIDED_FENCE = /^[\s>]*(?:[-*+]|\d{1,9}[.)]?)?\s*(?:`{0,2}$|~{0,2}$|`{3}|~{3})/;
const QUOTED = /^\s*>/;
/** What follows the label of a link's definition in its line. */
const DEFINITION = /^:[ \t]*(?:<[^<>]*>|\S+)(?:[ \t]+["'(].*)?[ \t]*$/;
/** Most characters before an opener that are looked at for the beginning of its line. */
const INDENT_MAX = 200;

/** An end of a token's content; `none`: it opens nothing; `pending`: what has not arrived yet decides. */
type End = number | "none" | "pending";

/**
 * Finds the marks of citations in the prose of a growing Markdown text: not in code, formulas and escapes, and not those
 * of links and their definitions. Linear: each part of the text is read once, however often `scan` is called.
 */
export class MarkScanner {
  readonly #search = new GrowingSearch();
  readonly #spans = new CodeSpans();
  #text = "";
  #isEnded = false;
  /** Everything before is scanned. */
  #at = 0;
  /** Beginning of the last line that was found to begin no code. */
  #line = -1;
  /** Characters with which the open fence began; empty outside of fences. */
  #fence = "";
  /** Whether the open fence is in a quote, which ends it. */
  #isQuoted = false;

  /**
   * Yields the marks since the last call. A mark waits while what follows may make it a link or a part of code.
   * @param text begins with the text of the last call
   * @param isEnded whether nothing follows the text
   */
  *scan(text: string, { isEnded = false } = {}): Generator<CitationMark> {
    this.#search.extend(text);
    this.#text = text;
    this.#isEnded = isEnded;
    while (this.#at < text.length) {
      const line = this.#readLine();
      if (line === "pending") return;
      if (line === "code") continue;
      TOKEN.lastIndex = this.#at;
      const found = TOKEN.exec(text);
      this.#at = found?.index ?? text.length;
      if (!found) return;
      const [token, cutMark] = found;
      const start = this.#at + token.length;
      if (start === text.length && !isEnded && token !== "\n") return;
      const end = cutMark === undefined ? this.#endOf(token, start) : this.#at + 1;
      if (end === "pending") return;
      this.#at = end === "none" ? start : end;
      if (end === "none" && token.startsWith("[")) yield { at: start, mark: token };
    }
  }

  /** Passes over the line that begins at the position, if it is code. */
  #readLine(): "prose" | "code" | "pending" {
    const [text, at] = [this.#text, this.#at];
    if (this.#line === at || (at > 0 && text[at - 1] !== "\n")) return "prose";
    const { line, isComplete } = lineAt(text, at, this.#isEnded);
    if (this.#isQuoted && isComplete && !QUOTED.test(line)) this.#fence = "";
    const opening = this.#fence === "" ? openingFence(line) : "";
    if (this.#fence === "" && (isComplete ? opening === "" : !UNDECIDED_FENCE.test(line))) {
      this.#line = at;
      return "prose";
    }
    const end = this.#search.next("\n", at);
    if (end === Number.POSITIVE_INFINITY && !this.#isEnded) return "pending";
    this.#at = Math.min(end + 1, text.length);
    if (opening !== "") this.#isQuoted = QUOTED.test(line);
    this.#fence = opening !== "" ? opening : closesFence(line, this.#fence) ? "" : this.#fence;
    return "code";
  }

  /** Returns the end of what a token opens, and of a mark that is part of a link. */
  #endOf(token: string, start: number): End {
    switch (token.charAt(0)) {
      case "`":
        return this.#spans.endOf(this.#text, start, token.length, this.#isEnded);
      case "$":
        return token === "$" ? this.#endOfSingle(start) : this.#endOfDollars(token, start);
      case "\\":
        return this.#endOfEscape(token.charAt(1), start);
      case "[":
        return this.#endOfLink(start);
      default:
        return "none";
    }
  }

  #endOfLink(start: number): End {
    const next = this.#text[start];
    if (next === "(") return start;
    if (next !== ":" || !this.#isIndent(this.#at)) return "none";
    const { line, isComplete } = lineAt(this.#text, start, this.#isEnded);
    if (!isComplete) return "pending";
    return DEFINITION.test(line) ? start : "none";
  }

  #endOfEscape(escaped: string, start: number): End {
    if (escaped === "b" && this.#isIndent(this.#at)) return this.#endOfEnvironment();
    if (escaped === "[" || escaped === "(") return this.#endOfBrackets(escaped, "\\", start);
    const next = this.#text.charAt(start);
    if (escaped !== "\\" || (next !== "[" && next !== "(")) return "none";
    // In JSON, the backslashes of formulas are doubled.
    return this.#endOfBrackets(next, "\\\\", start + 1);
  }

  #endOfBrackets(bracket: "[" | "(", backslashes: string, start: number): End {
    const close = backslashes + (bracket === "[" ? "]" : ")");
    const end = this.#search.next(close, start);
    if (bracket === "(" && this.#search.next("\n", start) < end) return "none";
    return this.#formulaEnd(start, end, close.length);
  }

  #endOfSingle(start: number): End {
    const text = this.#text;
    const [before, after] = [text[this.#at - 1] ?? "", text[start] ?? ""];
    if (/\w/.test(before) || after.trim() === "" || (before === "/" && /\d/.test(after))) return "none";
    const close = this.#search.next("$", start);
    if (this.#search.next("\n", start) < close) return "none";
    const end = this.#formulaEnd(start, close, 1);
    if (typeof end !== "number") return end;
    if (end === text.length && !this.#isEnded) return "pending";
    SINGLE.lastIndex = start;
    const words = SINGLE.exec(text)?.[1];
    return words !== undefined && singleFormula(words) !== null ? start + words.length + 1 : "none";
  }

  #endOfDollars(token: string, start: number): End {
    const end = this.#search.next(token, start);
    if (token === "$$" && this.#isIndent(this.#at)) {
      if (end !== Number.POSITIVE_INFINITY) return end + token.length;
      if (!this.#isEnded) return "pending";
      return lineAt(this.#text, start, true).line.trim() === "" ? this.#text.length : "none";
    }
    const paragraphEnd = this.#search.next("\n\n", start);
    if (end < paragraphEnd) return end + token.length;
    return this.#isEnded || paragraphEnd !== Number.POSITIVE_INFINITY ? "none" : "pending";
  }

  #endOfEnvironment(): End {
    const [text, start] = [this.#text, this.#at];
    ENVIRONMENT.lastIndex = start;
    const name = ENVIRONMENT.exec(text)?.[1];
    if (name === undefined) return this.#isEnded || text.length - start > ENVIRONMENT_MAX ? "none" : "pending";
    const close = `\\end{${name}}`;
    const found = this.#search.next(close, start);
    if (this.#search.next("\n\n", start) < found) return "none";
    const end = this.#formulaEnd(start, found, close.length);
    if (typeof end !== "number") return end;
    const { line, isComplete } = lineAt(text, end, this.#isEnded);
    if (line.trim() !== "") return "none";
    return isComplete ? end : "pending";
  }

  /** @param close position of the closing characters; Infinity if they have not arrived */
  #formulaEnd(start: number, close: number, length: number): End {
    if (close - start <= LONGEST_FORMULA) return close + length;
    return this.#isEnded || this.#text.length - start > LONGEST_FORMULA + length ? "none" : "pending";
  }

  /** Whether only white space and marks of quotes precede a position in its line. */
  #isIndent(at: number): boolean {
    const before = this.#text.slice(Math.max(0, at - INDENT_MAX), at);
    return /(?:^|\n)[ \t>]*$/.test(before) && (before.length < INDENT_MAX || before.includes("\n"));
  }
}
