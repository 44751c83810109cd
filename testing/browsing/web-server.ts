import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, LookupFunction, Socket } from "node:net";

/** A request that arrived. `path`: with its query. */
export type WebRequest = { method: string; path: string; headers: IncomingHttpHeaders; body: string };

/** Answer to a path: by default status 200, as HTML. A function writes the response itself. */
export type WebAnswer =
  | { status?: number; headers?: Record<string, string>; body?: string | Uint8Array }
  | ((response: ServerResponse, request: WebRequest) => void);

/** A web server on a free port of an address of this machine, whose answers a test sets. Other paths are 404. */
export class WebServer implements AsyncDisposable {
  readonly answers = new Map<string, WebAnswer>();
  readonly requests: WebRequest[] = [];
  /** Number of connections that were opened. */
  connections = 0;
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  constructor() {
    this.#server = createServer(async (incoming, response) => {
      const { method = "", url: path = "", headers } = incoming;
      const pieces: Buffer[] = [];
      for await (const piece of incoming) pieces.push(piece);
      const request = { method, path, headers, body: Buffer.concat(pieces).toString() };
      this.requests.push(request);
      this.#answer(request, response);
    });
    this.#server.on("connection", (socket: Socket) => {
      this.connections++;
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket)).on("error", () => socket.destroy());
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Number of open connections. */
  get openSockets(): number {
    return this.#sockets.size;
  }

  /** Returns a URL of this server by a name that a test resolves. */
  url(path: string, host = "public.test"): string {
    return `http://${host}:${this.port}${path}`;
  }

  async listen(address: string): Promise<void> {
    await once(this.#server.listen(0, address), "listening");
  }

  #answer(request: WebRequest, response: ServerResponse): void {
    const answer = this.answers.get(request.path) ?? this.answers.get(request.path.split("?", 1)[0] ?? "");
    if (typeof answer === "function") {
      answer(response, request);
      return;
    }
    const { status = answer ? 200 : 404, headers, body = "" } = answer ?? {};
    response.writeHead(status, { "content-type": "text/html; charset=utf-8", ...headers }).end(body);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** @param address one of this machine */
export async function startWebServer(address = "127.0.0.1"): Promise<WebServer> {
  const server = new WebServer();
  await server.listen(address);
  return server;
}

/** Resolves names of tests to addresses; a list of lists has one for each look-up. Other names do not exist. */
export function scriptedNames(names: Readonly<Record<string, readonly string[] | readonly string[][]>>) {
  const asked: string[] = [];
  const find: LookupFunction = (name, _options, done) => {
    const times = asked.filter((each) => each === name).length;
    asked.push(name);
    const answers = names[name] ?? [];
    const next = answers[Math.min(times, answers.length - 1)];
    const addresses = Array.isArray(next) ? next : (answers as readonly string[]);
    const found = addresses.map((address: string) => ({ address, family: address.includes(":") ? 6 : 4 }));
    if (found.length > 0) done(null, found);
    else done(Object.assign(new Error("No such name"), { code: "ENOTFOUND" }), []);
  };
  return { find, asked };
}
