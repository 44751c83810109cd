import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, release, totalmem } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { findChromium } from "../../scripts/find-chromium.ts";
import type { Row } from "./row.ts";

/** Rows of one bench, its duration (s) and its commit. `from`: the record that they were copied from. */
export type BenchRecord = { rows: Row[]; seconds: number; commit: string; from?: { day: string; processor: string } };

/** Measurements of one day on one machine. */
export type RunRecord = {
  measuredOn: string;
  machine: { processor: string; cores: number; memoryGb: number; system: string };
  versions: Record<string, string>;
  benches: Record<string, BenchRecord>;
};

const recordsFolder = fileURLToPath(new URL("../records/", import.meta.url));

/** Returns the record of the last day that has one. */
export function readLastRecord(folder = recordsFolder): RunRecord | undefined {
  const last = fileNames(folder).at(-1);
  return last === undefined ? undefined : (JSON.parse(readFileSync(join(folder, last), "utf8")) as RunRecord);
}

/** Saves a record; benches that were not run are copied from the last one. @returns the file's name */
export function saveRecord(record: RunRecord, folder = recordsFolder): string {
  mkdirSync(folder, { recursive: true });
  const file = `${record.measuredOn}.json`;
  const merged = { ...record, benches: { ...carriedOver(readLastRecord(folder), record), ...record.benches } };
  writeFileSync(join(folder, file), `${JSON.stringify(merged, undefined, 2)}\n`);
  return `bench/records/${file}`;
}

function carriedOver(last: RunRecord | undefined, to: RunRecord): RunRecord["benches"] {
  if (!last || last.measuredOn === to.measuredOn) return last?.benches ?? {};
  const from = { day: last.measuredOn, processor: last.machine.processor };
  return Object.fromEntries(Object.entries(last.benches).map(([name, bench]) => [name, { from, ...bench }]));
}

/** Names of the records by date: ISO dates sort lexicographically. */
function fileNames(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^\d{4}-\d\d-\d\d\.json$/.test(name))
      .sort();
  } catch {
    return [];
  }
}

/** Describes the machine and the versions of this run. */
export function describeRun(now: Date, benches: RunRecord["benches"]): RunRecord {
  const chromium = findChromium();
  return {
    measuredOn: now.toISOString().slice(0, 10),
    machine: {
      processor: cpus()[0]?.model.trim() ?? "unknown",
      cores: cpus().length,
      memoryGb: Math.round(totalmem() / 1024 ** 3),
      system: `Linux ${release().split("-")[0]}`,
    },
    versions: {
      Node: process.versions.node,
      SQLite: process.versions.sqlite ?? "unknown",
      ...versionFrom("PostgreSQL", "psql", ["--version"]),
      ...(chromium !== undefined && versionFrom("Chromium", chromium, ["--version"])),
    },
    benches,
  };
}

/** Returns the checked-out commit, with a `+` if files differ from it. */
export function currentCommit(): string {
  const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8" }).trim();
  try {
    return `${git("rev-parse", "--short", "HEAD")}${git("status", "--porcelain", "--untracked-files=no") === "" ? "" : "+"}`;
  } catch {
    return "unknown";
  }
}

function versionFrom(name: string, program: string, args: string[]): Record<string, string> {
  try {
    const said = execFileSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return { [name]: /\d+(\.\d+)+/.exec(said)?.[0] ?? "unknown" };
  } catch {
    return {};
  }
}
