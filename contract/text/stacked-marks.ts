/** Texts with letters below very many marks, which browsers lay out in time quadratic in the number of marks. */

/** Words have fewer than five, Unicode's stream-safe format (UAX 15) has 30. */
const MOST_MARKS = 60;
/** Marks, and the invisible characters that may stand between them. */
const RUN = /[\p{M}\p{Cf}]{2,}/gu;

/** Returns whether a letter of the text has very many marks. Linear in the text's length. */
export function hasStackedMarks(text: string): boolean {
  for (const [run] of text.matchAll(RUN)) if (run.length > MOST_MARKS) return true;
  return false;
}

/** Searches a growing text for {@link hasStackedMarks}. One instance for each text: it reads only what is new. */
export class MarkSearch {
  #searched = 0;
  #isFound = false;

  find(text: string): boolean {
    if (text.length < this.#searched) this.#isFound = false;
    const from = this.#isFound || text.length < this.#searched ? 0 : Math.max(0, this.#searched - MOST_MARKS - 1);
    if (!this.#isFound && text.length !== this.#searched) this.#isFound = hasStackedMarks(text.slice(from));
    this.#searched = text.length;
    return this.#isFound;
  }
}
