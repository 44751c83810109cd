import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Starts a server of a bench on any free port and reports the port. */
export function listen(server: Server): void {
  server.listen(0, "127.0.0.1", () => reportPort((server.address() as AddressInfo).port));
}

/** Prints the line from which `MeasuredProcess` reads that a server is ready, and on which port. */
export function reportPort(port: number): void {
  console.log(`listening on ${port}`);
}
