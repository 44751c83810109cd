import { isMetadataHost } from "./metadata-hosts.ts";

/**
 * Returns the base URL of a server in its stored form, without trailing slashes; undefined if an owner cannot enter it:
 * only http and https, without a name and a password, and no address of a cloud's metadata. Loopback and private
 * addresses are allowed.
 */
export function canonicalBaseUrl(entered: string, kind?: string): string | undefined {
  const url = URL.parse(entered.trim());
  if (!url || !["http:", "https:"].includes(url.protocol)) return undefined;
  if (url.username !== "" || url.password !== "" || isMetadataHost(url.hostname)) return undefined;
  url.hash = "";
  url.pathname = url.pathname.replace(/\/+$/, "");
  // Its documentation names the address without a path.
  if (kind === "ollama" && url.pathname === "/") url.pathname = "/v1";
  return url.href.replace(/\/(?=$|\?)/, "");
}
