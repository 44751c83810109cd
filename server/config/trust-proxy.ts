import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Returns whether a value of TRUST_PROXY is valid: `true`, `false`, or addresses and ranges. */
export function isTrustProxy(value: string): boolean {
  const isAddress = (range: string) => {
    const text = range.trim();
    return isIP(text) !== 0 || ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text);
  };
  return value === "true" || value === "false" || value.split(",").every(isAddress);
}

/** Converts a value of TRUST_PROXY into Fastify's `trustProxy`. */
export function trustProxyOf(value = "false"): boolean | string {
  return value === "true" || value === "false" ? value === "true" : value;
}

/** Returns the addresses and ranges of `trustProxy`; none if it trusts a proxy whatever its address. */
export function proxyNetworksOf(trustProxy: boolean | string): string[] {
  return typeof trustProxy === "string" ? trustProxy.split(",").map((network) => network.trim()) : [];
}
