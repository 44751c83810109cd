import ipaddr from "ipaddr.js";
import { isLoopbackHost } from "../config/loopback.ts";
import type { Proxies } from "../config/proxies.ts";

const DEFAULT_PORTS: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };
const BRACKETS = /^\[(.+)\]$/;
/** `host:port` or `[IPv6]:port`; an IPv6 address without brackets has no port. */
const WITH_PORT = /^(\[.+\]|[^:]+):(\d+)$/;

/**
 * Returns the proxy for an address; undefined if it is reached directly: this machine always, and the hosts of
 * `NO_PROXY`. As in curl, `HTTP_PROXY` is not used for https.
 */
export function proxyFor(address: URL, { http, https, noProxy = "" }: Proxies): URL | undefined {
  const proxy = address.protocol === "https:" ? https : http;
  if (proxy === undefined || isLoopbackHost(address.hostname)) return undefined;
  const isExcluded = noProxy.split(/[\s,]+/).some((entry) => entry !== "" && isMatch(entry.toLowerCase(), address));
  return isExcluded ? undefined : new URL(proxy);
}

/** Entries: `*`, a name with its subdomains (`example.org`, `.example.org`), `*.example.org`, an address, a range. */
function isMatch(entry: string, { protocol, hostname, port }: URL): boolean {
  const [, named, wantedPort] = WITH_PORT.exec(entry) ?? [undefined, entry];
  if (wantedPort !== undefined && wantedPort !== (port || DEFAULT_PORTS[protocol])) return false;
  const host = withoutBrackets(hostname).replace(/\.$/, "");
  const name = withoutBrackets(named ?? entry);
  if (name === "*" || name === host) return true;
  return ipaddr.isValid(host)
    ? isInRange(host, name)
    : host.endsWith(`.${name.replace(/^\*?\./, "")}`) || name === `.${host}`;
}

function isInRange(host: string, range: string): boolean {
  if (!ipaddr.isValidCIDR(range)) return false;
  const address = ipaddr.process(host);
  const [network, bits] = ipaddr.parseCIDR(range);
  return address.kind() === network.kind() && address.match(network, bits);
}

const withoutBrackets = (host: string) => BRACKETS.exec(host)?.[1] ?? host;
