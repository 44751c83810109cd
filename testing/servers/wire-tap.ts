import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** `received`: all bytes of all clients. */
export type WireTap = AsyncDisposable & { port: number; connections: number; received: () => string };

/** Starts a server for hostile connections: `attack` gets each connection and what has arrived on it so far. */
export async function startWireTap(
  attack: (client: Socket, received: Buffer) => void,
  host = "127.0.0.1",
): Promise<WireTap> {
  const sockets = new Set<Socket>();
  const chunks: Buffer[] = [];
  const server = createServer((client) => {
    tap.connections++;
    sockets.add(client);
    let received = Buffer.alloc(0);
    client.on("error", () => client.destroy());
    client.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      received = Buffer.concat([received, chunk]);
      attack(client, received);
    });
  }).listen(0, host);
  await once(server, "listening");
  const tap = {
    port: (server.address() as AddressInfo).port,
    connections: 0,
    received: () => Buffer.concat(chunks).toString("latin1"),
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return tap;
}

/** Forwards a connection to a port of this machine, from its first bytes on. @returns the onward connection */
export function forward(client: Socket, received: Buffer, port: number): Socket {
  const onward = connect({ host: "127.0.0.1", port });
  onward.on("error", () => client.destroy()).on("close", () => client.destroy());
  client.removeAllListeners("data").on("close", () => onward.destroy());
  onward.write(received);
  client.pipe(onward).pipe(client);
  return onward;
}
