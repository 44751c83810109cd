import { SECOND } from "#contract/limits.ts";
import { allowedHostOf } from "../../outbound/guarded-request.ts";
import type { Outbound } from "../../outbound/outbound.ts";

const TIMEOUT_MS = 10 * SECOND;
/** In bytes; a key set and a person with many groups have less. */
const MAX_BYTES = 1024 * 1024;

type RequestOptions = {
  method?: string | undefined;
  headers: Headers | Record<string, string>;
  body?: unknown;
  signal?: AbortSignal | undefined;
};

/** In the form of `fetch` that libraries take. */
export type OidcFetch = (url: string, options: RequestOptions) => Promise<Response>;

/**
 * Returns a client for the endpoints of an issuer. Its own address may be private, as an owner entered it; other addresses
 * come from its metadata, and must be public.
 */
export function oidcFetchOf(outbound: Outbound, issuer: string): OidcFetch {
  const allowed = allowedHostOf(new URL(issuer));
  return async (url, { method = "GET", headers, body, signal }) => {
    const { OutboundGuard } = await import("../../outbound/outbound-guard.ts");
    const { guardedFetch } = await import("../../outbound/guarded-fetch.ts");
    const fetchGuarded = guardedFetch(new OutboundGuard({ outbound }), {
      allowed,
      maxBytes: MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
    });
    const response = await fetchGuarded(url, {
      method: method === "POST" ? "POST" : "GET",
      headers,
      ...(body !== undefined && body !== null && { body: String(body) }),
      ...(signal && { signal }),
    });
    // Read at once: a library may leave the body of an error unread, and its connection open.
    const document = response.body === null ? null : await response.arrayBuffer();
    return new Response(document, response);
  };
}
