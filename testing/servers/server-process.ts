import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, readFileSync, type WriteStream } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { root } from "../../scripts/child.mjs";

const bundle = join(root, "build", "server", "main.js");
const endWithParent = join(root, "scripts", "end-with-parent.mjs");
const steppedClock = join(root, "testing", "servers", "stepped-clock.mjs");
const STARTS_WITHIN_MS = 30_000;

/** One death: when the signal was sent, the process gone, and the one that follows ready. Times of `performance.now()`. */
export type Death = {
  server: string;
  signal: NodeJS.Signals;
  at: number;
  goneAt: number | undefined;
  readyAgainAt: number | undefined;
};

/** The built server as `npm start` runs it, which can die and be started again on the same data. */
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

  /** `env` may name HOST and PORT: without a PORT each start takes a free one. */
  constructor(name: string, dataDir: string, env: Readonly<Record<string, string>>, logFile = `${dataDir}.log`) {
    this.name = name;
    this.dataDir = dataDir;
    this.#env = { PORT: "0", ...env, DATA_DIR: dataDir };
    this.#host = env.HOST ?? "127.0.0.1";
    this.#log = createWriteStream(logFile, { flags: "a" });
  }

  /** Where it listens; 0 while it does not, or is frozen. */
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

  /** @returns how long it took until it was ready, in ms */
  async start(): Promise<number> {
    if (this.#isOver) throw new Error(`${this.name} is not to be started any more`);
    const startedAt = performance.now();
    const preloads = ["--disable-warning=ExperimentalWarning", "--import", endWithParent, "--import", steppedClock];
    const child = spawn(process.execPath, [...preloads, bundle], {
      env: { PATH: process.env.PATH, ...this.#env },
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
      setTimeout(() => reject(new Error(`${this.name} is not ready`)), STARTS_WITHIN_MS).unref();
    });
    this.#port = Number(await ready);
    const now = performance.now();
    for (const death of this.deaths) death.readyAgainAt ??= now;
    return now - startedAt;
  }

  /** What it has printed since its last start. */
  get output(): string {
    return this.#output;
  }

  /** Sends a signal that ends it, and waits for its end. @returns its exit code; null where the signal ended it */
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

  /** Stops its time. No connection is given to it meanwhile, as by a balancer that looks after its servers. */
  freeze(): void {
    this.#isFrozen = true;
    this.#child?.kill("SIGSTOP");
  }

  thaw(): void {
    this.#isFrozen = false;
    this.#child?.kill("SIGCONT");
  }

  /** Sets its wall clock to the true one and so many ms more, or less, until it ends. */
  async setClock(offsetMs: number): Promise<void> {
    const child = this.#child;
    if (!child) throw new Error(`${this.name} does not run`);
    const isSet = once(child, "message");
    child.send({ clockOffsetMs: offsetMs });
    await isSet;
  }

  /** By turns an hour on and an hour back. */
  stepClock(): void {
    this.#child?.kill("SIGUSR2");
  }

  /** Memory in use, in MB. Linux only; NaN elsewhere or when it does not run. */
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

  /** At once and for good, for when we are told to end ourselves. */
  killNow(): void {
    this.#isOver = true;
    this.#child?.kill("SIGKILL");
  }

  #forget(): void {
    this.#child = undefined;
    this.#port = 0;
  }
}
