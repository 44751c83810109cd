import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Returns whether a URL's host is this machine. */
export function isLoopbackUrl(address: string): boolean {
  return isLoopbackHost(new URL(address).hostname);
}

/** Returns whether other machines can send requests. */
export const isReachable = ({ publicUrl, host }: { publicUrl: string; host: string }): boolean =>
  !isLoopbackUrl(publicUrl) || !isLoopbackHost(host);

/** Returns whether a host name or address is this machine's. */
export function isLoopbackHost(host: string): boolean {
  if (host === "localhost" || host.endsWith(".localhost")) return true;
  const address = host.replace(/^\[(.*)\]$/, "$1");
  return isIP(address) !== 0 && ipaddr.process(address).range() === "loopback";
}
