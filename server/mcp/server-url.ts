import { isMetadataHost } from "../outbound/metadata-hosts.ts";

/**
 * Returns the address of a server as it was entered; undefined if it cannot be one: only http and https, without a name,
 * a password and a fragment, and no address of a cloud's metadata. Loopback and private addresses are allowed.
 */
export function canonicalServerUrl(entered: string): string | undefined {
  const url = URL.parse(entered.trim());
  if (!url || !["http:", "https:"].includes(url.protocol) || entered.includes("#")) return undefined;
  if (url.username !== "" || url.password !== "" || isMetadataHost(url.hostname)) return undefined;
  return url.href;
}
