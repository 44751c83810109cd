import { createHash } from "node:crypto";

/** A row's values in the order of its columns' names. */
export type Row = readonly (string | number | null)[];

/** How many rows a table holds, and the digest of them (64 hex digits). */
export type TableCount = { table: string; rows: number; digest: string };

/** How many rows tables hold together. */
export function sumRows(counts: readonly TableCount[]): number {
  return counts.reduce((sum, { rows }) => sum + rows, 0);
}

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

  /** Number and digest of the rows added so far, which must be all rows of `table`. */
  countOf(table: string): TableCount {
    return { table, rows: this.#rows, digest: this.#sum.toString(16).padStart(64, "0") };
  }
}
