import { startWebServer, type WebServer } from "../../testing/browsing/web-server.ts";

/** A server on all addresses of this machine that must not receive any connection. */
export async function startInnerServer(): Promise<WebServer & { addresses: string[] }> {
  const server = await startWebServer("0.0.0.0");
  const { port } = server;
  const hosts = ["127.0.0.1", "127.0.0.2", "localhost", "2130706433", "0x7f.1", "0177.0.0.1", "127.1", "0.0.0.0"];
  const ofIpv6 = ["[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]"];
  return Object.assign(server, { addresses: [...hosts, ...ofIpv6].map((host) => `http://${host}:${port}/inside`) });
}

/** Addresses of cloud metadata, at which nothing can count requests here. */
export const metadataAddresses = [
  "http://169.254.169.254/latest/meta-data/",
  "http://metadata.google.internal/computeMetadata/v1/",
  "http://[fd00:ec2::254]/latest/meta-data/",
  "http://168.63.129.16/machine",
];
