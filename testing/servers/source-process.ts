import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { sharedCompileCache } from "../../scripts/child.mjs";

const main = fileURLToPath(new URL("../../server/main.ts", import.meta.url));
const endWithParent = fileURLToPath(new URL("../../scripts/end-with-parent.mjs", import.meta.url));

/** The server as a process of its own, from its sources, which can be killed and restarted on the same data. */
export class SourceProcess implements AsyncDisposable {
  readonly #env: Readonly<Record<string, string>>;
  readonly #program: string;
  #child: ChildProcess | undefined;
  #url: string | undefined;

  /** @param program its entry point, by default that of the server */
  constructor(env: Readonly<Record<string, string>>, program = main) {
    this.#program = program;
    this.#env = { PORT: "0", ...sharedCompileCache, ...env };
  }

  /** Undefined while it does not listen. */
  get url(): string | undefined {
    return this.#url;
  }

  /** Starts the process and waits until it listens. */
  async start(): Promise<void> {
    const program = ["--import", endWithParent, this.#program];
    const child = spawn(process.execPath, program, { env: this.#env, stdio: ["pipe", "pipe", "ignore"] });
    this.#child = child;
    for await (const line of createInterface(child.stdout)) {
      this.#url = / is running on (http:\S+)$/.exec(line)?.[1];
      if (this.#url) break;
    }
    if (!this.#url) throw new Error("The server did not start");
    child.stdout.resume();
  }

  async kill(): Promise<void> {
    await this.end("SIGKILL");
  }

  /** Sends a signal and waits for the exit. @returns the exit code; null if the signal killed the process */
  async end(signal: "SIGKILL" | "SIGTERM"): Promise<number | null> {
    const child = this.#child;
    this.#url = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    child.kill(signal);
    const [code] = await once(child, "exit");
    return code;
  }

  /** Freezes the process, as a machine without processor time would. */
  freeze(): void {
    this.#child?.kill("SIGSTOP");
  }

  thaw(): void {
    this.#child?.kill("SIGCONT");
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }
}
