import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";

/** A request to the proxy. `target`: the host and port of a tunnel, or the URL of a request in absolute form. */
export type ProxiedRequest = { method: string; target: string; authorization: string | undefined };

/**
 * An HTTP proxy on a free port of 127.0.0.1. Every host name leads to the same port of 127.0.0.1, so that names of tests
 * need no DNS.
 */
export class ForwardProxy implements AsyncDisposable {
  readonly requests: ProxiedRequest[] = [];
  /** Status with which it refuses all requests; undefined: it connects them. */
  refusal: number | undefined;
  /** Whether it accepts connections and never answers. */
  isSilent = false;
  readonly #sockets = new Set<Duplex>();
  readonly #server = createServer((incoming, outgoing) => this.#forward(incoming, outgoing));

  constructor() {
    this.#server.on("connection", (socket: Socket) => this.#track(socket));
    this.#server.on("connect", (incoming: IncomingMessage, client: Duplex) => this.#tunnel(incoming, client));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Number of open connections, to the proxy and from it. */
  get openSockets(): number {
    return this.#sockets.size;
  }

  /** Variables that name it. */
  env(): { HTTP_PROXY: string; HTTPS_PROXY: string } {
    return { HTTP_PROXY: this.url, HTTPS_PROXY: this.url };
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #note({ method = "", url: target = "", headers }: IncomingMessage): void {
    this.requests.push({ method, target, authorization: headers["proxy-authorization"] });
  }

  #forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    this.#note(incoming);
    if (this.isSilent) return;
    if (this.refusal !== undefined) {
      outgoing.writeHead(this.refusal).end("refused by the proxy");
      return;
    }
    const { port, pathname, search } = new URL(incoming.url ?? "");
    const { "proxy-authorization": _, ...headers } = incoming.headers;
    const onward = request({ host: "127.0.0.1", port, path: pathname + search, method: incoming.method, headers });
    onward.on("socket", (socket) => this.#track(socket));
    onward.on("response", (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      outgoing.flushHeaders();
      response.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onward.destroy());
    incoming.pipe(onward);
  }

  #tunnel(incoming: IncomingMessage, client: Duplex): void {
    this.#note(incoming);
    if (this.isSilent) return;
    if (this.refusal !== undefined) {
      client.end(`HTTP/1.1 ${this.refusal} Refused\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const onward = connect({ host: "127.0.0.1", port: Number(incoming.url?.split(":").at(-1)) });
    this.#track(onward);
    onward.on("connect", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      client.pipe(onward).pipe(client);
    });
    client.on("close", () => onward.destroy());
    onward.on("close", () => client.destroy());
  }

  #track(socket: Duplex): void {
    this.#sockets.add(socket);
    socket.on("close", () => this.#sockets.delete(socket)).on("error", () => socket.destroy());
  }
}

export async function startForwardProxy(): Promise<ForwardProxy> {
  const proxy = new ForwardProxy();
  await proxy.listen();
  return proxy;
}
