import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import type { SelfSigned } from "./self-signed.ts";

/** Answers each connection; `silent` leaves it open without an answer. */
const behaviours = {
  closing: (socket: Socket) => socket.once("data", () => socket.end()),
  resetting: (socket: Socket) => socket.once("data", () => socket.resetAndDestroy()),
  silent: () => undefined,
  mail: (socket: Socket) => socket.write("220 mail.example ESMTP ready\r\n"),
} satisfies Record<string, (socket: Socket) => unknown>;

export type FaultyBehaviour = keyof typeof behaviours;

/** Starts a server that is none of HTTP, on a free port; with TLS if it has a certificate. */
export async function startFaultyServer(
  behaviour: FaultyBehaviour,
  tls?: SelfSigned,
): Promise<AsyncDisposable & { port: number }> {
  const sockets = new Set<Socket>();
  const accept = (socket: Socket) => behaviours[behaviour](socket.on("error", () => socket.destroy()));
  const server: Server = tls ? createTlsServer(tls, accept) : createServer(accept);
  server.on("connection", (socket: Socket) => sockets.add(socket));
  // A client that does not trust the certificate, or that has no TLS.
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return {
    port: address.port,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
