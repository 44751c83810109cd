import { QuoteSearch } from "#contract/conversation/citations/find-quote.ts";
import type { ToolSource } from "#contract/conversation/known-parts.ts";
import { PARTS_MAX } from "#contract/limits.ts";
import { MarkScanner } from "../../../text/mark-scanner.ts";
import { callPartsOf, isSourcePart, type Part, SOURCE, type SourceBody } from "../../parts/message-part.ts";

/** A citation, whose mark ends at `at` (UTF-16 units of the text). */
export type Citation = { at: number; body: SourceBody };

/** A source with its snapshot. `tool`: the part of the call that has returned it. */
type Snapshot = { source: ToolSource; tool: number; quotes: QuoteSearch };

/** Returns the different numbers of a mark. */
export const numbersOf = (mark: string): number[] => [...new Set(mark.match(/\d+/g)?.map(Number))];

/** A quote before a mark, perhaps with the end of its sentence between them. */
const QUOTE = /["“„«‹「『]([^"“”„«»‹›「」『』]{8,500})["”“»›」』][.,;:!?。，]?\s*$/u;
const QUOTE_MAX = 520;
/** Citations of one reply, of all its calls. */
const REPLY_CITATIONS_MAX = 200;

/** Returns how many further citations a reply with these parts can have. */
export const citationsLeft = (parts: readonly Part[]): number =>
  Math.max(0, REPLY_CITATIONS_MAX - parts.filter(isSourcePart).length);

/** Finds the citations of sources in a growing text, each once. A number without a source is none. */
export class Citations {
  readonly #snapshots: ReadonlyMap<number, Snapshot>;
  readonly #scanner = new MarkScanner();
  readonly #from: number;
  #left: number;

  /** @param from length of the text whose citations are found already, in UTF-16 units */
  constructor(parts: readonly Part[], from: number) {
    this.#snapshots = snapshotsOf(parts);
    this.#from = from;
    this.#left = citationsLeft(parts);
  }

  /** Returns the citations that a text has beyond the last call. A mark waits while it may become part of a link or code. */
  find(text: string, { isEnded = false } = {}): Citation[] {
    if (this.#snapshots.size === 0 || this.#left === 0) return [];
    const found: Citation[] = [];
    for (const { at, mark } of this.#scanner.scan(text, { isEnded })) {
      if (at > this.#from) found.push(...this.#citationsAt(text, at, mark));
      if (this.#left === 0) break;
    }
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

/** A reply whose process has died. `from`: length of its text in which all citations are found. */
export type CutReply = { content: string; from: number; run: number; rev: number };

/**
 * Adds the citations that the process of a reply had not found yet, because what was to follow could have made links or
 * code of their marks.
 */
export function withLastCitations(
  parts: readonly Part[],
  { content, from, run, rev }: CutReply,
): { parts: Part[]; rev: number } {
  return withCitations(parts, new Citations(parts, from).find(content, { isEnded: true }), { run, rev });
}

/** Adds the citations that the parts of a reply do not have yet, each with the next revision after `rev`. */
export function withCitations(
  parts: readonly Part[],
  citations: readonly Citation[],
  { run, rev }: Pick<CutReply, "run" | "rev">,
): { parts: Part[]; rev: number } {
  const known = new Set(parts.filter(isSourcePart).map(({ at, body }) => `${at} ${body.source}`));
  const unknown = citations.filter(({ at, body }) => !known.has(`${at} ${body.source}`));
  const added = unknown.slice(0, Math.max(0, PARTS_MAX - parts.length)).map(({ at, body }, index): Part => {
    const order = { seq: parts.length + index, rev: rev + index + 1 };
    return { ...order, at, kind: SOURCE, run, body };
  });
  return { parts: [...parts, ...added], rev: rev + added.length };
}

function citationOf({ source: { number, url, title }, tool, quotes }: Snapshot, quote: string | undefined): SourceBody {
  const body = { source: `${number}`, url, title, tool };
  if (quote === undefined) return { ...body, checked: "unchecked" };
  return { ...body, quote, checked: quotes.find(quote) ? "found" : "missing" };
}

/** Returns the sources of the tools and the citations of a reply, with their numbers. */
export const numberedSources = (parts: readonly Part[]): { number: number; url: string }[] => [
  ...callPartsOf(parts).flatMap(({ body }) => body.sources ?? []),
  ...parts.filter(isSourcePart).map(({ body: { source, url } }) => ({ number: Number(source), url })),
];

function snapshotsOf(parts: readonly Part[]): ReadonlyMap<number, Snapshot> {
  const snapshots = new Map<number, Snapshot>();
  for (const { seq, body } of callPartsOf(parts)) {
    for (const source of body.sources ?? []) {
      const text = body.result?.slice(source.from, source.to) ?? "";
      snapshots.set(source.number, { source, tool: seq, quotes: new QuoteSearch(text) });
    }
  }
  return snapshots;
}
