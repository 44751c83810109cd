import { createHash } from "node:crypto";

/** Values of a row, sorted by the names of the columns. */
export type Row = readonly (string | number | null)[];

/** Number of rows of a table, and their digest (64 hex digits). */
export type TableCount = { table: string; rows: number; digest: string };

/** Returns the total number of rows. */
export function sumRows(counts: readonly TableCount[]): number {
  return counts.reduce((sum, { rows }) => sum + rows, 0);
}

const SPACE = 1n << 256n;

/**
 * Order-independent digest of rows: the sum of their SHA-256 hashes modulo 2^256. Both databases yield the same digest
 * for the same rows.
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
