import { parseMarkdownIntoBlocks } from "streamdown";
import { maskInMarkdown, unmask } from "#contract/text/html/other-names.ts";
import { cutBlock, joinTable } from "./cut-block.ts";

/** Longer blocks are cut (UTF-16 units): while the reply streams, and once it is complete. */
const LIVE_BLOCK = 2000;
const SETTLED_BLOCK = 10_000;
/** A table that was cut is rendered again as a whole only with at most this many bars, a measure of its cells. */
const JOINED_BARS = 2500;
/** Number of blocks at the end that further text may still change. */
const OPEN_BLOCKS = 2;

/** Link reference definitions, which other blocks of the reply refer to. */
const DEFINITION = /^ {0,3}\[[^\]]+\]:/m;

/** Replaces `[^` while a text is split. */
const NO_NOTE = "[\u{E000}";

/**
 * Splits Markdown with Streamdown. It makes one block of a text with footnotes; ours are rendered apart from the body, so
 * `[^` is masked. It takes a name in angle brackets for an element that lasts until its end tag, so such names are masked.
 */
function readBlocks(text: string): string[] {
  const masked = maskInMarkdown(text);
  const blocks =
    !text.includes("[^") || text.includes(NO_NOTE)
      ? parseMarkdownIntoBlocks(masked)
      : parseMarkdownIntoBlocks(masked.replaceAll("[^", NO_NOTE)).map((block) => block.replaceAll(NO_NOTE, "[^"));
  return masked === text ? blocks : blocks.map(unmask);
}

const isPayable = (table: string) => table.length <= SETTLED_BLOCK && (table.match(/\|/g)?.length ?? 0) <= JOINED_BARS;

/**
 * Incremental splitter of a growing reply into blocks that are rendered separately. Each update parses only the tail
 * again, and a long list, table or paragraph is cut, so that the cost of an update does not depend on the length of the
 * reply. One instance for each message.
 */
export class BlockSplitter {
  #settled: string[] = [];
  #settledText = "";
  /** Text added before the tail: the head of the table that the tail continues. */
  #prefix = "";
  #isTailContinued = false;
  #tailStart: string | null = null;
  readonly #continued = new Set<string>();

  /** Returns the blocks of a growing reply. Usually each text extends the one before. */
  split(markdown: string): string[] {
    const text = markdown.includes("\r") ? markdown.replaceAll(/\r\n?/g, "\n") : markdown;
    if (!text.startsWith(this.#settledText)) this.#reset();
    const tail = this.#settle(this.#readTail(text));
    // If the parser dropped characters, the settled blocks do not match the text: it is parsed as a whole.
    if (!text.startsWith(this.#settledText)) return readBlocks(text);
    this.#tailStart = this.#isTailContinued ? (tail[0] ?? null) : null;
    return [...this.#settled, ...tail];
  }

  /**
   * Returns the blocks of a complete reply. If it was split while growing, its blocks stay the same, to be neither
   * parsed nor rendered again; only the pieces of tables are joined, whose columns belong together.
   */
  splitWhole(markdown: string): string[] {
    const isKnown = this.#settledText !== "" && markdown.startsWith(this.#settledText);
    if (isKnown && !DEFINITION.test(markdown)) return this.#joinTables(this.split(markdown));
    this.#reset();
    return readBlocks(markdown).flatMap((block) => this.#cutWhole(block));
  }

  /** Returns whether a block is the continuation of the block before it, which was cut. */
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
   * Moves blocks that can no longer change from the tail to the settled blocks. It does not parse the tail again for
   * each block, since much text may arrive at once.
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
