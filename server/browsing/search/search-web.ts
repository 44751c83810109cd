import { SECOND } from "#contract/limits.ts";
import { wellFormed } from "#contract/text/well-formed.ts";
import { allowedHostOf } from "../../outbound/guarded-request.ts";
import type { GuardedResponse } from "../../outbound/guarded-response.ts";
import type { OutboundGuard } from "../../outbound/outbound-guard.ts";
import { OutboundRefusal } from "../../outbound/outbound-refusal.ts";
import { cutChars } from "../../text/cut-chars.ts";
import { parseJson } from "../../text/parse-json.ts";
import { parseRetryAfter } from "../../text/retry-after.ts";
import { USER_AGENT } from "../user-agent.ts";
import { brave } from "./brave.ts";
import {
  type EngineRequest,
  type EngineWire,
  type SearchEngine,
  type SearchEngineKind,
  SearchFailure,
  type SearchFailureCode,
  type SearchResult,
  type SearchUnreachableReason,
} from "./search-engine.ts";
import { searchResultsOf } from "./search-results.ts";
import { searxng } from "./searxng.ts";
import { tavily } from "./tavily.ts";

export { type SearchEngine, type SearchEngineKind, SearchFailure, type SearchResult } from "./search-engine.ts";

/** `signal`: ends the search with its reason. */
export type SearchOptions = { signal?: AbortSignal };

const wires: Readonly<Record<SearchEngineKind, EngineWire>> = { searxng, brave, tavily };

/** SearXNG waits for its own engines for several seconds. */
const LIMITS = { timeoutMs: 15 * SECOND, maxBytes: 2 * 1024 * 1024 };
/** Of Brave and Tavily, in UTF-16 units. */
const MAX_QUERY = 400;
/** Characters that a header can carry. */
const KEY = /^[\x21-\x7e]{1,1000}$/;
const MAX_WAIT_SECONDS = 31 * 24 * 3600;
/** A query that has results in every language. */
const CHECK_QUERY = "Wikipedia";

/**
 * Searches the web by the engine of an owner, whose address may be private.
 * @param query cut at 400 characters; an empty one has no results
 * @returns at most 20 results, with http and https addresses, each once
 * @throws SearchFailure; the signal's reason
 */
export async function searchWeb(
  guard: OutboundGuard,
  engine: SearchEngine,
  query: string,
  { signal }: SearchOptions = {},
): Promise<SearchResult[]> {
  const text = cutChars(wellFormed(query).trim(), MAX_QUERY).trim();
  if (text === "") return [];
  const wire = wires[engine.kind];
  const key = engine.key === "" ? undefined : engine.key;
  if (key === undefined ? wire.needsKey : !KEY.test(key)) throw new SearchFailure("key");
  const request = wire.request(text, key);
  const { headers, body } = request;
  const url = urlOf(engine.address || wire.address || "", request);
  try {
    await using response = await guard.open(url, {
      ...LIMITS,
      method: body === undefined ? "GET" : "POST",
      headers: { accept: "application/json", "user-agent": USER_AGENT, ...headers },
      ...(body !== undefined && { body }),
      ...(engine.address && { allowed: allowedHostOf(url) }),
      isAnyStatus: true,
      signal,
    });
    return await readResults(response, wire);
  } catch (error) {
    throw error instanceof OutboundRefusal ? failureOfRefusal(error) : error;
  }
}

/**
 * Tests an engine by one query.
 * @returns the number of its results, or the failure. None are no failure: SearXNG answers without any if the engines
 *   that it asks refuse it.
 * @throws the signal's reason
 */
export async function checkSearchEngine(
  guard: OutboundGuard,
  engine: SearchEngine,
  options: SearchOptions = {},
): Promise<number | SearchFailure> {
  try {
    return (await searchWeb(guard, engine, CHECK_QUERY, options)).length;
  } catch (error) {
    if (error instanceof SearchFailure) return error;
    throw error;
  }
}

/** Returns the URL of a request. The base address may have a path, also that of the request itself. */
function urlOf(base: string, { path, parameters = {} }: EngineRequest): URL {
  const url = URL.parse(base);
  if (!url) throw new SearchFailure("unreachable", { reason: "address" });
  const below = url.pathname.replace(/\/+$/, "");
  url.pathname = below.endsWith(path) ? below : below + path;
  url.search = `${new URLSearchParams(parameters)}`;
  return url;
}

async function readResults(response: GuardedResponse, wire: EngineWire): Promise<SearchResult[]> {
  const { status } = response;
  const json = parseJson(Buffer.from(await response.bytes()).toString());
  if (status >= 200 && status < 300) {
    const rows = wire.rowsOf(json);
    if (rows) return searchResultsOf(rows);
    throw new SearchFailure("not-a-search-engine");
  }
  const header = (name: string) => response.header(name);
  const failure = wire.failureOf({ status, json, header }) ?? new SearchFailure(codeOfStatus(status));
  const isTimed = failure.code === "rate-limited" || failure.code === "credit";
  if (!isTimed) throw failure;
  const seconds = failure.retryAfterSeconds ?? (parseRetryAfter(header("retry-after")) ?? Number.NaN) / SECOND;
  throw new SearchFailure(failure.code, { retryAfterSeconds: boundedWait(seconds) });
}

function codeOfStatus(status: number): SearchFailureCode {
  if (status === 401 || status === 403) return "key";
  if (status === 402) return "credit";
  if (status === 429) return "rate-limited";
  return status < 400 || status === 404 || status === 405 ? "not-a-search-engine" : "failed";
}

const boundedWait = (seconds: number) =>
  Number.isFinite(seconds) ? Math.min(Math.max(0, Math.ceil(seconds)), MAX_WAIT_SECONDS) : undefined;

const reasons: Readonly<Partial<Record<OutboundRefusal["code"], SearchUnreachableReason>>> = {
  "bad-address": "address",
  "not-public": "not-public",
  "redirect-refused": "redirect",
  "too-many-redirects": "redirect",
  "too-slow": "slow",
};

function failureOfRefusal({ code, reason }: OutboundRefusal): SearchFailure {
  const known = code === "unreachable" ? reason : reasons[code];
  return known === undefined
    ? new SearchFailure("not-a-search-engine")
    : new SearchFailure("unreachable", { reason: known });
}
