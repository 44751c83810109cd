import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../scripts/child.mjs";
import type { LineId } from "./lines.ts";

/** One thing that was tried on one line of the checklist. */
export type Row = {
  line: LineId;
  /** What was tried, as the table prints it. */
  tried: string;
  /** How many inputs it was tried with. */
  inputs: number;
  held: boolean;
  /** What did not hold, or what was measured. */
  detail?: string;
};

/** Failures that a row tells; the rest are counted. */
const REPORTED_FAILURES = 3;

/** What one try on one line saw. */
export class Trial {
  readonly #failures: string[] = [];
  readonly #notes: string[] = [];
  #inputs = 0;

  /** One input with what became of it; `told` is shown where it did not hold, so that it can be repeated. */
  expect(holds: boolean, detail: string | (() => string)): void {
    this.#inputs++;
    if (!holds) this.#failures.push(typeof detail === "string" ? detail : detail());
  }

  /** Inputs that were tried without a finding of their own. */
  count(inputs: number): void {
    this.#inputs += inputs;
  }

  /** A finding without an input. */
  fail(detail: string): void {
    this.#failures.push(detail);
  }

  /** What was measured; for the table. */
  note(detail: string): void {
    this.#notes.push(detail);
  }

  toRow(line: LineId, tried: string): Row {
    const more = this.#failures.length - REPORTED_FAILURES;
    const detail = [
      ...this.#failures.slice(0, REPORTED_FAILURES),
      ...(more > 0 ? [`and ${more} more`] : []),
      ...this.#notes,
    ];
    // What was tried with nothing was not tried.
    const held = this.#failures.length === 0 && this.#inputs > 0;
    return { line, tried, inputs: this.#inputs, held, ...(detail.length > 0 && { detail: detail.join("; ") }) };
  }
}

/** What a run came to, line by line. */
export class Report {
  readonly rows: Row[] = [];
  readonly skipped: string[] = [];
  readonly #print: (text: string) => void;

  constructor(print: (text: string) => void) {
    this.#print = print;
  }

  add(row: Row): void {
    this.rows.push(row);
    const { line, tried, inputs, held, detail } = row;
    this.#print(`${held ? "✓" : "✗"} ${line.padEnd(4)} ${tried} (${inputs})${detail ? `: ${detail}` : ""}`);
  }

  /** Tries something on a line and adds the row; what it throws is a finding. */
  async try(line: LineId, tried: string, act: (trial: Trial) => Promise<void> | void): Promise<void> {
    const trial = new Trial();
    try {
      await act(trial);
    } catch (error) {
      trial.fail(error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
    this.add(trial.toRow(line, tried));
  }

  /** What could not be tried here, and why. With `CI` set that fails. */
  skip(what: string): void {
    this.skipped.push(what);
    this.#print(`– ${what}`);
  }
}

/** Where `npm test` reads what a run came to. */
const resultsFile = join(root, "test-results", "security.json");

/** Counts rows. */
export async function writeResults(rows: readonly Row[], skipped: readonly string[]): Promise<void> {
  await mkdir(join(root, "test-results"), { recursive: true });
  const failed = rows.filter(({ held }) => !held).length;
  const counts = { passed: rows.length - failed, failed, skipped: skipped.length };
  await writeFile(resultsFile, `${JSON.stringify({ ...counts, rows, skippedParts: skipped }, null, 2)}\n`);
}
