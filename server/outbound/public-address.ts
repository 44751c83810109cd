import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { isMetadataHost } from "./metadata-hosts.ts";

/** The only block from which the IANA assigns public addresses of IPv6 (RFC 4291, section 2.4). */
const [NETWORK, BITS] = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Returns whether an IP address, without brackets, is public: in none of the special-purpose registries of the IANA, and
 * no address of metadata. IPv6 addresses that contain one of IPv4 (mapped, 6to4, Teredo, NAT64) are never public.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || isMetadataHost(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(NETWORK, BITS);
}
