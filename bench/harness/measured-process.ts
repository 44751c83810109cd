import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** Clock ticks a second in /proc, the same on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;
/** Time limit for the shutdown of a server. */
const END_TIMEOUT_MS = 15_000;

/** Child processes, killed when the bench exits. */
const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(1));

/** A program under measurement, in a process of its own. Linux only: reads /proc. */
export class MeasuredProcess implements AsyncDisposable {
  readonly lines: string[] = [];
  /** Time from the spawn to the line that reports readiness. */
  readyMs = 0;
  readonly #child: ChildProcess;
  readonly #listeners = new Set<() => void>();
  #hasEnded = false;

  /** `args`: command line of Node. */
  constructor(args: string[], env: Record<string, string> = {}) {
    this.#child = spawn(process.execPath, args, {
      env: { PATH: process.env.PATH, ...env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    running.add(this.#child);
    if (!this.#child.stdout) throw new Error("The process has no output to read");
    createInterface(this.#child.stdout).on("line", (line) => {
      this.lines.push(line);
      this.#report();
    });
    this.#child.on("exit", () => {
      this.#hasEnded = true;
      running.delete(this.#child);
      this.#report();
    });
  }

  #report(): void {
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }

  /** Waits for a matching line of output. @returns the pattern's first group */
  async said(pattern: RegExp): Promise<string> {
    for (;;) {
      for (const line of this.lines) {
        const found = pattern.exec(line)?.[1];
        if (found) return found;
      }
      if (this.#hasEnded) throw new Error(`The process ended without printing ${pattern}: ${this.lines.join("\n")}`);
      await new Promise<void>((resolve) => this.#listeners.add(resolve));
    }
  }

  /** Waits until the process reports its port. @returns the URL */
  async saidUrl(): Promise<string> {
    return `http://127.0.0.1:${await this.said(/^listening on (\d+)$/)}`;
  }

  /** Processor time so far, user and system, in ms (to 10 ms). */
  cpuMs(): number {
    const fields = readFileSync(`/proc/${this.#child.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
  }

  rssMb(): number {
    return this.#statusMb("VmRSS");
  }

  /** The largest resident memory since {@link resetPeak}, or the start. */
  peakMb(): number {
    return this.#statusMb("VmHWM");
  }

  /** The largest resident memory that a running child of the process has had, in MB; 0 without a child. */
  childPeakMb(): number {
    const { pid } = this.#child;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean);
    return Math.max(0, ...children.map((child) => statusMb(child, "VmHWM")));
  }

  resetPeak(): void {
    // 5: resets VmHWM to the current size (proc(5)).
    writeFileSync(`/proc/${this.#child.pid}/clear_refs`, "5");
  }

  #statusMb(field: string): number {
    return statusMb(this.#child.pid, field);
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#hasEnded) return;
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGTERM");
    const killTimer = setTimeout(() => this.#child.kill("SIGKILL"), END_TIMEOUT_MS);
    await ended;
    clearTimeout(killTimer);
  }
}

/** Returns the largest resident memory that a process has had, in MB. */
export const peakMbOf = (pid: number): number => statusMb(pid, "VmHWM");

function statusMb(pid: number | string | undefined, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
}

/** Starts a server of the yardsticks. @returns the process and its URL */
export async function startYardstick(
  name: string,
  env: Record<string, string> = {},
): Promise<AsyncDisposable & { process: MeasuredProcess; url: string }> {
  const file = fileURLToPath(new URL(`../yardsticks/${name}.ts`, import.meta.url));
  const server = new MeasuredProcess([file], env);
  return { process: server, url: await server.saidUrl(), [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
