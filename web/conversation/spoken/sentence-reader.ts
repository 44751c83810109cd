import { type AlertKind, alertKinds } from "#contract/text/alerts.ts";
import { CodeLines, type Line } from "./code-lines.ts";

/** Characters after which text is read out although no sentence has ended. */
const LONGEST = 600;
const TABLE_ROW = /^\s*\|.*\|\s*$/;
const TABLE_RULE = /^[\s|:-]+$/;
/**
 * A line, or its beginning, whose kind is decided only by the whole line: perhaps a row, a fence, or the marker of an
 * item.
 */
const UNDECIDED = /^(?:[\s>]|[-*+](?=\s)|\d{1,9}[.)](?=\s))*(?:[|`~]|\[!|[-*+]?$|\d+[.)]?$)/;
const ALERT = new RegExp(String.raw`^\[!(${alertKinds.join("|")})\]\s*$`, "i");
const NUMBER_OF_ITEM = /^[\s>]*\d{1,9}[.)]/;
/** Links and elements are read as a whole. */
const WHOLES = /!?\[[^[\]]*\]\([^()]*\)|<\/?[a-z][^<>]*>/gi;
/** The beginning of a link or element at the end of the text. */
const BEGUN = /(?:!?\[[^[\]]*(?:\](?:\([^()]*)?)?|<(?:\/?[a-z][^<>]*|\/?))$/i;
const BLOCK_MARKS = /^(?:[\s>]|#{1,6}\s|[-*+]\s(?:\[[ x]\]\s)?)*/i;

/**
 * Characters after which a sentence may end: those of UAX 29, line separators, and the Greek question mark. Text without
 * any is one sentence, and needs no segmenter.
 */
const MAY_END = /[\p{Sentence_Terminal}.․﹒．;\u037e\r\u0085\u2028\u2029]/u;

/** Names of content that is not read word by word. `code`: `language` may be empty. */
export type SpokenNames = {
  code: (language: string) => string;
  image: (name: string) => string;
  alert: (kind: AlertKind) => string;
};

/**
 * Splits a growing Markdown reply into text to read aloud: whole sentences without markup; code is only announced;
 * tables are read by rows. The sentences do not depend on how the text was cut. Each character is read a bounded number
 * of times.
 */
export class SentenceReader {
  readonly #language: string;
  /** Created lazily: it takes a while, and a sent message must appear at once. */
  #segmenter: Intl.Segmenter | undefined;
  readonly #names: SpokenNames;
  readonly #lines = new CodeLines();
  readonly #from: number;
  #at = 0;
  /** The kind of the current line; null until it is decided. */
  #line: Line | null = null;
  #isLineStart = true;

  /** @param from number of characters that need not be read */
  constructor(language: string, names: SpokenNames, from = 0) {
    this.#language = language;
    this.#names = names;
    this.#from = from;
  }

  /**
   * @param text all of the reply so far
   * @param isWhole the reply has ended
   * @param most stops after this many UTF-16 units of sentences; those that follow are read by the next call
   * @returns the text to read out now
   */
  take(text: string, isWhole: boolean, most = Number.POSITIVE_INFINITY): string[] {
    if (this.#at < this.#from) this.#pass(text.slice(0, this.#from));
    const read: string[] = [];
    // Lines without words count too, as one unit: reading them takes time.
    for (let taken = 0; this.#at < text.length && taken < most; ) {
      const lineEnd = text.indexOf("\n", this.#at);
      const isLine = lineEnd !== -1 || isWhole;
      const rest = text.slice(this.#at, lineEnd === -1 ? undefined : lineEnd);
      if (!this.#line && !isLine && this.#isUndecided(rest)) break;
      this.#line ??= this.#lines.read(rest);
      const unit = this.#isLineStart ? this.#unitOf(this.#line) : null;
      const length = unit ? rest.length : this.#sentenceOf(rest, isLine);
      if (length === 0 && !isLine) break;
      const words = unit ?? [this.#withoutMarks(rest.slice(0, length))];
      read.push(...words);
      taken += Math.max(1, words.join("").length);
      this.#at += length;
      this.#isLineStart = isLine && length === rest.length;
      if (this.#isLineStart) this.#nextLine();
    }
    return read.filter((words) => /[\p{L}\p{N}]/u.test(words));
  }

  /** Returns whether no character of this text is left to be read. */
  isAtEndOf(text: string): boolean {
    return this.#at >= text.length;
  }

  #nextLine(): void {
    this.#line = null;
    this.#at += 1;
  }

  /** Parses the skipped text: it may have begun code, or a line whose kind needs all of it. */
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

  /** Returns the text read for a line that has no sentences; null for a line of sentences. */
  #unitOf(line: Line): string[] | null {
    if (line.kind === "code") return [];
    if (line.kind === "fence") return [this.#names.code(line.language)];
    const alert = ALERT.exec(line.inside)?.[1]?.toLowerCase();
    const kind = alertKinds.find((known) => known === alert);
    if (kind !== undefined) return [this.#names.alert(kind)];
    if (!TABLE_ROW.test(line.inside)) return null;
    if (TABLE_RULE.test(line.inside)) return [];
    const cells = line.inside.trim().slice(1, -1).split("|");
    return [cells.map((cell) => this.#withoutMarks(cell)).join(", ")];
  }

  /** Returns the length of the first sentence in a line, 0 if it has not ended. */
  #sentenceOf(line: string, isLine: boolean): number {
    const isLong = line.length > LONGEST;
    const near = isLong ? line.slice(0, LONGEST + 1) : line;
    const isWhole = isLine && !isLong;
    const masked = this.#masked(near, isWhole);
    for (const { index } of this.#segmentsOf(masked)) {
      // The next letter decides whether a sentence has ended.
      if (index > 0 && (isWhole || /\p{L}/u.test(masked.slice(index)))) return index;
    }
    if (!isLong) return isLine ? line.length : 0;
    const space = near.lastIndexOf(" ");
    return space > 0 ? space + 1 : LONGEST;
  }

  #segmentsOf(text: string): Iterable<{ index: number }> {
    if (!MAY_END.test(text)) return [];
    this.#segmenter ??= new Intl.Segmenter(this.#language, { granularity: "sentence" });
    return this.#segmenter.segment(text);
  }

  /** Masks punctuation that ends no sentence; the length stays the same. */
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
