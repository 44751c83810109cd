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
  return address.range() === "linkLocal" || METADATA_ADDRESSES.some((each) => isSame(address, each));
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
