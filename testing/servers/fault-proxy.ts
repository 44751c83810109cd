import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/**
 * Behaviour of the proxy: passes bytes; refuses connections; resets connections; or drops every byte while connections
 * stay open, which continue when it passes again.
 */
export type ProxyMode = "pass" | "refuse" | "reset" | "swallow";

type Pair = { client: Socket; upstream: Socket };

/** A TCP proxy that injects faults in front of a service that other tests share. */
export class FaultProxy implements AsyncDisposable {
  readonly #target: { host: string; port: number };
  readonly #pairs = new Set<Pair>();
  readonly #server = createServer({ pauseOnConnect: true }, (client) => this.#take(client));
  #mode: ProxyMode = "pass";
  #port = 0;

  constructor(target: { host: string; port: number }) {
    this.#target = target;
  }

  get port(): number {
    return this.#port;
  }

  async listen(): Promise<void> {
    this.#server.listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async set(mode: ProxyMode): Promise<void> {
    this.#mode = mode;
    if (mode === "refuse" || mode === "reset") this.#breakAll();
    if (mode === "refuse") await this.#unlisten();
    else if (!this.#server.listening) await this.listen();
    for (const { client, upstream } of this.#pairs) {
      for (const socket of [client, upstream]) mode === "swallow" ? socket.pause() : socket.resume();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#breakAll();
    await this.#unlisten();
  }

  #take(client: Socket): void {
    if (this.#mode === "reset") {
      client.on("error", () => client.destroy()).resetAndDestroy();
      return;
    }
    const pair = { client, upstream: connect(this.#target) };
    this.#pairs.add(pair);
    this.#carry(pair.client, pair.upstream, pair);
    this.#carry(pair.upstream, pair.client, pair);
    if (this.#mode === "pass") client.resume();
  }

  #carry(from: Socket, to: Socket, pair: Pair): void {
    from.on("data", (chunk) => {
      if (to.write(chunk)) return;
      from.pause();
      to.once("drain", () => this.#mode !== "swallow" && from.resume());
    });
    from.on("end", () => to.end());
    from.on("error", () => from.destroy());
    from.on("close", () => {
      this.#pairs.delete(pair);
      to.destroy();
    });
  }

  #breakAll(): void {
    for (const { client, upstream } of this.#pairs) {
      client.resetAndDestroy();
      upstream.resetAndDestroy();
    }
    this.#pairs.clear();
  }

  async #unlisten(): Promise<void> {
    if (!this.#server.listening) return;
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Starts a proxy for the service of a URL. @returns the proxy, and the URL through it */
export async function startFaultProxy(serviceUrl: string, defaultPort: number) {
  const url = new URL(serviceUrl);
  const proxy = new FaultProxy({ host: url.hostname || "127.0.0.1", port: Number(url.port) || defaultPort });
  await proxy.listen();
  url.hostname = "127.0.0.1";
  url.port = String(proxy.port);
  return { proxy, url: url.href };
}
