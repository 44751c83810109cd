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
  #child: ChildProcess | undefined;
  #url: string | undefined;

  constructor(env: Readonly<Record<string, string>>) {
    this.#env = { PORT: "0", ...sharedCompileCache, ...env };
  }

  /** Undefined while it does not listen. */
  get url(): string | undefined {
    return this.#url;
  }

  /** Starts the process and waits until it listens. */
  async start(): Promise<void> {
    const program = ["--import", endWithParent, main];
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
    const child = this.#child;
    this.#url = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }
}
