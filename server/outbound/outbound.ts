import type { Agent as NodeAgent } from "node:http";
import type { LookupFunction } from "node:net";
import type { Dispatcher } from "undici";
import { SECOND } from "#contract/limits.ts";
import type { Proxies } from "../config/proxies.ts";
import { proxyFor } from "./proxy-for.ts";

/**
 * `connectMs`: time limit of a connection. `bodyMs`: longest silence within a body, by default unlimited. `lookup`: of
 * hosts that are reached directly. `isDirect`: never through a proxy.
 */
export type PoolOptions = { connectMs: number; bodyMs?: number; lookup?: LookupFunction; isDirect?: boolean };

const DOCUMENT_CONNECT_MS = 4 * SECOND;
/** In bytes. */
const MAX_DOCUMENT = 1024 * 1024;

/**
 * Opens all HTTP connections to other servers, directly or through a proxy of the settings. Certificates are verified
 * with those of Node and of `NODE_EXTRA_CA_CERTS`. Redirects are never followed. `undici` is loaded by the first
 * connection, because it alone takes 30 MB.
 */
export class Outbound {
  readonly #proxies: Proxies;

  constructor(proxies: Proxies = {}) {
    this.#proxies = proxies;
  }

  /**
   * Opens a pool of connections to the origin of an address, which the caller destroys. Time limits of answers belong to
   * the caller.
   */
  async open(address: URL, { connectMs, bodyMs = 0, lookup, isDirect = false }: PoolOptions): Promise<Dispatcher> {
    const proxy = isDirect ? undefined : proxyFor(address, this.#proxies);
    if (proxy) return (await import("./proxied.ts")).openProxied(address, proxy, { connectMs, bodyMs });
    const { Agent } = await import("undici");
    return new Agent({
      connect: { timeout: connectMs, ...(lookup && { lookup }) },
      headersTimeout: 0,
      bodyTimeout: bodyMs,
      // One socket per call: an abort closes it, and there is no head-of-line blocking.
      allowH2: false,
    });
  }

  /** Proxies as host and port, without a password, and what is reached without them; undefined if there are none. */
  get proxies(): { https?: string; http?: string; direct?: string } | undefined {
    const { https, http, noProxy } = this.#proxies;
    if (https === undefined && http === undefined) return undefined;
    return {
      ...(https !== undefined && { https: new URL(https).host }),
      ...(http !== undefined && { http: new URL(http).host }),
      ...(noProxy !== undefined && { direct: noProxy }),
    };
  }

  /** Returns whether an address is reached through a proxy, which then resolves its name. */
  usesProxy(address: URL): boolean {
    return proxyFor(address, this.#proxies) !== undefined;
  }

  /** Requests a small document by GET, in the form of `fetch` that libraries take. @throws if it is too large */
  async fetchDocument(url: string, { headers, signal }: { headers: Headers; signal: AbortSignal }): Promise<Response> {
    const address = new URL(url);
    const pool = await this.open(address, { connectMs: DOCUMENT_CONNECT_MS });
    try {
      const { statusCode, body } = await pool.request({
        origin: address.origin,
        path: address.pathname + address.search,
        method: "GET",
        headers: Object.fromEntries(headers),
        signal,
      });
      const pieces: Buffer[] = [];
      let length = 0;
      for await (const piece of body) {
        pieces.push(piece);
        length += piece.length;
        if (length > MAX_DOCUMENT) throw new Error(`The document at ${address.host} is too large`);
      }
      return new Response(Buffer.concat(pieces), { status: statusCode });
    } finally {
      await pool.destroy();
    }
  }

  /** Returns an agent for a library that uses the client of Node. */
  async nodeAgent(address: URL): Promise<NodeAgent> {
    const { Agent } = await (address.protocol === "https:" ? import("node:https") : import("node:http"));
    const proxy = proxyFor(address, this.#proxies)?.href;
    return new Agent({ keepAlive: true, ...(proxy && { proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } }) });
  }
}
