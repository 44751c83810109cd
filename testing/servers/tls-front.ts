import { readFileSync } from "node:fs";
import { type AddressInfo, connect, type Socket } from "node:net";
import { createServer } from "node:tls";
import { fileURLToPath } from "node:url";

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/tls/${name}.pem`, import.meta.url));

/** File of the authority that signed the certificate of {@link startTlsFront}; no public program trusts it. */
export const privateCaFile = fixture("ca");

/**
 * Starts TLS in front of a port of 127.0.0.1, with a certificate for `provider.test` and `localhost`. The certificates
 * of `testing/fixtures/tls/` are valid for 100 years.
 */
export async function startTlsFront(port: number): Promise<AsyncDisposable & { port: number }> {
  const sockets = new Set<Socket>();
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
  };
  const keys = { key: readFileSync(fixture("server-key")), cert: readFileSync(fixture("server")) };
  const server = createServer(keys, (client) => {
    const onward = connect({ host: "127.0.0.1", port });
    track(client);
    track(onward);
    client.pipe(onward).pipe(client);
    client.on("close", () => onward.destroy());
    onward.on("close", () => client.destroy());
  });
  // A client that does not trust the certificate breaks off.
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
