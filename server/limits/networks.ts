import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * Returns the subject under which an address is limited: an IPv4 address itself, also where it is mapped into IPv6; of an
 * IPv6 address its network of 64 bits, which belongs to one subscriber; `unknown` for all else.
 */
export function networkOf(ip: string): string {
  const [text = ""] = ip.split("%");
  // `ipaddr.js` takes old forms such as `127.1` and `0x7f.1`, which are no address of a client.
  if (isIP(text) === 0) return "unknown";
  const address = ipaddr.process(text);
  return address instanceof ipaddr.IPv4 ? address.toString() : `${hexGroups(address, 4)}::/64`;
}

/** The IPv6 network of 48 bits around one of 64 bits that {@link networkOf} returned; null for every other subject. */
export function siteOf(subject: string): string | null {
  if (!subject.endsWith("::/64") || !ipaddr.IPv6.isValidCIDR(subject)) return null;
  const [address] = ipaddr.IPv6.parseCIDR(subject);
  return `${hexGroups(address, 3)}::/48`;
}

const hexGroups = ({ parts }: { parts: number[] }, count: number) =>
  parts
    .slice(0, count)
    .map((group) => group.toString(16))
    .join(":");
