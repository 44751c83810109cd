/** Converts positions in a text between code points and UTF-16 units. Reads the text once. */
export class CodePoints {
  /** Positions of the surrogate pairs in UTF-16 units. */
  readonly #pairs: readonly number[];

  constructor(text: string) {
    this.#pairs = Array.from(text.matchAll(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g), ({ index }) => index);
  }

  /** Whether the two counts differ after a position in UTF-16 units. */
  differAfter(at: number): boolean {
    return (this.#pairs.at(-1) ?? -1) >= at;
  }

  /** Returns the position in UTF-16 units of the code point `count` after the one at `from` (UTF-16 units). */
  unitAt(from: number, count: number): number {
    const point = from - this.#pairsUntil((pair) => pair < from) + count;
    return point + this.#pairsUntil((pair, nth) => pair - nth < point);
  }

  /** Returns how many of the first pairs fulfil a condition, by binary search. */
  #pairsUntil(isBefore: (pair: number, nth: number) => boolean): number {
    let [low, high] = [0, this.#pairs.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(this.#pairs[middle] ?? 0, middle)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
