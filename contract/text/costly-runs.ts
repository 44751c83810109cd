/** Texts with runs that browsers lay out in time quadratic in their length, as long as the font's features apply. */

/**
 * Marks above one letter, with the invisible characters that may stand between them: each searches for its letter.
 * Words have fewer than five, Unicode's stream-safe format (UAX 15) has 30.
 */
const MARKS = /(?<![\p{M}\p{Cf}])[\p{M}\p{Cf}]{61}/u;
/** UTF-16 units in a word of letters and signs that fonts kern: for each line its rest is set again. */
const LONGEST_WORD = 1000;
// Scripts written without spaces have no kerning, and their paragraphs are no words.
const WORD = new RegExp(String.raw`(?<![!-\u05ff\u2010-\u2bff])[!-\u05ff\u2010-\u2bff]{${LONGEST_WORD + 1}}`);

/** Returns whether a letter of the text has very many marks, or a word very many letters. Linear in the text's length. */
export const hasCostlyRun = (text: string): boolean => MARKS.test(text) || WORD.test(text);

/** Length of a piece of long plain text, in characters. */
export const PIECE = 4000;
/** So many marks in a row are laid out in quadratic time, whatever features of the font apply. They end a piece. */
export const MANY_MARKS = /(?<![\p{M}\p{Cf}])[\p{M}\p{Cf}]{500}/u;
const NEXT_PIECE = new RegExp(String.raw`[^]{1,${PIECE - 1}}(?:\n|$)|[^]{1,${PIECE}}`, "uy");
/** The most lines of a piece: browsers shape each for itself, and all of them anew when one is added. */
const MANY_LINES = /^(?:[^\n]*\n){200}/;

/**
 * Splits plain text into pieces to be laid out each for itself, after a line if possible: the layout of a run without
 * spaces takes time quadratic in its length. All pieces but the last stay the same while the text grows.
 * A million marks take 100 ms: a server pauses between pieces.
 */
export function* piecesOf(text: string): Generator<string, void> {
  for (let start = 0; start < text.length; ) {
    NEXT_PIECE.lastIndex = start;
    const [piece = text.slice(start)] = NEXT_PIECE.exec(text) ?? [];
    const end = endOf(MANY_MARKS, piece.slice(0, endOf(MANY_LINES, piece)));
    yield piece.slice(0, end);
    start += end;
  }
}

/** Returns the end of the first match, or of the text. */
function endOf(pattern: RegExp, text: string): number {
  const found = pattern.exec(text);
  return found ? found.index + found[0].length : text.length;
}

/** Searches a growing text for {@link hasCostlyRun}. One instance for each text: it reads only what is new. */
export class RunSearch {
  #searched = 0;
  #isFound = false;

  find(text: string): boolean {
    if (text.length < this.#searched) this.#isFound = false;
    const from = this.#isFound || text.length < this.#searched ? 0 : Math.max(0, this.#searched - LONGEST_WORD - 1);
    if (!this.#isFound && text.length !== this.#searched) this.#isFound = hasCostlyRun(text.slice(from));
    this.#searched = text.length;
    return this.#isFound;
  }
}
