import { createHash } from "node:crypto";
import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

/**
 * A seeded pseudorandom number generator: the same seed draws the same values, on every machine. It is the only one of
 * tests, torture, security and benches. The algorithm is xoroshiro128+ of pure-rand, the engine of fast-check.
 */
export class Random {
  readonly #seed: string;
  readonly #generator;

  /** @param seed any text; its SHA-256 seeds the generator, so that similar seeds draw unrelated values */
  constructor(seed: string) {
    this.#seed = seed;
    this.#generator = xoroshiro128plus(createHash("sha256").update(seed).digest().readInt32LE());
  }

  /** Draws a number of 53 random bits, at least 0 and below 1. */
  fraction(): number {
    return uniformFloat64(this.#generator);
  }

  /** Draws an integer from `lowest` to `highest`, both included. */
  between(lowest: number, highest: number): number {
    return uniformInt(this.#generator, lowest, highest);
  }

  /** Draws true with the given probability, from 0 (never) to 1 (always). */
  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  /** Draws one of `choices`. A choice that is listed twice is drawn twice as often. */
  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.between(0, choices.length - 1)] ?? choices[0];
  }

  /**
   * Draws `size` of the elements of `all` without replacement and keeps their order (selection sampling: Knuth, The Art
   * of Computer Programming, volume 2, 3.4.2, algorithm S). Returns all of them if there are fewer.
   */
  sample<T>(all: readonly T[], size: number): T[] {
    let [needed, left] = [size, all.length];
    return all.filter(() => {
      const isTaken = this.between(1, left--) <= needed;
      if (isTaken) needed--;
      return isTaken;
    });
  }

  /** Returns an independent generator, so that draws in one test do not change the draws in another. */
  fork(name: string): Random {
    return new Random(`${this.#seed}/${name}`);
  }
}
