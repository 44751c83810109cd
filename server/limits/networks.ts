import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * Returns the subject under which an address is limited: an IPv4 address, also if mapped into IPv6; for IPv6 the
 * network of 64 bits, which belongs to one subscriber; `unknown` for everything else.
 */
export function networkOf(ip: string): string {
  const [text = ""] = ip.split("%");
  // `ipaddr.js` accepts old forms such as `127.1` and `0x7f.1`, which no client address has.
  if (isIP(text) === 0) return "unknown";
  const address = ipaddr.process(text);
  return address instanceof ipaddr.IPv4 ? address.toString() : `${hexGroups(address, 4)}::/64`;
}

/**
 * Returns the IPv6 network of 48 bits that contains a network of 64 bits from {@link networkOf}; null for other
 * subjects.
 */
export function siteOf(subject: string): string | null {
  if (!subject.endsWith("::/64") || !ipaddr.IPv6.isValidCIDR(subject)) return null;
  const [address] = ipaddr.IPv6.parseCIDR(subject);
  return `${hexGroups(address, 3)}::/48`;
}

/**
 * Returns whether an address is in one of these networks.
 * @param networks valid addresses and ranges (CIDR)
 */
export function isInNetworks(ip: string, networks: readonly string[]): boolean {
  const [text = ""] = ip.split("%");
  if (networks.length === 0 || isIP(text) === 0) return false;
  const address = ipaddr.process(text);
  return networks.some((network) => {
    const [range, bits] = network.includes("/") ? ipaddr.parseCIDR(network) : wholeAddress(network);
    return address.kind() === range.kind() && address.match(range, bits);
  });
}

function wholeAddress(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const address = ipaddr.parse(text);
  return [address, address.kind() === "ipv4" ? 32 : 128];
}

const hexGroups = ({ parts }: { parts: number[] }, count: number) =>
  parts
    .slice(0, count)
    .map((group) => group.toString(16))
    .join(":");
