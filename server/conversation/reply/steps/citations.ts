import { CITATION_MARK, CITATION_MARK_MAX } from "#contract/conversation/citations/citation-mark.ts";
import { findQuote } from "#contract/conversation/citations/find-quote.ts";
import type { ToolSource } from "#contract/conversation/known-parts.ts";
import { callPartsOf, type Part, type SourceBody } from "../../parts/message-part.ts";

/** A citation, whose mark ends at `at` (UTF-16 units of the text). */
export type Citation = { at: number; body: SourceBody };

/** A source with its snapshot. `tool`: the part of the call that has returned it. */
type Snapshot = { source: ToolSource; tool: number; text: string };

/** A mark of citations in a text: `[1]`, `[1, 2]`. `at`: its end in UTF-16 units. */
export type CitationMark = { at: number; mark: string };

/**
 * Yields the marks in a text that end behind a position, without those in code, and without links: a mark with an address
 * behind it is one.
 * @param isEnded whether nothing follows the text; else a mark at its end is left out
 */
export function* marksIn(text: string, after: number, { isEnded = false } = {}): Generator<CitationMark> {
  const from = Math.max(0, after - CITATION_MARK_MAX);
  for (const match of text.slice(from).matchAll(CITATION_MARK)) {
    const at = from + match.index + match[0].length;
    if (at <= after || (at === text.length && !isEnded)) continue;
    if (text[at] !== "(" && !isCode(text, at)) yield { at, mark: match[0] };
  }
}

/** Returns the different numbers of a mark. */
export const numbersOf = (mark: string): number[] => [...new Set(mark.match(/\d+/g)?.map(Number))];

/** A quote before a mark, perhaps with the end of its sentence between them. */
const QUOTE = /["“„«‹「『]([^"“”„«»‹›「」『』]{8,500})["”“»›」』][.,;:!?。，]?\s*$/u;
const QUOTE_MAX = 520;
/** Citations of one reply. */
const CITATIONS_MAX = 200;

/** Finds the citations of sources in a growing text, each once. A number without a source is none. */
export class Citations {
  readonly #snapshots: ReadonlyMap<number, Snapshot>;
  #scanned: number;
  #left = CITATIONS_MAX;

  /** @param from length of the text that was scanned before, in UTF-16 units */
  constructor(parts: readonly Part[], from: number) {
    this.#snapshots = snapshotsOf(parts);
    this.#scanned = from;
  }

  /**
   * Returns the citations that a text has beyond what was scanned. A mark at the end waits for what follows: with an
   * address behind it it is a link.
   */
  find(text: string, { isEnded = false } = {}): Citation[] {
    if (this.#snapshots.size === 0) return [];
    const found: Citation[] = [];
    for (const { at, mark } of marksIn(text, this.#scanned, { isEnded })) {
      this.#scanned = at;
      found.push(...this.#citationsAt(text, at, mark));
    }
    this.#scanned = Math.max(this.#scanned, text.length - CITATION_MARK_MAX);
    return found;
  }

  #citationsAt(text: string, at: number, mark: string): Citation[] {
    const quote = QUOTE.exec(text.slice(Math.max(0, at - mark.length - QUOTE_MAX), at - mark.length))?.[1];
    return numbersOf(mark).flatMap((number) => {
      const snapshot = this.#snapshots.get(number);
      if (!snapshot || this.#left === 0) return [];
      this.#left -= 1;
      return [{ at, body: citationOf(snapshot, quote) }];
    });
  }
}

function citationOf({ source: { number, url, title }, tool, text }: Snapshot, quote: string | undefined): SourceBody {
  const body = { source: `${number}`, url, title, tool };
  if (quote === undefined) return { ...body, checked: "unchecked" };
  return { ...body, quote, checked: findQuote(text, quote) ? "found" : "missing" };
}

/** Whether a position is within a fenced block or a span of code, where brackets are an index. */
function isCode(text: string, at: number): boolean {
  const before = text.slice(0, at);
  const fences = before.match(/^ {0,3}(?:```|~~~)/gm)?.length ?? 0;
  if (fences % 2 === 1) return true;
  const line = before.slice(before.lastIndexOf("\n") + 1);
  return (line.match(/`/g)?.length ?? 0) % 2 === 1;
}

function snapshotsOf(parts: readonly Part[]): ReadonlyMap<number, Snapshot> {
  const snapshots = new Map<number, Snapshot>();
  for (const { seq, body } of callPartsOf(parts)) {
    for (const source of body.sources ?? []) {
      snapshots.set(source.number, { source, tool: seq, text: body.result?.slice(source.from, source.to) ?? "" });
    }
  }
  return snapshots;
}
