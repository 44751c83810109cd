const PROTOCOLS = new Set(["http:", "https:", "mailto:"]);

/** Returns the normalised URL if an answer may link to it (absolute http, https or mailto), else null. */
export function safeLink(address: unknown): string | null {
  if (typeof address !== "string") return null;
  const url = URL.parse(address);
  return url && PROTOCOLS.has(url.protocol) ? url.href : null;
}
