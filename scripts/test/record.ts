import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { root } from "../child.mjs";
import type { StageResult } from "./stage-process.ts";
import type { Tally } from "./tally.ts";

type RecordedStage = Tally & { name: string; seconds: number; processorSeconds: number | undefined };

/** What a proof ran on and what came of it. `isClean`: no file differs from the commit. */
export type ProofRecord = {
  commit: string | undefined;
  isClean: boolean;
  finishedAt: string;
  machine: { cores: number; processor: string; memoryMb: number; node: string };
  stages: RecordedStage[];
};

const round = (seconds: number) => Math.round(seconds * 10) / 10;

export function recordOf(results: readonly StageResult[]): ProofRecord {
  const processors = cpus();
  return {
    commit: git("rev-parse", "HEAD"),
    isClean: git("status", "--porcelain") === "",
    finishedAt: new Date().toISOString(),
    machine: {
      cores: processors.length,
      processor: processors[0]?.model ?? "",
      memoryMb: Math.round(totalmem() / 1024 ** 2),
      node: process.version,
    },
    stages: results.map(({ name, tally, seconds, processorSeconds: used }) => ({
      name,
      ...tally,
      seconds: round(seconds),
      processorSeconds: used === undefined ? undefined : round(used),
    })),
  };
}

/** @returns the file's path, relative to the repository */
export async function saveRecord(record: ProofRecord): Promise<string> {
  const path = join("test-results", `proof-${record.commit?.slice(0, 12) ?? "no-commit"}.json`);
  await mkdir(join(root, "test-results"), { recursive: true });
  await writeFile(join(root, path), `${JSON.stringify(record, null, 2)}\n`);
  return path;
}

/** Undefined where there is no git, or no repository. */
function git(...args: string[]): string | undefined {
  try {
    return execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return undefined;
  }
}
