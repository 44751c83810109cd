/**
 * Forward search in a growing text for ascending start positions: each string is searched once in each part of the text.
 */
export class GrowingSearch {
  #text = "";
  readonly #known = new Map<string, { at: number; isFound: boolean }>();

  /** @param text begins with the text before */
  extend(text: string): void {
    this.#text = text;
  }

  /** @returns the next position at or after `from`; Infinity if the text has none yet */
  next(what: string, from: number): number {
    const known = this.#known.get(what);
    if (known?.isFound && known.at >= from) return known.at;
    const begin = known && !known.isFound ? Math.max(from, known.at) : from;
    const found = this.#text.indexOf(what, begin);
    const isFound = found !== -1;
    this.#known.set(what, { at: isFound ? found : Math.max(begin, this.#text.length - what.length + 1), isFound });
    return isFound ? found : Number.POSITIVE_INFINITY;
  }
}
