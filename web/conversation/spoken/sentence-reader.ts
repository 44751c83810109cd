import { CodeLines, type Line } from "./code-lines.ts";

/** Beyond this many characters words are read out although no sentence has ended. */
const LONGEST = 600;
const TABLE_ROW = /^\s*\|.*\|\s*$/;
const TABLE_RULE = /^[\s|:-]+$/;
/** A line, or its beginning, that can be told only once all of it is there: perhaps a row, a fence, the mark of an item. */
const UNDECIDED = /^(?:[\s>]|[-*+](?=\s)|\d{1,9}[.)](?=\s))*(?:[|`~]|[-*+]?$|\d+[.)]?$)/;
const NUMBER_OF_ITEM = /^[\s>]*\d{1,9}[.)]/;
/** Links and elements are read as a whole. */
const WHOLES = /!?\[[^[\]]*\]\([^()]*\)|<\/?[a-z][^<>]*>/gi;
/** The beginning of one at the end of what is there. */
const BEGUN = /(?:!?\[[^[\]]*(?:\](?:\([^()]*)?)?|<(?:\/?[a-z][^<>]*|\/?))$/i;
const BLOCK_MARKS = /^(?:[\s>]|#{1,6}\s|[-*+]\s(?:\[[ x]\]\s)?)*/i;

/** How what is not read word by word is called. `code`: `language` may be empty. */
export type SpokenNames = { code: (language: string) => string; image: (name: string) => string };

/**
 * Reads a reply in Markdown as it grows, as it would be read out: whole sentences, without marks; of code only that
 * there is some; of tables their rows. However the text comes, the sentences are the same. Each character is looked at a
 * bounded number of times.
 */
export class SentenceReader {
  readonly #language: string;
  /** Made when words are there: it takes a while, and sending a message is to be seen at once. */
  #segmenter: Intl.Segmenter | undefined;
  readonly #names: SpokenNames;
  readonly #lines = new CodeLines();
  readonly #from: number;
  #at = 0;
  /** What the line is that is being read; null until that can be told. */
  #line: Line | null = null;
  #isLineStart = true;

  /** @param from characters of the text that need not be read any more */
  constructor(language: string, names: SpokenNames, from = 0) {
    this.#language = language;
    this.#names = names;
    this.#from = from;
  }

  /** @param text all of the reply so far @param isWhole nothing comes any more @returns what can be read out by now */
  take(text: string, isWhole: boolean): string[] {
    if (this.#at < this.#from) this.#pass(text.slice(0, this.#from));
    const read: string[] = [];
    while (this.#at < text.length) {
      const lineEnd = text.indexOf("\n", this.#at);
      const isLine = lineEnd !== -1 || isWhole;
      const rest = text.slice(this.#at, lineEnd === -1 ? undefined : lineEnd);
      if (!this.#line && !isLine && this.#isUndecided(rest)) break;
      this.#line ??= this.#lines.read(rest);
      const unit = this.#isLineStart ? this.#unitOf(this.#line) : null;
      const length = unit ? rest.length : this.#sentenceOf(rest, isLine);
      if (length === 0 && !isLine) break;
      read.push(...(unit ?? [this.#withoutMarks(rest.slice(0, length))]));
      this.#at += length;
      this.#isLineStart = isLine && length === rest.length;
      if (this.#isLineStart) this.#nextLine();
    }
    return read.filter((words) => /[\p{L}\p{N}]/u.test(words));
  }

  #nextLine(): void {
    this.#line = null;
    this.#at += 1;
  }

  /** Goes over what is not to be read: it may have begun code, or a line that is told only by all of it. */
  #pass(before: string): void {
    const lines = before.split("\n");
    const last = lines.pop() ?? "";
    for (const line of lines) this.#lines.read(line);
    this.#at = before.length;
    if (last === "") return;
    if (this.#isUndecided(last)) this.#at -= last.length;
    else {
      this.#line = this.#lines.read(last);
      this.#isLineStart = false;
    }
  }

  #isUndecided(line: string): boolean {
    return this.#lines.isCode || UNDECIDED.test(line);
  }

  /** What is read of a line that is no sentences; null where it is some. */
  #unitOf(line: Line): string[] | null {
    if (line.kind === "code") return [];
    if (line.kind === "fence") return [this.#names.code(line.language)];
    if (!TABLE_ROW.test(line.inside)) return null;
    if (TABLE_RULE.test(line.inside)) return [];
    const cells = line.inside.trim().slice(1, -1).split("|");
    return [cells.map((cell) => this.#withoutMarks(cell)).join(", ")];
  }

  /** The length of the first sentence in what is there of a line, 0 where it has not ended. */
  #sentenceOf(line: string, isLine: boolean): number {
    const isLong = line.length > LONGEST;
    const near = isLong ? line.slice(0, LONGEST + 1) : line;
    const isWhole = isLine && !isLong;
    const masked = this.#masked(near, isWhole);
    this.#segmenter ??= new Intl.Segmenter(this.#language, { granularity: "sentence" });
    for (const { index } of this.#segmenter.segment(masked)) {
      // Whether a sentence ended is told by the first letter behind it.
      if (index > 0 && (isWhole || /\p{L}/u.test(masked.slice(index)))) return index;
    }
    if (!isLong) return isLine ? line.length : 0;
    const space = near.lastIndexOf(" ");
    return space > 0 ? space + 1 : LONGEST;
  }

  /** As long as it was, without ends of sentences where none end. */
  #masked(line: string, isWhole: boolean): string {
    const masked = line.replaceAll(WHOLES, ({ length }) => "X".repeat(length));
    const decided = isWhole ? masked : masked.replace(BEGUN, ({ length }) => "(".repeat(length));
    return this.#isLineStart ? decided.replace(NUMBER_OF_ITEM, ({ length }) => "x".repeat(length)) : decided;
  }

  #withoutMarks(words: string): string {
    return (this.#isLineStart ? words.replace(BLOCK_MARKS, "") : words)
      .replace(/!\[([^\]]*)\]\([^)]*\)/g, (_, name: string) => this.#names.image(name))
      .replace(/\[([^\]]+)\]\([^)]*\)/g, "$1")
      .replace(/<\/?[a-z][^>]*>/gi, "")
      .replace(/(\*\*|__|~~|`+)/g, "")
      .replace(/(?<![\p{L}\p{N}])[*_](?=\S)|(?<=\S)[*_](?![\p{L}\p{N}])/gu, "")
      .trim();
  }
}
