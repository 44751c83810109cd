import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, readFileSync, type WriteStream } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { root, sharedCompileCache } from "../../scripts/child.mjs";
import { HANG_MS } from "../app/wait-for.ts";

const bundle = join(root, "build", "server", "main.js");
const endWithParent = join(root, "scripts", "end-with-parent.mjs");
const steppedClock = join(root, "testing", "servers", "stepped-clock.mjs");

/** One kill: times (`performance.now()`) of the signal, of the exit, and of the next process being ready. */
export type Death = {
  server: string;
  signal: NodeJS.Signals;
  at: number;
  goneAt: number | undefined;
  readyAgainAt: number | undefined;
};

/** The built server as `npm start` runs it, which can be killed and restarted on the same data. */
export class ServerProcess implements AsyncDisposable {
  readonly name: string;
  readonly dataDir: string;
  readonly deaths: Death[] = [];
  readonly #env: Record<string, string>;
  readonly #log: WriteStream;
  readonly #host: string;
  #child: ChildProcess | undefined;
  #port = 0;
  #isFrozen = false;
  #isOver = false;
  #output = "";
  #program = { entry: bundle, env: {} };

  /** `env` may contain HOST and PORT. Without PORT each start uses a free port. */
  constructor(name: string, dataDir: string, env: Readonly<Record<string, string>>, logFile = `${dataDir}.log`) {
    this.name = name;
    this.dataDir = dataDir;
    this.#env = { PORT: "0", ...sharedCompileCache, ...env, DATA_DIR: dataDir };
    this.#host = env.HOST ?? "127.0.0.1";
    this.#log = createWriteStream(logFile, { flags: "a" });
  }

  /** Port of the process; 0 while it does not listen or is frozen. */
  get port(): number {
    return this.#isFrozen ? 0 : this.#port;
  }

  get url(): string {
    return `http://${this.#host}:${this.#port}`;
  }

  /** Id of the running process. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get isRunning(): boolean {
    return this.#child !== undefined;
  }

  /** Sets the entry point that the next start runs, with additional variables; by default the built server. */
  setProgram(entry = bundle, env: Readonly<Record<string, string>> = {}): void {
    this.#program = { entry, env };
  }

  /** Starts the process and waits until it is ready. @returns the time that took, in ms */
  async start(): Promise<number> {
    if (this.#isOver) throw new Error(`${this.name} is not to be started any more`);
    const startedAt = performance.now();
    const preloads = ["--disable-warning=ExperimentalWarning", "--import", endWithParent, "--import", steppedClock];
    const child = spawn(process.execPath, [...preloads, this.#program.entry], {
      env: { PATH: process.env.PATH, ...this.#env, ...this.#program.env },
      stdio: ["pipe", "pipe", "pipe", "ipc"],
    });
    this.#child = child;
    child.stdin?.on("error", () => undefined);
    this.#output = "";
    const ready = new Promise<string>((resolve, reject) => {
      const read = (chunk: Buffer) => {
        this.#log.write(chunk);
        this.#output += chunk.toString();
        const address = / is running on \S+:(\d+)/.exec(this.#output)?.[1];
        if (address) resolve(address);
      };
      child.stdout?.on("data", read);
      child.stderr?.on("data", read);
      child.once("close", (code, signal) => {
        if (this.#child === child) this.#forget();
        reject(new Error(`${this.name} ended (${code ?? signal}) before it was ready: ${this.#output.slice(-2000)}`));
      });
      setTimeout(() => reject(new Error(`${this.name} is not ready`)), HANG_MS).unref();
    });
    this.#port = Number(await ready);
    const now = performance.now();
    for (const death of this.deaths) death.readyAgainAt ??= now;
    return now - startedAt;
  }

  /** Output since the last start. */
  get output(): string {
    return this.#output;
  }

  /** Sends a signal and waits for the exit. @returns the exit code; null if the signal killed the process */
  async end(signal: "SIGKILL" | "SIGTERM"): Promise<number | null> {
    const child = this.#child;
    if (!child) return null;
    const closed = once(child, "close");
    if (signal === "SIGKILL") this.#port = 0;
    const at = performance.now();
    const death: Death = { server: this.name, signal, at, goneAt: undefined, readyAgainAt: undefined };
    this.deaths.push(death);
    child.kill(signal);
    const [code] = await closed;
    death.goneAt = performance.now();
    this.#forget();
    return code;
  }

  /** Freezes the process with SIGSTOP. Its port is 0 meanwhile, like behind a balancer with health checks. */
  freeze(): void {
    this.#isFrozen = true;
    this.#child?.kill("SIGSTOP");
  }

  thaw(): void {
    this.#isFrozen = false;
    this.#child?.kill("SIGCONT");
  }

  /** Shifts the wall clock of the process by an offset until it exits. */
  async setClock(offsetMs: number): Promise<void> {
    const child = this.#child;
    if (!child) throw new Error(`${this.name} does not run`);
    const isSet = once(child, "message");
    child.send({ clockOffsetMs: offsetMs });
    await isSet;
  }

  /** Moves the wall clock an hour forward, and at the next call back. */
  stepClock(): void {
    this.#child?.kill("SIGUSR2");
  }

  /** Resident memory in MB. Linux only; NaN elsewhere or if the process does not run. */
  rssMb(): number {
    try {
      const status = readFileSync(`/proc/${this.#child?.pid}/status`, "utf8");
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    } catch {
      return Number.NaN;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.killNow();
    if (this.#child) await once(this.#child, "close");
    this.#log.end();
  }

  /** Kills the process and prevents restarts; used when this process is ended by a signal. */
  killNow(): void {
    this.#isOver = true;
    this.#child?.kill("SIGKILL");
  }

  #forget(): void {
    this.#child = undefined;
    this.#port = 0;
  }
}
