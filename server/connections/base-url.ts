import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Names and addresses at which clouds hand out credentials of the machine. No model answers there. */
const METADATA_NAMES = ["metadata.google.internal", "metadata.goog", "instance-data", "instance-data.ec2.internal"];
const METADATA_ADDRESSES = ["100.100.100.200", "192.0.0.192", "fd00:ec2::254", "fd20:ce::254", "168.63.129.16"];

/** Returns whether a host name or address is one at which clouds serve the metadata of the machine. */
export function isMetadataHost(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
  if (isIP(name) === 0) return METADATA_NAMES.includes(name);
  const address = ipaddr.process(name);
  // All link-local addresses, in both families: 169.254.169.254 is the common one, and others serve the same.
  return (
    address.range() === "linkLocal" ||
    METADATA_ADDRESSES.includes(address.toNormalizedString()) ||
    METADATA_ADDRESSES.includes(address.toString())
  );
}

/**
 * Returns the base URL of a connection in its stored form, without trailing slashes; undefined if it is none: only http
 * and https, without a name and a password, and no address of a cloud's metadata. Loopback and private addresses are allowed.
 */
export function canonicalBaseUrl(entered: string): string | undefined {
  const url = URL.parse(entered.trim());
  if (!url || !["http:", "https:"].includes(url.protocol)) return undefined;
  if (url.username !== "" || url.password !== "" || isMetadataHost(url.hostname)) return undefined;
  url.hash = "";
  url.pathname = url.pathname.replace(/\/+$/, "");
  return url.href.replace(/\/(?=$|\?)/, "");
}
