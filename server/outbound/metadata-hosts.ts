import { lookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";

/** Names and addresses at which clouds serve the metadata and the credentials of the machine. */
const METADATA_NAMES = ["metadata.google.internal", "metadata.goog", "instance-data", "instance-data.ec2.internal"];
const METADATA_ADDRESSES = ["100.100.100.200", "192.0.0.192", "168.63.129.16", "fd00:ec2::254", "fd20:ce::254"];

/** Returns whether a host name or address is one at which a cloud serves metadata: among them all link-local ones. */
export function isMetadataHost(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
  if (isIP(name) === 0) return METADATA_NAMES.includes(name);
  const address = ipaddr.process(name);
  return isMetadataAddress(address) || (address instanceof ipaddr.IPv6 && isMetadataAddress(embeddedIn(address)));
}

const isMetadataAddress = (address: ipaddr.IPv4 | ipaddr.IPv6 | undefined) =>
  address !== undefined &&
  (address.range() === "linkLocal" || METADATA_ADDRESSES.some((each) => isSame(address, each)));

/** Networks whose last 32 bits are an address of IPv4: compatible, translated, NAT64 and local NAT64. */
const EMBEDDING = ["::/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48"].map((each) =>
  ipaddr.IPv6.parseCIDR(each),
);
/** 6to4, whose address of IPv4 follows the first 16 bits. */
const [SIX_TO_FOUR, SIX_TO_FOUR_BITS] = ipaddr.IPv6.parseCIDR("2002::/16");

/** Returns the address of IPv4 to which a router translates an address of IPv6. */
function embeddedIn(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const bytes = address.toByteArray();
  if (address.match(SIX_TO_FOUR, SIX_TO_FOUR_BITS)) return new ipaddr.IPv4(bytes.slice(2, 6));
  return EMBEDDING.some(([network, bits]) => address.match(network, bits))
    ? new ipaddr.IPv4(bytes.slice(12))
    : undefined;
}

const isSame = (address: ipaddr.IPv4 | ipaddr.IPv6, other: string) =>
  address.toNormalizedString() === ipaddr.parse(other).toNormalizedString();

/** Returns a lookup of hosts that refuses a name which resolves to an address of metadata. */
export const withoutMetadata =
  (find: LookupFunction): LookupFunction =>
  (hostname, options, callback) =>
    find(hostname, options, (error, found, family) => {
      const addresses = Array.isArray(found) ? found.map(({ address }) => address) : [found];
      if (error || !addresses.some(isMetadataHost)) return callback(error, found, family);
      const refusal = new Error(`${hostname} is an address of metadata`);
      callback(Object.assign(refusal, { code: "ENOTFOUND" }), "", 0);
    });

export const lookupOthers = withoutMetadata(lookup as LookupFunction);
