import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { root } from "../child.mjs";
import type { MachineLoad } from "./machine-load.ts";
import type { StageResult } from "./stage-process.ts";
import type { Length } from "./stages.ts";
import type { Tally } from "./tally.ts";

/** Times in seconds; see {@link StageResult}. */
export type RecordedStage = Tally & {
  name: string;
  seconds: number;
  processorSeconds: number | undefined;
  machine: MachineLoad | undefined;
  yardstick: number;
};

/** The commit that a run tests, read before the start. `isClean`: the working tree has no changes. */
export type TestedCommit = { commit: string | undefined; isClean: boolean; startedAt: string };

/** Environment, times in seconds and results of a run. `npm run figures` compares records. */
export type TestRecord = TestedCommit & {
  length: Length;
  finishedAt: string;
  seconds: number;
  machine: { cores: number; processor: string; memoryMb: number; node: string };
  stages: RecordedStage[];
};

const round = (seconds: number) => Math.round(seconds * 10) / 10;

export function readTestedCommit(): TestedCommit {
  return {
    commit: git("rev-parse", "HEAD"),
    isClean: git("status", "--porcelain") === "",
    startedAt: new Date().toISOString(),
  };
}

type Finished = { tested: TestedCommit; length: Length; seconds: number; results: readonly StageResult[] };

export function recordOf({ tested, length, seconds, results }: Finished): TestRecord {
  const processors = cpus();
  return {
    ...tested,
    // A change during the run was tested only by the later stages.
    isClean: tested.isClean && git("status", "--porcelain") === "" && git("rev-parse", "HEAD") === tested.commit,
    length,
    finishedAt: new Date().toISOString(),
    seconds: round(seconds),
    machine: {
      cores: processors.length,
      processor: processors[0]?.model ?? "",
      memoryMb: Math.round(totalmem() / 1024 ** 2),
      node: process.version,
    },
    stages: results.map(({ name, tally, seconds: elapsed, processorSeconds: used, machine, yardstick }) => ({
      name,
      ...tally,
      seconds: round(elapsed),
      processorSeconds: used === undefined ? undefined : round(used),
      machine: machine && { busy: round(machine.busy), stolen: round(machine.stolen), all: round(machine.all) },
      yardstick: round(yardstick),
    })),
  };
}

/** @returns the file's path, relative to the repository */
export async function saveRecord(record: TestRecord): Promise<string> {
  const path = join("test-results", `${record.length}-${record.commit?.slice(0, 12) ?? "no-commit"}.json`);
  await mkdir(join(root, "test-results"), { recursive: true });
  await writeFile(join(root, path), `${JSON.stringify(record, null, 2)}\n`);
  return path;
}

/** Returns undefined without git or outside a repository. */
function git(...args: string[]): string | undefined {
  try {
    return execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return undefined;
  }
}
