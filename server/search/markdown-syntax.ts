import { inlineElements, markdownElements } from "#contract/text/html/elements.ts";

/**
 * A range of Markdown syntax, in UTF-16 units. `instead` is shown in its place; `inner` is the part of it that has words,
 * such as the address of a link.
 */
export type Syntax = { start: number; end: number; instead: string; inner: readonly [number, number] };

/** A fence of code with the rest of its line, also in quotes and lists. Bounded, so that a line takes linear time. */
const FENCE = /^[ \t>]{0,40}(?:(?:[-*+]|\d{1,9}[.)])[ \t]{1,20}){0,10}(`{3,}|~{3,})([^\n]*)$/gm;
// Lines are tested without the white space at their end.
const RULE = /^[ \t>]*([-=*_])(?:[ \t]*\1){2,}$/;
const TABLE_DIVIDER = /^[ \t>]*(?:\|[ \t]*)?:?-+:?(?:[ \t]*\|[ \t]*:?-+:?)*(?:[ \t]*\|)?$/;
const ROW = /^[ \t>]*\|.*\|$/;
/** A marker at the start of a line: of a quote, an item with its checkbox, a heading. */
const MARKER = /[ \t]*(?:>|[-*+](?=[ \t]|$)(?:[ \t]+\[[ xX]\](?=[ \t]|$))?|(#{1,6})(?=[ \t]|$))/y;
/** Numbers of items stay: the message shows them too. */
const NUMBER = /[ \t]*\d{1,9}[.)](?=[ \t])([ \t]+\[[ xX]\](?=[ \t]|$))?/y;
const HEADING_END = /[ \t]+#+[ \t\r]*$/;
const ESCAPE = /\\[!-/:-@[-`{-~]/y;
const FOOTNOTE = /\[\^[^\]\s]{1,40}\]:?/y;
const DESTINATION =
  /\]\([ \t]*(?:<[^<>]*>|(?:[^\s()]|\([^\s()]*\))*)(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*\)/y;
const REFERENCE = /\]\[[^[\]]*\]/y;
const AUTOLINK = /<(?:https?:|ftp:|mailto:)[^\s<>]+>/iy;
const COMMENT = /<!--.*?-->/y;
const TAG = /<\/?([a-z][a-z0-9]*)(?:\s[^<>]*)?\/?>/iy;
const ENTITY = /&(?:amp|lt|gt|quot|apos|nbsp|#39);/y;
const ENTITIES: Partial<Record<string, string>> = {
  ...{ "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"' },
  ...{ "&apos;": "'", "&#39;": "'", "&nbsp;": " " },
};
const WORD = /[\p{L}\p{N}]/u;

/**
 * Finds the Markdown and HTML syntax between two positions of a text: markers of blocks, emphasis, code, links, tables,
 * tags. In a question it finds code only, because the page renders nothing else there; in an answer that is HTML only tags
 * and character references. An approximation of CommonMark that reads line by line. Before `from` it only looks for
 * fences of code, in linear time; the rest takes time for the range alone, at most quadratic.
 */
export function markdownSyntax(text: string, { from, to, form }: SyntaxRange): Syntax[] {
  const scan = new InlineScan(form);
  if (form === "html") {
    scan.readLine(text.slice(from, to), from, { start: 0, isRow: false });
    return scan.found;
  }
  const isQuestion = form === "question";
  const lines = text.slice(from, to).split("\n");
  let fence = openFence(text.slice(0, from));
  let isTable = false;
  let at = from;
  for (const [index, line] of lines.entries()) {
    const isWhole = at === 0 || text[at - 1] === "\n";
    const after = isWhole ? fenceAfter(fence, line) : fence;
    const words = line.trimEnd();
    const isDivider = isWhole && !isQuestion && fence === "" && isTableDivider(line);
    isTable = isDivider || isTableDivider(lines[index + 1] ?? "") || (isTable && words !== "");
    if (after !== fence) {
      const marks = line.search(/[`~]{3}/);
      const info = line.slice(marks).search(/[^`~]/);
      scan.hide(at, at + line.length, " ", [at + (info < 0 ? line.length : marks + info), at + line.length]);
      scan.endBlock();
    } else if (isDivider || (isWhole && !isQuestion && fence === "" && RULE.test(words))) {
      scan.hide(at, at + line.length, " ");
      scan.endBlock();
    } else if (fence === "") {
      const start = isWhole && !isQuestion ? scan.readMarkers(line, at) : 0;
      scan.readLine(line, at, { start, isRow: isWhole && (isTable || ROW.test(words)) });
    }
    fence = after;
    at += line.length + 1;
  }
  return scan.found;
}

const isTableDivider = (line: string) => line.includes("|") && TABLE_DIVIDER.test(line.trimEnd());

/** Returns the marks of the fence that is open at the end of a text; empty if none is. */
function openFence(text: string): string {
  let open = "";
  for (const [, marks = "", info = ""] of text.matchAll(FENCE)) open = nextFence(open, marks, info);
  return open;
}

function fenceAfter(open: string, line: string): string {
  FENCE.lastIndex = 0;
  const [, marks = "", info = ""] = FENCE.exec(line) ?? [];
  return marks === "" ? open : nextFence(open, marks, info);
}

function nextFence(open: string, marks: string, info: string): string {
  if (open !== "") return marks.startsWith(open) && info.trim() === "" ? "" : open;
  // A line such as ```code``` is a code span.
  return marks.startsWith("`") && info.includes("`") ? "" : marks;
}

/** How the page renders a text. */
export type TextForm = "question" | "markdown" | "html";

type SyntaxRange = { from: number; to: number; form: TextForm };

type Opener = { start: number; length: number };

/** Collects the syntax within lines. Emphasis and links may span the lines of a paragraph. */
class InlineScan {
  readonly found: Syntax[] = [];
  #brackets: Opener[] = [];
  #runs = new Map<string, Opener[]>();
  readonly #form: TextForm;

  constructor(form: TextForm) {
    this.#form = form;
  }

  hide(start: number, end: number, instead = "", inner: readonly [number, number] = [start, end]): void {
    this.found.push({ start, end, instead, inner });
  }

  endBlock(): void {
    this.#brackets = [];
    this.#runs.clear();
  }

  /** Hides the markers of blocks. `at`: position of the line in the text. @returns the position at which the words of the line start */
  readMarkers(line: string, at: number): number {
    let start = 0;
    for (;;) {
      const marker = matchAt(MARKER, line, start);
      const number = marker ? null : matchAt(NUMBER, line, start);
      if (marker) this.hide(at + start, at + start + marker[0].length);
      else if (number?.[1]) this.hide(at + start + number[0].length - number[1].length, at + start + number[0].length);
      else if (!number) break;
      start += (marker ?? number)?.[0].length ?? 0;
      this.endBlock();
      if (!marker?.[1]) continue;
      const end = HEADING_END.exec(line.slice(start));
      if (end) this.hide(at + start + end.index, at + line.length);
      break;
    }
    if (line.trim() === "") this.endBlock();
    return start;
  }

  readLine(line: string, base: number, { start, isRow }: { start: number; isRow: boolean }): void {
    // Lengths of runs of backticks that have no end in this line.
    const unclosed = new Set<number>();
    for (let at = start; at < line.length; ) at = this.#readSign(line, at, { base, isRow, unclosed });
  }

  /** Reads the character at a position, and what belongs to it. @returns the position after it */
  #readSign(line: string, at: number, row: { base: number; isRow: boolean; unclosed: Set<number> }): number {
    const { base, isRow, unclosed } = row;
    const sign = line[at] ?? "";
    if (this.#form === "html") {
      if (sign === "<") return this.#readTag(line, at, base);
      return sign === "&" ? this.#readReference(line, at, base) : at + 1;
    }
    if (sign === "`") return this.#readCode(line, at, base, unclosed);
    if (this.#form === "question") return at + 1;
    if (sign === "\\" && matchAt(ESCAPE, line, at)) {
      this.hide(base + at, base + at + 1);
      return at + 2;
    }
    if (sign === "*" || sign === "_" || sign === "~") return this.#readRun(line, at, base);
    if (sign === "[" || (sign === "!" && line[at + 1] === "[")) return this.#openBracket(line, at, base);
    if (sign === "]") return this.#closeBracket(line, at, base);
    if (sign === "<") return this.#readTag(line, at, base);
    if (sign === "|" && isRow) this.hide(base + at, base + at + 1, " ");
    return sign === "&" ? this.#readReference(line, at, base) : at + 1;
  }

  #readReference(line: string, at: number, base: number): number {
    const entity = matchAt(ENTITY, line, at)?.[0] ?? "";
    if (entity !== "") this.hide(base + at, base + at + entity.length, ENTITIES[entity]);
    return at + (entity.length || 1);
  }

  #readCode(line: string, at: number, base: number, unclosed: Set<number>): number {
    const start = endOfRun(line, at);
    const length = start - at;
    if (unclosed.has(length)) return start;
    for (let from = line.indexOf("`", start); from !== -1; from = line.indexOf("`", from)) {
      const end = endOfRun(line, from);
      if (end - from === length) {
        this.hide(base + at, base + start);
        this.hide(base + from, base + end);
        return end;
      }
      from = end;
    }
    unclosed.add(length);
    return start;
  }

  /** Reads a run of `*`, `_` or `~`: it may close earlier runs, and what is left of it may be closed later. */
  #readRun(line: string, at: number, base: number): number {
    const mark = line[at] ?? "";
    const end = endOfRun(line, at);
    const [before, after] = [line[at - 1] ?? " ", line[end] ?? " "];
    const isInWord = mark === "_" && WORD.test(before) && WORD.test(after);
    if (isInWord || (mark === "~" && end - at !== 2)) return end;
    const openers = this.#runs.get(mark) ?? [];
    this.#runs.set(mark, openers);
    let start = base + at;
    if (before.trim() !== "") {
      for (let opener = openers.at(-1); opener && start < base + end; opener = openers.at(-1)) {
        const length = Math.min(opener.length, base + end - start);
        opener.length -= length;
        this.hide(opener.start + opener.length, opener.start + opener.length + length);
        this.hide(start, start + length);
        start += length;
        if (opener.length === 0) openers.pop();
      }
    }
    if (start < base + end && after.trim() !== "") openers.push({ start, length: base + end - start });
    return end;
  }

  #openBracket(line: string, at: number, base: number): number {
    const note = matchAt(FOOTNOTE, line, at)?.[0] ?? "";
    if (note !== "") {
      this.hide(base + at, base + at + note.length);
      return at + note.length;
    }
    const length = line[at] === "!" ? 2 : 1;
    this.#brackets.push({ start: base + at, length });
    return at + length;
  }

  #closeBracket(line: string, at: number, base: number): number {
    const opener = this.#brackets.pop();
    const link = opener && (matchAt(DESTINATION, line, at) ?? matchAt(REFERENCE, line, at));
    if (!link) return at + 1;
    const end = at + link[0].length;
    this.hide(opener.start, opener.start + opener.length);
    this.hide(base + at, base + end, "", [base + at + 2, base + end - 1]);
    return end;
  }

  #readTag(line: string, at: number, base: number): number {
    const link = matchAt(AUTOLINK, line, at)?.[0] ?? "";
    if (link !== "") {
      this.hide(base + at, base + at + 1);
      this.hide(base + at + link.length - 1, base + at + link.length);
      return at + link.length;
    }
    const tag = matchAt(TAG, line, at);
    const name = tag?.[1]?.toLowerCase() ?? "";
    const isInline = inlineElements.has(name) && name !== "br" && name !== "img";
    // Other names in angle brackets are text, such as a type of a programming language.
    const length = markdownElements.has(name) ? (tag?.[0].length ?? 0) : matchAt(COMMENT, line, at)?.[0].length;
    if (!length) return at + 1;
    this.hide(base + at, base + at + length, isInline ? "" : " ");
    return at + length;
  }
}

/** Matches a sticky expression at a position. */
function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Returns the end of the run of one character that starts at a position. */
function endOfRun(line: string, at: number): number {
  let end = at + 1;
  while (line[end] === line[at]) end++;
  return end;
}
