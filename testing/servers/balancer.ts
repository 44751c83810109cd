import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Port of a server behind the balancer; 0 while it does not listen. */
export type BackEnd = { readonly port: number };

/**
 * TCP load balancer: distributes connections round-robin and skips servers that do not listen. It parses no HTTP and
 * has no sticky sessions, so two requests of one client reach different servers.
 */
export class Balancer implements AsyncDisposable {
  readonly #backEnds: readonly BackEnd[];
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((client) => void this.#take(client));
  #next = 0;

  constructor(backEnds: readonly BackEnd[]) {
    this.#backEnds = backEnds;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async listen(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(client: Socket): Promise<void> {
    this.#track(client);
    const first = this.#next++;
    for (let tried = 0; tried < this.#backEnds.length; tried++) {
      const port = this.#backEnds[(first + tried) % this.#backEnds.length]?.port;
      const upstream = port ? await this.#reach(port) : undefined;
      if (!upstream) continue;
      this.#track(upstream);
      client.on("close", () => upstream.destroy());
      upstream.on("close", () => client.destroy());
      client.pipe(upstream).pipe(client);
      if (client.destroyed) upstream.destroy();
      return;
    }
    client.resetAndDestroy();
  }

  #reach(port: number): Promise<Socket | undefined> {
    return new Promise((resolve) => {
      const socket = connect({ host: "127.0.0.1", port });
      socket.once("connect", () => resolve(socket)).once("error", () => resolve(undefined));
    });
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => socket.destroy()).on("close", () => this.#sockets.delete(socket));
  }
}

export async function startBalancer(backEnds: readonly BackEnd[]): Promise<Balancer> {
  const balancer = new Balancer(backEnds);
  await balancer.listen();
  return balancer;
}
