import { lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import type { Dispatcher } from "undici";
import { SECOND } from "#contract/limits.ts";
import { AbortScope } from "../concurrency/abort-scope.ts";
import { ACCEPTED_ENCODINGS } from "./bounded-body.ts";
import { type AllowedHost, allowedHostOf, type GuardedRequest } from "./guarded-request.ts";
import { GuardedResponse } from "./guarded-response.ts";
import type { Outbound } from "./outbound.ts";
import { OutboundRefusal, toRefusal } from "./outbound-refusal.ts";
import { pinnedLookup } from "./pinned-lookup.ts";
import { isPublicAddress } from "./public-address.ts";

/** `find`: resolves names. `isPublic`: whether a request may connect to an IP address. */
export type GuardDeps = {
  outbound: Outbound;
  find?: LookupFunction;
  isPublic?: (address: string) => boolean;
};

const MAX_REDIRECTS = 5;
const CONNECT_MS = 10 * SECOND;
/** Time for a name that the proxy can resolve too. */
const PROXIED_LOOKUP_MS = 3 * SECOND;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Headers that contain no key. */
const NEGOTIATION = new Set(["accept", "accept-language", "user-agent"]);

/**
 * Requests addresses that come from outside: from models, results, pages, redirects and metadata documents. Connects to
 * public addresses only, and to an address of an owner; never to one of metadata.
 */
export class OutboundGuard {
  readonly #outbound: Outbound;
  readonly #find: LookupFunction;
  readonly #isPublic: (address: string) => boolean;

  constructor({ outbound, find = lookup as LookupFunction, isPublic = isPublicAddress }: GuardDeps) {
    this.#outbound = outbound;
    this.#find = find;
    this.#isPublic = isPublic;
  }

  /**
   * Sends a request and follows its redirects, each of which is checked as the first address is.
   * @returns a response whose body has not been read, and which the caller disposes
   * @throws OutboundRefusal; the signal's reason
   */
  async open(address: string | URL, request: GuardedRequest): Promise<GuardedResponse> {
    const { signal, timeoutMs } = request;
    const ms = Number.isFinite(timeoutMs) ? timeoutMs : undefined;
    const scope = new AbortScope({ parents: signal ? [signal] : [], ...(ms !== undefined && { ms }) });
    try {
      scope.signal.throwIfAborted();
      return await this.#follow(httpUrlOf(address), request, scope);
    } catch (error) {
      signal?.throwIfAborted();
      const isLate = scope.signal.aborted;
      scope[Symbol.dispose]();
      throw isLate ? new OutboundRefusal("too-slow") : toRefusal(error);
    }
  }

  async #follow(first: URL, request: GuardedRequest, scope: AbortScope): Promise<GuardedResponse> {
    const isOfOwner = isAllowed(first, request.allowed);
    let [url, headers] = [first, { ...request.headers }];
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const response = await this.#send(url, { ...request, headers }, { isOfOwner, scope });
      const target = response.redirect;
      if (target === undefined || request.followsRedirects === false) return response.accept();
      await response.close();
      const next = httpUrlOf(target, url);
      if (isOfOwner && !isAllowed(next, request.allowed)) throw new OutboundRefusal("redirect-refused");
      if ((request.method ?? "GET") !== "GET") throw new OutboundRefusal("redirect-refused");
      if (next.origin !== url.origin) headers = withoutKeys(headers);
      url = next;
    }
    throw new OutboundRefusal("too-many-redirects");
  }

  async #send(
    url: URL,
    request: GuardedRequest,
    { isOfOwner, scope }: { isOfOwner: boolean; scope: AbortScope },
  ): Promise<GuardedResponse> {
    const found = await this.#lookupOf(url, isOfOwner, scope.signal);
    const pool = await this.#outbound.open(url, { connectMs: CONNECT_MS, ...(found && { lookup: found }) });
    try {
      const answer = await pool.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: request.method ?? "GET",
        headers: { "accept-encoding": ACCEPTED_ENCODINGS, ...request.headers },
        ...(request.body !== undefined && { body: request.body }),
        signal: scope.signal,
      });
      return new GuardedResponse({ url, answer, pool, scope, request, redirect: redirectOf(answer) });
    } catch (error) {
      await pool.destroy();
      throw error;
    }
  }

  /** Resolves a host within the time of the request. */
  async #lookupOf(url: URL, mayBePrivate: boolean, signal: AbortSignal): Promise<LookupFunction | undefined> {
    const isProxied = this.#outbound.usesProxy(url);
    const rules = { find: this.#find, isPublic: this.#isPublic, mayBePrivate, isProxied };
    using scope = new AbortScope({ parents: [signal], ...(isProxied && { ms: PROXIED_LOOKUP_MS }) });
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    aborted.catch(() => undefined);
    const onAbort = () => reject(scope.signal.reason);
    scope.signal.addEventListener("abort", onAbort);
    const found = pinnedLookup(url, rules);
    try {
      return await Promise.race([found, aborted]);
    } catch (error) {
      found.catch(() => undefined);
      // No answer in time is no answer: the proxy resolves the name.
      if (isProxied && scope.signal.aborted && !signal.aborted) return undefined;
      throw error;
    }
  }
}

/** Parses an address once; all checks and the connection use this one URL. @throws OutboundRefusal `bad-address` */
function httpUrlOf(address: string | URL, base?: URL): URL {
  const url = URL.parse(String(address), base?.href);
  const isHttp = url?.protocol === "http:" || url?.protocol === "https:";
  if (!url || !isHttp || url.hostname === "" || url.username !== "" || url.password !== "") {
    throw new OutboundRefusal("bad-address");
  }
  url.hash = "";
  return url;
}

function isAllowed(url: URL, allowed: AllowedHost | undefined): boolean {
  if (!allowed) return false;
  // Parsed as the URL is, so that the spelling of an address does not matter.
  const own = URL.parse(`http://${allowed.host}/`);
  const { host, port } = allowedHostOf(url);
  return own !== null && own.hostname === host && allowed.port === port;
}

function withoutKeys(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => NEGOTIATION.has(name.toLowerCase())));
}

function redirectOf({ statusCode, headers }: Dispatcher.ResponseData): string | undefined {
  const { location } = headers;
  return REDIRECTS.has(statusCode) && typeof location === "string" ? location : undefined;
}
