import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** The program of the reference server, which has a tool for each feature of the protocol. */
export const EVERYTHING = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js"));

const SEND_PORT = new URL("./send-port.mjs", import.meta.url).href;

/** The reference server over Streamable HTTP, on a free port. */
export class EverythingServer implements AsyncDisposable {
  readonly url: string;
  readonly #child: ChildProcess;

  constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.url = `http://127.0.0.1:${port}/mcp`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exited = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await exited;
  }
}

export async function startEverythingServer(): Promise<EverythingServer> {
  const child = spawn(process.execPath, ["--import", SEND_PORT, EVERYTHING, "streamableHttp"], {
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const [{ port }] = await once(child, "message");
  return new EverythingServer(child, Number(port));
}
