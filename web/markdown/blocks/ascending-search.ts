/** Finds what comes next after places that are asked for in ascending order: each kind is looked for once. */
export class AscendingSearch {
  readonly text: string;
  readonly #found = new Map<string | RegExp, number>();

  constructor(text: string) {
    this.text = text;
  }

  /** `what`: words, or a global pattern. @returns its place, Infinity where there is none */
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
