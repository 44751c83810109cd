import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { RunRecord } from "./record.ts";
import { inWords, isOverBudget, type Row, ratioOf, withUnit } from "./row.ts";

const documentFile = fileURLToPath(new URL("../../docs/benchmarks.md", import.meta.url));
const BETWEEN_MARKERS = /(<!-- bench:([\w-]+) -->\n)[\s\S]*?(<!-- \/bench -->)/g;

/** Reads docs/benchmarks.md. */
export const readDocument = (): string => readFileSync(documentFile, "utf8");

/** Reads docs/scaling.md, which computes with the benchmarks. */
export const readScaling = (): string => readFileSync(new URL("../../docs/scaling.md", import.meta.url), "utf8");

/** Writes the record's tables into docs/benchmarks.md. */
export function writeDocument(record: RunRecord): void {
  writeFileSync(documentFile, withTables(readDocument(), record));
}

/**
 * Replaces the text between `<!-- bench:NAME -->` and `<!-- /bench -->` with that bench's table, or for `machine` with
 * a description of the machine. Benches that the record does not have are not changed.
 */
export function withTables(page: string, record: RunRecord): string {
  return page.replace(BETWEEN_MARKERS, (whole, begin: string, name: string, end: string) => {
    const content = name === "machine" ? machineOf(record) : tableOf(record, name);
    return content === undefined ? whole : `${begin}\n${content}\n\n${end}`;
  });
}

function machineOf({ measuredOn, machine, versions }: RunRecord): string {
  const { processor, cores, memoryGb, system } = machine;
  const programs = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return `Measured on ${measuredOn}: ${cores} cores of ${processor}, ${memoryGb} GB, ${system}; ${programs.join(", ")}.`;
}

function tableOf({ benches }: RunRecord, name: string): string | undefined {
  const bench = benches[name];
  if (!bench) return undefined;
  const lines = [
    "| measurement | result | yardstick | ratio | allowed |",
    "|---|---:|---:|---:|---:|",
    ...bench.rows.map(lineOf),
  ];
  const from = bench.from ? `; measured on ${bench.from.day} with ${bench.from.processor}` : "";
  return `${lines.join("\n")}\n\nCommit ${bench.commit}, ${Math.ceil(bench.seconds / 60)} min${from}.`;
}

function lineOf(row: Row): string {
  const { name, value, unit, yardstick, allowed, allowedRatio } = row;
  const ratio = ratioOf(row);
  const measured = withUnit(value, unit);
  const cells = [
    name.replaceAll("|", "\\|"),
    isOverBudget(row) ? `**${measured}**` : measured,
    yardstick ? `${yardstick.name} ${withUnit(yardstick.value, unit)}` : "",
    ratio === undefined ? "" : inWords(ratio),
    allowedRatio === undefined ? "" : `${inWords(allowedRatio)} ×`,
  ];
  if (allowed !== undefined) cells[4] = [cells[4], withUnit(allowed, unit)].filter(Boolean).join(", ");
  return `| ${cells.join(" | ")} |`;
}
