import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { findPackageJSON } from "node:module";
import { constants, setPriority } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export type ProcessLimits = {
  /** Of JavaScript objects. */
  maxHeapMb: number;
  /** Of the whole process. */
  maxMemoryMb: number;
};

/**
 * Address space that Node reserves as data before it runs a program: 560 MB on two cores, and stacks for more cores. With
 * 768 MB, one in three readings of a Word document of 60 MB ended although its memory was within the limit.
 */
const RESERVED_BY_NODE_MB = 896;
/** Folders of the package that have code: not the data folder, which may be in it. */
const CODE_FOLDERS = ["build", "contract", "node_modules", "server"];
/**
 * The kernel refuses memory beyond a limit, and ends this process before the server if the machine has none left. The
 * watch of `runLimited` notices only what is allocated slowly.
 */
const LIMITING = `ulimit -d "$1" 2>/dev/null; echo 1000 2>/dev/null >/proc/self/oom_score_adj; shift; exec "$@"`;

/**
 * Starts a child process with an IPC channel for work on untrusted texts. It has no environment, which has secrets; it
 * reads the code of the package only, writes no file, starts no process, and no text becomes code. On Linux its memory
 * is bounded by the kernel. It runs after everything else that needs the processor.
 * @param entry module that calls `runLimited`
 */
export function startConfined(entry: URL, { maxHeapMb, maxMemoryMb }: ProcessLimits): ChildProcess {
  const program = [
    process.execPath,
    `--max-old-space-size=${maxHeapMb}`,
    ...["--unhandled-rejections=none", "--disallow-code-generation-from-strings"],
    // The worker is the watch of its memory.
    ...["--permission", "--allow-worker", ...readableCode(entry)],
    fileURLToPath(entry),
    ...[String(maxMemoryMb), String(process.pid)],
  ];
  const child = startLimited(program, (maxMemoryMb + RESERVED_BY_NODE_MB) * 1024);
  // A process that has not started has no id; its `error` event says why.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  return child;
}

/** @param maxDataKb limit of its writable memory in 1024 bytes */
function startLimited(program: readonly string[], maxDataKb: number): ChildProcess {
  const options: SpawnOptions = {
    env: {},
    // The output of a library could quote a text.
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    serialization: "advanced",
  };
  if (process.platform === "linux") {
    return spawn("/bin/sh", ["-c", LIMITING, "sh", String(maxDataKb), ...program], options);
  }
  const [command = process.execPath, ...args] = program;
  return spawn(command, args, options);
}

function readableCode(entry: URL): string[] {
  const file = findPackageJSON(entry) ?? fileURLToPath(entry);
  const paths = [file, ...CODE_FOLDERS.map((name) => join(dirname(file), name, "*"))];
  return paths.map((path) => `--allow-fs-read=${path}`);
}
