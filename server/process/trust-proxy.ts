import { isIP } from "node:net";

/** Whether a value of TRUST_PROXY can be used: `true`, `false`, or addresses and ranges. */
export function isTrustProxy(value: string): boolean {
  const isAddress = (range: string) => {
    const [address = "", bits] = range.trim().split("/");
    return isIP(address) !== 0 && (bits === undefined || /^\d{1,3}$/.test(bits));
  };
  return value === "true" || value === "false" || value.split(",").every(isAddress);
}

/** The setting of a value of TRUST_PROXY, in the form of Fastify's `trustProxy`. */
export function trustProxyOf(value = "false"): boolean | string {
  return value === "true" || value === "false" ? value === "true" : value;
}
