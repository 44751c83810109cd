import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Has a server of a bench listen on any free port, and say which: `MeasuredProcess` reads it. */
export function listen(server: Server): void {
  server.listen(0, "127.0.0.1", () => console.log(`listening on ${(server.address() as AddressInfo).port}`));
}
