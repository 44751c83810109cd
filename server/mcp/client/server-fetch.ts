import type { HttpTransport } from "../../config/mcp-file.ts";
import { type GuardedFetch, guardedFetch } from "../../outbound/guarded-fetch.ts";
import { allowedHostOf } from "../../outbound/guarded-request.ts";
import type { OutboundGuard } from "../../outbound/outbound-guard.ts";
import { OutboundRefusal } from "../../outbound/outbound-refusal.ts";
import type { McpServer } from "../mcp-server.ts";
import { withBoundedJson } from "./json-signs.ts";

/** In bytes, of each response. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * What the last request to a server ended with. `refusal`: it had no response. `hasToken`: it carried a token of a
 * person, which is not among the entered headers.
 */
export type Exchange = { status?: number; refusal?: OutboundRefusal; hasToken: boolean };

/**
 * Returns the client for a server, in the form of `fetch`. Its entered headers are sent to its origin only; the SDK would
 * send them to the endpoints of sign-in too. Only the address that the operator or an owner entered may be private.
 */
export function serverFetch(
  guard: OutboundGuard,
  { transport, source }: { transport: HttpTransport; source: McpServer["source"] },
): { request: GuardedFetch; exchange: Exchange } {
  const own = new URL(transport.url);
  const allowed = source === "person" ? undefined : allowedHostOf(own);
  const send = guardedFetch(guard, { maxBytes: MAX_BYTES, allowed });
  const exchange: Exchange = { hasToken: false };
  const request: GuardedFetch = async (address, init = {}) => {
    const url = new URL(address);
    if (url.origin !== own.origin) return send(url, init);
    const headers = new Headers(transport.headers);
    const hasOwnKey = headers.has("authorization");
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
    exchange.hasToken ||= !hasOwnKey && headers.has("authorization");
    const sending = send(url, { ...init, headers }).then(withBoundedJson);
    // Streams of notifications, by GET, do not matter to requests.
    return init.method === "POST" ? recorded(sending, exchange) : sending;
  };
  return { request, exchange };
}

async function recorded(sending: Promise<Response>, exchange: Exchange): Promise<Response> {
  delete exchange.refusal;
  delete exchange.status;
  try {
    const response = await sending;
    exchange.status = response.status;
    return response;
  } catch (error) {
    if (error instanceof OutboundRefusal) exchange.refusal = error;
    throw error;
  }
}
