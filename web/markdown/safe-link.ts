const PROTOCOLS = new Set(["http:", "https:", "mailto:"]);

/** The address if a reply may link to it, as the browser reads it: http, https or mailto, and never a relative one. */
export function safeLink(address: unknown): string | null {
  if (typeof address !== "string") return null;
  const url = URL.parse(address);
  return url && PROTOCOLS.has(url.protocol) ? url.href : null;
}
