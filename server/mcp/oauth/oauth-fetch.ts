import type { FetchLike } from "@modelcontextprotocol/client";
import { SECOND } from "#contract/limits.ts";
import type { HttpTransport } from "../../config/mcp-file.ts";
import { type AllowedHost, allowedHostOf } from "../../outbound/guarded-request.ts";
import type { GuardedResponse } from "../../outbound/guarded-response.ts";
import type { OutboundGuard } from "../../outbound/outbound-guard.ts";
import { OutboundRefusal } from "../../outbound/outbound-refusal.ts";
import type { McpServer } from "../mcp-server.ts";

const TIMEOUT_MS = 10 * SECOND;
/** In bytes, of metadata and tokens. */
const MAX_BYTES = 256 * 1024;
const WITHOUT_BODY = new Set([204, 205, 304]);

export type Guard = Pick<OutboundGuard, "open">;

/** A server that people can sign in to. */
export type HttpMcpServer = McpServer & { readonly transport: HttpTransport };

/** Returns whether nothing on the way reads what is sent: the address is of https, or of this machine. */
export function isConfidential({ protocol, hostname }: URL): boolean {
  if (protocol === "https:") return true;
  const isLocal = hostname === "localhost" || hostname.endsWith(".localhost");
  return protocol === "http:" && (isLocal || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname));
}

/** Returns the address that may be private: of a server that the operator or an owner has entered. */
export const privateHostOf = ({ source, transport }: HttpMcpServer): AllowedHost | undefined =>
  source === "person" ? undefined : allowedHostOf(new URL(transport.url));

/**
 * Returns a `fetch` for the requests of a sign-in to a server. Addresses come from metadata, so that all but the server's
 * own must be public. A redirect to another origin is refused. It throws TypeErrors, as `fetch` does, whose cause is an
 * `OutboundRefusal`; or the signal's reason.
 */
export function oauthFetchOf(guard: Guard, server: HttpMcpServer, signal?: AbortSignal): FetchLike {
  const allowed = privateHostOf(server);
  return async (address, { method = "GET", headers, body } = {}) => {
    const url = new URL(address);
    try {
      if (!isConfidential(url)) throw new OutboundRefusal("bad-address");
      await using response = await guard.open(url, {
        method: method === "POST" ? "POST" : "GET",
        headers: Object.fromEntries(new Headers(headers)),
        ...(body !== undefined && body !== null && { body: String(body) }),
        allowed,
        maxBytes: MAX_BYTES,
        timeoutMs: TIMEOUT_MS,
        isAnyStatus: true,
        signal,
      });
      if (new URL(response.url).origin !== url.origin) throw new OutboundRefusal("redirect-refused");
      return await toResponse(response);
    } catch (error) {
      signal?.throwIfAborted();
      throw new TypeError("The request has no answer", { cause: error });
    }
  };
}

async function toResponse(response: GuardedResponse): Promise<Response> {
  const { status } = response;
  const type = response.header("content-type");
  const body = WITHOUT_BODY.has(status) ? null : Buffer.from(await response.bytes());
  return new Response(body, { status, headers: type === undefined ? {} : { "content-type": type } });
}

/** A request that changes nothing, and for which a server with sign-ins needs one. */
const PROBE = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });

/**
 * Requests a server without a token. @returns its 401 without a body; undefined if it answers otherwise
 * @throws OutboundRefusal; the signal's reason
 */
export async function requestChallenge(
  guard: Guard,
  server: HttpMcpServer,
  signal?: AbortSignal,
): Promise<Response | undefined> {
  const { url, headers } = server.transport;
  await using response = await guard.open(url, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: PROBE,
    allowed: privateHostOf(server),
    maxBytes: MAX_BYTES,
    timeoutMs: TIMEOUT_MS,
    isAnyStatus: true,
    signal,
  });
  if (response.status !== 401) return undefined;
  const challenge = response.header("www-authenticate");
  return new Response(null, {
    status: response.status,
    headers: challenge === undefined ? {} : { "www-authenticate": challenge },
  });
}
