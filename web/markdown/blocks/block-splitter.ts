import { parseMarkdownIntoBlocks } from "streamdown";
import { cutBlock, joinTable } from "./cut-block.ts";

/** A block is cut where it gets longer (UTF-16 units): while words still come, and afterwards. */
const LIVE_BLOCK = 2000;
const SETTLED_BLOCK = 10_000;
/** A table that came in parts is painted anew as a whole only up to so many bars, which stand for its cells. */
const JOINED_BARS = 2500;
/** Blocks at the end that further words may still change. */
const OPEN_BLOCKS = 2;

/** Definitions of links, which other blocks of the reply refer to. */
const DEFINITION = /^ {0,3}\[[^\]]+\]:/m;

/** Stands in for the sign of a footnote. */
const NO_NOTE = "[\u{E000}";

/** Where a reader meets a footnote it makes one block of all; ours are apart from the body, and blocks mark their places. */
function readBlocks(text: string): string[] {
  if (!text.includes("[^") || text.includes(NO_NOTE)) return parseMarkdownIntoBlocks(text);
  return parseMarkdownIntoBlocks(text.replaceAll("[^", NO_NOTE)).map((block) => block.replaceAll(NO_NOTE, "[^"));
}

const isPayable = (table: string) => table.length <= SETTLED_BLOCK && (table.match(/\|/g)?.length ?? 0) <= JOINED_BARS;

/**
 * Cuts a growing reply into blocks that are rendered by themselves. Only the tail is read again at each update, and a
 * run without a block's end (one long list, table or paragraph) is cut, so that an update costs the same however long
 * the reply is. One for each message.
 */
export class BlockSplitter {
  #settled: string[] = [];
  #settledText = "";
  /** What the tail begins with though the text does not: the head of the table that it goes on with. */
  #prefix = "";
  #isTailContinued = false;
  #tailStart: string | null = null;
  readonly #continued = new Set<string>();

  /** The blocks of a reply that still grows; each text is mostly the one before and more. */
  split(markdown: string): string[] {
    const text = markdown.includes("\r") ? markdown.replaceAll(/\r\n?/g, "\n") : markdown;
    if (!text.startsWith(this.#settledText)) this.#reset();
    const tail = this.#settle(this.#readTail(text));
    // A reader that does not give back every character leaves nothing to build on.
    if (!text.startsWith(this.#settledText)) return readBlocks(text);
    this.#tailStart = this.#isTailContinued ? (tail[0] ?? null) : null;
    return [...this.#settled, ...tail];
  }

  /**
   * The blocks of a reply that is complete. After it was seen growing they stay as they are, to be neither read nor
   * painted again, but for tables, whose columns belong together.
   */
  splitWhole(markdown: string): string[] {
    const isKnown = this.#settledText !== "" && markdown.startsWith(this.#settledText);
    if (isKnown && !DEFINITION.test(markdown)) return this.#joinTables(this.split(markdown));
    this.#reset();
    return readBlocks(markdown).flatMap((block) => this.#cutWhole(block));
  }

  /** Whether a block goes on where the one before it was cut. */
  isContinued(block: string): boolean {
    return block === this.#tailStart || this.#continued.has(block);
  }

  #reset(): void {
    this.#settled = [];
    this.#settledText = "";
    this.#prefix = "";
    this.#isTailContinued = false;
    this.#tailStart = null;
    this.#continued.clear();
  }

  #readTail(text: string): string[] {
    const tail = text.slice(this.#settledText.length);
    return tail === "" ? [] : readBlocks(this.#prefix + tail);
  }

  /**
   * Takes what cannot change any more out of the tail. It is not read again for that: much may have come at once.
   * @returns the rest of the tail
   */
  #settle(blocks: readonly string[]): string[] {
    const tail = [...blocks];
    let taken = 0;
    for (let first = tail[taken]; first !== undefined; first = tail[taken]) {
      const second = tail[taken + 1];
      if (tail.length - taken > OPEN_BLOCKS || (second !== undefined && second.length > LIVE_BLOCK)) {
        this.#keep(first);
        taken += 1;
        continue;
      }
      const cut = cutBlock(first, LIVE_BLOCK);
      if (!cut) break;
      this.#keep(cut.piece);
      this.#prefix = cut.prefix;
      this.#isTailContinued = true;
      tail[taken] = cut.prefix + cut.rest;
    }
    return tail.slice(taken);
  }

  #keep(block: string): void {
    if (this.#isTailContinued) this.#continued.add(block);
    this.#settled.push(block);
    this.#settledText += block.slice(this.#prefix.length);
    this.#prefix = "";
    this.#isTailContinued = false;
  }

  #joinTables(blocks: readonly string[]): string[] {
    const joined: string[] = [];
    for (const block of blocks) {
      const before = joined.at(-1);
      const table = before !== undefined && this.isContinued(block) ? joinTable(before, block) : null;
      if (table !== null && isPayable(table)) joined[joined.length - 1] = table;
      else joined.push(block);
    }
    return joined;
  }

  #cutWhole(block: string): string[] {
    const pieces: string[] = [];
    let rest = block;
    for (let cut = cutBlock(rest, SETTLED_BLOCK); cut; cut = cutBlock(rest, SETTLED_BLOCK)) {
      pieces.push(cut.piece);
      rest = cut.prefix + cut.rest;
      this.#continued.add(rest);
    }
    for (const piece of pieces.slice(1)) this.#continued.add(piece);
    return [...pieces, rest];
  }
}
