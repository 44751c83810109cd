/** Marks between two pieces of a quote that leaves words out. */
const OMISSION = /\s*[[(]?(?:…|\.{3,})[\])]?\s*/u;
/** Most UTF-16 units that a quote may leave out between two of its pieces. */
const MAX_OMITTED = 2000;
/** Places of its first piece at which a quote is looked for, which bound the time of a source of one repeated word. */
const MAX_PLACES = 100;
/** Marks around a quote, and at its end, where a sentence in the source may go on. */
const AROUND = /^["'\s]+|["'\s.,;:!?]+$/gu;

const signs = new Map([
  ..."“”„‟«»‹›".split("").map((sign): [string, string] => [sign, '"']),
  ..."‘’‚‛′".split("").map((sign): [string, string] => [sign, "'"]),
  ..."‐‑‒–—−".split("").map((sign): [string, string] => [sign, "-"]),
]);
/** Soft hyphens and characters without a width, and the marks of emphasis that models add. */
const IGNORED = /[\u00AD\u200B-\u200D\u2060\uFEFF*]/u;
const SPACE = /\s/u;
/** Of one character, in UTF-16 units: a ligature of Arabic stands for 18, and a text of it would take a tenth of a second. */
const MAX_FOLDED = 4;
const PLAIN = /[a-z\d]/;

/** A text in which spellings of the same words are the same. `starts`, `ends`: of each of its units in the text. */
type Folded = { text: string; starts: number[]; ends: number[] };

function fold(text: string): Folded {
  let folded = "";
  const starts: number[] = [];
  const ends: number[] = [];
  let at = 0;
  let last = " ";
  for (const character of text) {
    const end = at + character.length;
    const added = foldedCharacter(character, last);
    last = added.at(-1) ?? last;
    for (let unit = 0; unit < added.length; unit++) {
      starts.push(at);
      ends.push(end);
    }
    folded += added;
    at = end;
  }
  return { text: folded, starts, ends };
}

function foldedCharacter(character: string, last: string): string {
  // Most characters need none of the below.
  if (PLAIN.test(character)) return character;
  if (IGNORED.test(character)) return "";
  if (SPACE.test(character)) return last === " " ? "" : " ";
  const folded = signs.get(character) ?? character.normalize("NFKD").toLowerCase();
  return folded.length <= MAX_FOLDED ? folded : character;
}

/** Finds quotes in one source, whose text is folded once, at the first quote. */
export class QuoteSearch {
  readonly #source: string;
  #folded: Folded | undefined;

  constructor(source: string) {
    this.#source = source;
  }

  /**
   * Finds a quote. White space, letter case, kinds of quotation marks and hyphens, emphasis and compatible characters may
   * differ, and the quote may leave out words, as `…` or `[...]`.
   * @returns the range of the quote in the source in UTF-16 units; undefined if the source does not have it
   */
  find(quote: string): { from: number; to: number } | undefined {
    const pieces = quote
      .split(OMISSION)
      .map((piece) => fold(piece).text.replaceAll(AROUND, ""))
      .filter((piece) => piece !== "");
    const [first] = pieces;
    if (first === undefined) return undefined;
    this.#folded ??= fold(this.#source);
    const { text, starts, ends } = this.#folded;
    let at = text.indexOf(first);
    for (let places = 0; at !== -1 && places < MAX_PLACES; places++) {
      const end = endOf(text, pieces, at);
      if (end !== undefined) return { from: starts[at] ?? 0, to: ends[end - 1] ?? this.#source.length };
      at = text.indexOf(first, at + 1);
    }
    return undefined;
  }
}

/** Finds one quote in a source, see {@link QuoteSearch}. */
export const findQuote = (source: string, quote: string): { from: number; to: number } | undefined =>
  new QuoteSearch(source).find(quote);

/** Returns where the last piece ends if the first one begins at `from`, and the others follow it. */
function endOf(text: string, [first = "", ...others]: readonly string[], from: number): number | undefined {
  let end = from + first.length;
  for (const piece of others) {
    const at = text.slice(end, end + MAX_OMITTED + piece.length).indexOf(piece);
    if (at === -1) return undefined;
    end += at + piece.length;
  }
  return end;
}
