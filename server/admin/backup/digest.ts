import { createHash } from "node:crypto";

/** A row's values in the order of its columns' names. */
export type Row = readonly (string | number | null)[];

const SPACE = 1n << 256n;

/**
 * How many rows, and what they are, in whichever order they come: the sum of their SHA-256 hashes modulo 2^256. Both
 * databases give the same for the same rows.
 */
export class Digest {
  #rows = 0;
  #sum = 0n;

  add(row: Row): void {
    this.#rows++;
    const hash = createHash("sha256").update(JSON.stringify(row)).digest("hex");
    this.#sum = (this.#sum + BigInt(`0x${hash}`)) % SPACE;
  }

  get rows(): number {
    return this.#rows;
  }

  /** 64 hex digits. */
  get value(): string {
    return this.#sum.toString(16).padStart(64, "0");
  }
}
