import { hasCostlyLines } from "#contract/text/costly-lines.ts";

/**
 * Limits against algorithmic-complexity attacks. Parsers of Markdown and HTML recurse for each level, and search all
 * earlier marks for the partner of each mark. Texts of people and models stay far below these limits.
 */
const DEEPEST = 50;
const MARKS_OF_RUN = 1000;
const MARKS_OF_BLOCK = 3000;
/** Maximum number of different backtick run lengths: for each unpaired run the parser scans the rest of the block. */
const BACKTICK_LENGTHS = 20;
/** The mail address matcher scans a possible local part from each punctuation character in it to its end: O(n²). */
const STEPS_FOR_NAMES = 2_000_000;
const LONG_NAME = /[-.+\w]{1000,}/g;
const SIGN_IN_NAME = /[-.+_]/g;

const CONTAINER = /[ \t]*(>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))/y;
const MARKS = /\n[ \t]*(?:\n|\||[-*+][ \t]|\d{1,9}[.)][ \t])|\*+|_+|~+|`+|\${2,}|[[\]<]/g;
const TAG = /<(\/?)([a-z][a-z0-9]*)[^<>]*>/gi;
/** Elements that cannot contain their own kind, or are void: many have an optional end tag, so they are not counted. */
const FLAT = new Set("p li tr td th dt dd thead tbody tfoot option br hr img col wbr input".split(" "));

/** Returns whether quotes and lists of a Markdown text are nested too deeply to be parsed. Linear in its length. */
export const isTooDeep = (markdown: string): boolean => new DepthSearch().find(markdown);

/** Searches a growing text for {@link isTooDeep}. One instance for each text: it reads only the last line and new ones. */
export class DepthSearch {
  #text = "";
  #isFound = false;
  /** Start of the last line. */
  #start = 0;
  /** Columns of the markers of the lists that are open there. */
  #lists: readonly number[] = [];

  find(text: string): boolean {
    if (!text.startsWith(this.#text)) {
      this.#isFound = false;
      this.#start = 0;
      this.#lists = [];
    }
    this.#text = text;
    while (!this.#isFound && this.#start < text.length) {
      const lists = this.#listsOfLine(text, this.#start);
      this.#isFound = lists === null;
      const end = text.indexOf("\n", this.#start);
      if (lists === null || end === -1) break;
      this.#lists = lists;
      this.#start = end + 1;
    }
    return this.#isFound;
  }

  /** Returns the lists that are open after a line; null if it is too deep. */
  #listsOfLine(text: string, start: number): readonly number[] | null {
    const lists = [...this.#lists];
    let quotes = 0;
    CONTAINER.lastIndex = start;
    for (let found = CONTAINER.exec(text); found; found = CONTAINER.exec(text)) {
      const column = CONTAINER.lastIndex - start;
      if (found[1] === ">") quotes += 1;
      else {
        while ((lists.at(-1) ?? -1) >= column) lists.pop();
        lists.push(column);
      }
      if (quotes + lists.length > DEEPEST) return null;
    }
    return lists;
  }
}

/**
 * Returns whether a block of Markdown has too many marks (emphasis, code, formulas, links, tags, addresses) to be
 * parsed, or lines that are too costly to be laid out. Linear in its length.
 */
export function isTooMarked(block: string): boolean {
  let ofRun = 0;
  let ofBlock = 0;
  const backticks = new Set<number>();
  if (hasCostlyLines(block) || hasCostlyNames(block)) return true;
  for (const [mark] of block.matchAll(MARKS)) {
    // Inline parsing restarts at each paragraph, item or row.
    if (mark.startsWith("\n")) {
      ofRun = 0;
      continue;
    }
    ofRun += 1;
    ofBlock += 1;
    if (mark.startsWith("`")) backticks.add(mark.length);
    if (ofRun > MARKS_OF_RUN || ofBlock > MARKS_OF_BLOCK || backticks.size > BACKTICK_LENGTHS) return true;
  }
  return false;
}

function hasCostlyNames(block: string): boolean {
  let steps = 0;
  for (const [name] of block.matchAll(LONG_NAME)) steps += name.length * (name.match(SIGN_IN_NAME)?.length ?? 0);
  return steps > STEPS_FOR_NAMES;
}

/** Returns whether HTML elements are nested too deeply, estimated from the tags. Linear in the text's length. */
export function isTooNested(html: string): boolean {
  const open = new Map<string, number>();
  let depth = 0;
  for (const [, end, tag = ""] of html.matchAll(TAG)) {
    const name = tag.toLowerCase();
    if (FLAT.has(name)) continue;
    const count = open.get(name) ?? 0;
    if (end !== "/") {
      open.set(name, count + 1);
      depth += 1;
    } else if (count > 0) {
      open.set(name, count - 1);
      depth -= 1;
    }
    if (depth > 2 * DEEPEST) return true;
  }
  return false;
}
