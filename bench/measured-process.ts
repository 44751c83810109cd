import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import process from "node:process";
import { createInterface } from "node:readline";

/** Clock ticks a second in /proc, the same on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** A program under measurement, in a process of its own. Linux only: reads /proc. */
export class MeasuredProcess implements AsyncDisposable {
  readonly lines: string[] = [];
  /** From the spawn to the line that said it was ready. */
  readyMs = 0;
  readonly #child: ChildProcess;
  readonly #listeners = new Set<() => void>();

  constructor(args: string[], env: Record<string, string>) {
    this.#child = spawn(process.execPath, args, {
      env: { PATH: process.env.PATH, ...env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    if (!this.#child.stdout) throw new Error("The process has no output to read");
    createInterface(this.#child.stdout).on("line", (line) => {
      this.lines.push(line);
      for (const listener of this.#listeners) listener();
    });
  }

  /** Waits for a line of its output. @returns what the pattern's first group caught */
  async said(pattern: RegExp): Promise<string> {
    for (;;) {
      for (const line of this.lines) {
        const found = pattern.exec(line)?.[1];
        if (found) return found;
      }
      await new Promise<void>((resolve) => this.#listeners.add(resolve));
    }
  }

  /** Processor time so far, user and system, in ms (to 10 ms). */
  cpuMs(): number {
    const fields = readFileSync(`/proc/${this.#child.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
  }

  rssMb(): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null) return;
    this.#child.kill("SIGTERM");
    await once(this.#child, "exit");
  }
}
