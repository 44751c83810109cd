/** Forward search with cached results for ascending start positions: each pattern scans the text once in total. */
export class AscendingSearch {
  readonly text: string;
  readonly #found = new Map<string | RegExp, number>();

  constructor(text: string) {
    this.text = text;
  }

  /** `what`: a string, or a global pattern. @returns the next position at or after `from`, Infinity if there is none */
  next(what: string | RegExp, from: number): number {
    const known = this.#found.get(what) ?? -1;
    if (known >= from) return known;
    const found = this.#look(what, from);
    this.#found.set(what, found);
    return found;
  }

  #look(what: string | RegExp, from: number): number {
    if (typeof what === "string") {
      const place = this.text.indexOf(what, from);
      return place === -1 ? Number.POSITIVE_INFINITY : place;
    }
    what.lastIndex = from;
    return what.exec(this.text)?.index ?? Number.POSITIVE_INFINITY;
  }
}
