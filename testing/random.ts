/** Numbers that look random and come again with the same seed. */
export class Random {
  readonly #seed: string;
  #state: number;

  constructor(seed: string) {
    this.#seed = seed;
    // FNV-1a
    this.#state = 0x811c9dc5;
    for (let index = 0; index < seed.length; index++) {
      this.#state = Math.imul(this.#state ^ seed.charCodeAt(index), 0x01000193);
    }
  }

  /** From 0, below 1 (mulberry32). */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number; both bounds may come. */
  between(lowest: number, highest: number): number {
    return lowest + Math.floor(this.fraction() * (highest - lowest + 1));
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.between(0, choices.length - 1)] ?? choices[0];
  }

  /** So many of them, each at most once, in their order; all where there are fewer. */
  sample<T>(all: readonly T[], size: number): T[] {
    let [needed, left] = [size, all.length];
    return all.filter(() => {
      const isTaken = this.between(1, left--) <= needed;
      if (isTaken) needed--;
      return isTaken;
    });
  }

  /** A source of its own, so that what one part draws does not change what another gets. */
  fork(name: string): Random {
    return new Random(`${this.#seed}/${name}`);
  }
}
