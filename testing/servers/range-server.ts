import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** How the server answers: with ranges, or as a service that is broken. */
export type RangeServerState = "up" | "down" | "silent" | "stalled" | "endless" | "page";

export type RangeRequest = {
  method: string | undefined;
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
};

/** Range API of Pwned Passwords on a free port, with some breached passwords. Answers are padded. */
export class RangeServer implements AsyncDisposable {
  state: RangeServerState = "up";
  readonly requests: RangeRequest[] = [];
  readonly #counts = new Map<string, number>();
  readonly #server = createServer((request, response) => void this.#receive(request, response));

  /** For `PASSWORD_BREACH_LOOKUP`. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mirror/`;
  }

  async listen(): Promise<void> {
    // As an HTTPS proxy it records the target, and refuses the tunnel.
    this.#server.on("connect", ({ method, url: path = "", headers }, socket) => {
      this.requests.push({ method, path, headers, body: "" });
      socket.destroy();
    });
    await once(this.#server.listen(0, "127.0.0.1"), "listening");
  }

  /** Adds a password. With the count 0, its line is one of padding. */
  add(password: string, count = 1): void {
    this.#counts.set(sha1(password), count);
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray()).toString();
    const { method, url: path = "", headers } = request;
    this.requests.push({ method, path, headers, body });
    const prefix = /^\/mirror\/range\/([\dA-F]{5})$/.exec(path)?.[1];
    if (this.state === "silent") return;
    if (this.state === "down" || prefix === undefined) response.writeHead(500).end();
    else if (this.state === "stalled") response.writeHead(200).write(this.#rangeOf(prefix).slice(0, 10));
    else if (this.state === "page") response.end("<html><title>Sign in to the network</title></html>");
    else if (this.state === "endless") response.end(`${this.#rangeOf(prefix)}\r\n`.padEnd(2 ** 20, `${PADDING}\r\n`));
    else response.end(this.#rangeOf(prefix));
  }

  #rangeOf(prefix: string): string {
    const found = [...this.#counts].filter(([hash]) => hash.startsWith(prefix));
    return [...found.map(([hash, count]) => `${hash.slice(5)}:${count}`), PADDING].join("\r\n");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

const PADDING = `${"0".repeat(35)}:0`;

export function sha1(password: string): string {
  return createHash("sha1").update(password, "utf8").digest("hex").toUpperCase();
}

export async function startRangeServer(): Promise<RangeServer> {
  const server = new RangeServer();
  await server.listen();
  return server;
}
