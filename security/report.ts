import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../scripts/child.mjs";
import type { LineId } from "./lines.ts";

/** Result of one trial on a line of the checklist. */
export type Row = {
  line: LineId;
  /** Description of the trial, as the table prints it. */
  tried: string;
  /** Number of inputs. */
  inputs: number;
  held: boolean;
  /** Failures or measurements. */
  detail?: string;
};

/** Number of failures that a row prints; the rest are counted. */
const REPORTED_FAILURES = 3;

/** Collects the results of one trial. */
export class Trial {
  readonly #failures: string[] = [];
  readonly #notes: string[] = [];
  #inputs = 0;

  /** Records one input. `detail`: printed if it did not hold, so that it can be repeated. */
  expect(holds: boolean, detail: string | (() => string)): void {
    this.#inputs++;
    if (!holds) this.#failures.push(typeof detail === "string" ? detail : detail());
  }

  /** Counts inputs without individual results. */
  count(inputs: number): void {
    this.#inputs += inputs;
  }

  /** Records a failure without an input. */
  fail(detail: string): void {
    this.#failures.push(detail);
  }

  /** Adds a measurement to the table. */
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
    // A trial without inputs does not hold.
    const held = this.#failures.length === 0 && this.#inputs > 0;
    return { line, tried, inputs: this.#inputs, held, ...(detail.length > 0 && { detail: detail.join("; ") }) };
  }
}

/** Result of a run, by line. */
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

  /** Runs a trial on a line and adds its row; an exception is a failure. */
  async try(line: LineId, tried: string, act: (trial: Trial) => Promise<void> | void): Promise<void> {
    const trial = new Trial();
    try {
      await act(trial);
    } catch (error) {
      trial.fail(error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
    this.add(trial.toRow(line, tried));
  }

  /** Records a trial that cannot run here, and why. With `CI` set that fails. */
  skip(what: string): void {
    this.skipped.push(what);
    this.#print(`– ${what}`);
  }
}

/** File from which `npm test` reads the result. */
const resultsFile = join(root, "test-results", "security.json");

/** Writes the numbers of rows that held, failed and were skipped. */
export async function writeResults(rows: readonly Row[], skipped: readonly string[]): Promise<void> {
  await mkdir(join(root, "test-results"), { recursive: true });
  const failed = rows.filter(({ held }) => !held).length;
  const counts = { passed: rows.length - failed, failed, skipped: skipped.length };
  await writeFile(resultsFile, `${JSON.stringify({ ...counts, rows, skippedParts: skipped }, null, 2)}\n`);
}
