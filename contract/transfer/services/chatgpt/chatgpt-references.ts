import {
  type CitationMark,
  type CitedPage,
  citationMarks,
  isPageAddress,
  type MarkMeaning,
  piecesOfAnswer,
  wordsOfMark,
} from "../citation-marks.ts";
import type { Piece } from "../foreign-chat.ts";
import { listOf, numberOf, recordOf, textOf } from "../unknown-values.ts";

type Values = Record<string, unknown>;
/** A citation of the older form, which has positions in code points and no text of its mark. */
type Citation = { start: number; end: number; pages: CitedPage[]; isUsed: boolean };

/** Kinds of marks whose words stay, whatever a reference says of them. */
const KEEPS_WORDS: ReadonlySet<string> = new Set(["url", "link", "line"]);

/** Kinds of references whose pages are sources, even if no mark of the text names them. */
const SOURCE_KINDS = /webpage|footnote|nav_?list/;

/**
 * Returns the text of an answer of ChatGPT without its marks: each is replaced by the source pieces of the reference that
 * names it, or by its visible words. Sources without a mark follow the text.
 * @param metadata of the message; `content_references` name their mark by `matched_text`, `citations` by its position
 */
export function piecesWithSources(texts: readonly string[], metadata: Values): Piece[] {
  const references = new References(metadata);
  const pieces = texts.flatMap((text) => piecesOfAnswer(text, references.of(text)));
  return [...pieces, ...references.unused(pieces)];
}

class References {
  readonly #byMark = new Map<string, Values[]>();
  readonly #citations: Citation[];
  readonly #references: Values[];

  constructor(metadata: Values) {
    this.#references = listOf(metadata.content_references)
      .map(recordOf)
      .filter((reference) => reference !== undefined);
    // Reversed, because the last one is taken first.
    for (const reference of this.#references.toReversed()) {
      const mark = textOf(reference.matched_text);
      const same = this.#byMark.get(mark);
      if (same) same.push(reference);
      else this.#byMark.set(mark, [reference]);
    }
    this.#citations = listOf(metadata.citations)
      .flatMap(toCitation)
      .sort((one, other) => one.start - other.start);
  }

  /** Returns a function from the marks of a text to their meanings, to be called for each mark once, ascending. */
  of(text: string): (mark: CitationMark) => MarkMeaning {
    const points = codePointCounter(text);
    const marks = citationMarks(text).filter(({ kind }) => kind === "brackets");
    const isEachCited = marks.length === this.#citations.length;
    let bracketsBefore = 0;
    let next = 0;
    return (mark) => {
      const [start, end] = [points(mark.start), points(mark.end)];
      const byOrder = mark.kind === "brackets" ? this.#citations[bracketsBefore++] : undefined;
      const isOver = (one: Citation | undefined) => one && (one.isUsed || one.end <= start);
      while (isOver(this.#citations[next])) next++;
      const first = this.#citations[next];
      const found = first && first.start < end ? [first] : [];
      // One mark may have several citations, each with its position.
      for (let at = next + 1; found.length > 0 && this.#citations[at]?.start === first?.start; at++) {
        found.push(this.#citations[at] as Citation);
      }
      const pages = this.#use(found.length === 0 && isEachCited && byOrder ? [byOrder] : found);
      const meaning = this.#byReference(mark);
      return meaning.pages.length > 0 ? meaning : { words: meaning.words, pages };
    };
  }

  #use(citations: readonly Citation[]): CitedPage[] {
    const unused = citations.filter(({ isUsed }) => !isUsed);
    for (const citation of unused) citation.isUsed = true;
    return unused.flatMap(({ pages }) => pages);
  }

  /** Returns the sources that no piece has. */
  unused(pieces: readonly Piece[]): Piece[] {
    const known = new Set(pieces.flatMap((piece) => (piece.kind === "source" ? piece.url : [])));
    const references = this.#references.filter(({ type }) => SOURCE_KINDS.test(textOf(type)));
    const citations = this.#citations.filter(({ isUsed }) => !isUsed);
    return [...references.flatMap(pagesOf), ...citations.flatMap(({ pages }) => pages)].flatMap(({ url, title }) => {
      if (known.has(url)) return [];
      known.add(url);
      return { kind: "source" as const, url, title };
    });
  }

  #byReference(mark: CitationMark): MarkMeaning {
    const same = this.#byMark.get(mark.text);
    // The last one stands for all further marks of the same text.
    const reference = same && same.length > 1 ? same.pop() : same?.[0];
    const type = textOf(reference?.type);
    if (!reference || KEEPS_WORDS.has(mark.kind)) return { words: wordsOfMark(mark), pages: [] };
    if (type === "hidden" || type.includes("image")) return { words: "", pages: [] };
    const pages = pagesOf(reference);
    if (pages.length > 0) return { words: "", pages };
    const name = type.includes("entity") ? textOf(reference.name) : "";
    return { words: textOf(reference.alt) || name || wordsOfMark(mark), pages };
  }
}

function toCitation(value: unknown): Citation[] {
  const citation = recordOf(value);
  if (!citation) return [];
  const start = numberOf(citation.start_ix) ?? numberOf(citation.start_idx) ?? -1;
  const end = numberOf(citation.end_ix) ?? numberOf(citation.end_idx) ?? -1;
  return [{ start, end, pages: pagesOf(recordOf(citation.metadata) ?? {}), isUsed: false }];
}

/** Returns the pages that a reference names, each once: its own, those of its items, else its bare addresses. */
function pagesOf(reference: Values): CitedPage[] {
  const items = [...listOf(reference.items), ...listOf(reference.sources)];
  const named = distinctPages([reference, ...items.flatMap((item) => [item, ...supportingPages(item)])]);
  if (named.length > 0) return named;
  const fallback = distinctPages(listOf(reference.fallback_items));
  return fallback.length > 0 ? fallback : distinctPages(listOf(reference.safe_urls).map((url) => ({ url })));
}

const supportingPages = (item: unknown): unknown[] => listOf(recordOf(item)?.supporting_websites);

function distinctPages(values: readonly unknown[]): CitedPage[] {
  const pages = new Map<string, CitedPage>();
  for (const value of values) {
    const page = recordOf(value);
    const url = textOf(page?.url) || textOf(page?.cloud_doc_url);
    if (isPageAddress(url) && !pages.has(url)) pages.set(url, { url, title: textOf(page?.title).trim() });
  }
  return [...pages.values()];
}

/** Returns a function from positions in UTF-16 units, which must ascend, to positions in code points. */
function codePointCounter(text: string): (end: number) => number {
  let at = 0;
  let points = 0;
  return (end) => {
    for (; at < end; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) points++;
    return points;
  };
}
