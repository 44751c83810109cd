import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../child.mjs";
import type { RecordedStage, TestRecord } from "./record.ts";

/** Committed records, to compare with, and those of the runs in this folder. */
const folders = [join(root, "scripts", "test", "records"), join(root, "test-results")];

/** Records that are compared: the newest ones. */
const COMPARED = 5;

/** Returns the newest records of a length, oldest first. */
export function readRecords(length: string, from: readonly string[] = folders): TestRecord[] {
  const files = from.flatMap((folder) =>
    existsSync(folder) ? readdirSync(folder).map((name) => ({ name, path: join(folder, name) })) : [],
  );
  const records = files
    .filter(({ name }) => name.startsWith(`${length}-`) && name.endsWith(".json"))
    .map(({ path }): TestRecord => JSON.parse(readFileSync(path, "utf8")));
  return records.sort((one, other) => one.startedAt.localeCompare(other.startedAt)).slice(-COMPARED);
}

const cellOf = (stage: RecordedStage | undefined) => {
  if (stage === undefined) return "";
  const { seconds, processorSeconds, machine } = stage;
  const busy = machine === undefined ? "" : `, ${Math.round((machine.busy / machine.all) * 100)} % busy`;
  return `${Math.round(seconds)} s (${Math.round(processorSeconds ?? 0)}${busy})`;
};

/**
 * Returns rows of cells: for each stage and record the elapsed seconds and, in brackets, the processor seconds of the
 * stage and how busy the machine was. The last two rows are the whole run and the yardstick, by which machines differ.
 */
export function compareRecords(records: readonly TestRecord[]): string[][] {
  const names = [...new Set(records.flatMap(({ stages }) => stages.map(({ name }) => name)))];
  const meanYardstick = ({ stages }: TestRecord) => {
    const seconds = stages.reduce((sum, stage) => sum + stage.seconds, 0);
    return stages.reduce((sum, stage) => sum + stage.yardstick * stage.seconds, 0) / seconds;
  };
  return [
    ["", ...records.map(({ startedAt, commit }) => `${startedAt.slice(0, 16)} ${commit?.slice(0, 8) ?? ""}`)],
    ...names.map((name) => [name, ...records.map(({ stages }) => cellOf(stages.find((stage) => stage.name === name)))]),
    ["whole run", ...records.map(({ seconds }) => `${Math.round(seconds)} s`)],
    ["yardstick", ...records.map((record) => `${meanYardstick(record).toFixed(2)} s`)],
  ];
}
