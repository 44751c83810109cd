import { wellFormed } from "#contract/text/well-formed.ts";
import { TIME_MAX } from "#contract/times.ts";
import { cutChars } from "../../text/cut-chars.ts";
import type { ResultRow, SearchResult } from "./search-engine.ts";

/** Bounds of what a search returns; lengths in UTF-16 units. */
export const SEARCH_BOUNDS = { results: 20, url: 2000, title: 300, snippet: 1000 };

/** Rows beyond are not read. */
const MAX_ROWS = 200;
/** A date without a time zone, which engines write in UTC. */
const WITHOUT_ZONE = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;

/** Returns the usable rows as results: of http and https, each address once, in the order of the engine, bounded. */
export function searchResultsOf(rows: readonly ResultRow[]): SearchResult[] {
  const byAddress = new Map<string, SearchResult>();
  for (const row of rows.slice(0, MAX_ROWS)) {
    const result = resultOf(row);
    const [address] = result?.url.split("#", 1) ?? [];
    if (!result || address === undefined || byAddress.has(address)) continue;
    byAddress.set(address, result);
    if (byAddress.size === SEARCH_BOUNDS.results) break;
  }
  return [...byAddress.values()];
}

function resultOf({ url, title, snippet, date }: ResultRow): SearchResult | undefined {
  const address = typeof url === "string" && url.length <= SEARCH_BOUNDS.url ? URL.parse(url) : null;
  if (!address || !/^https?:$/.test(address.protocol) || address.username !== "" || address.password !== "") {
    return undefined;
  }
  if (address.href.length > SEARCH_BOUNDS.url) return undefined;
  const publishedAt = timeOf(date);
  return {
    url: address.href,
    title: lineOf(title, SEARCH_BOUNDS.title) || address.hostname,
    snippet: lineOf(snippet, SEARCH_BOUNDS.snippet),
    ...(publishedAt !== undefined && { publishedAt }),
  };
}

/** Returns a text as one line of at most `max` UTF-16 units. */
function lineOf(text: unknown, max: number): string {
  if (typeof text !== "string") return "";
  const line = cutChars(wellFormed(text), 2 * max).replace(/[\s\p{Cc}]+/gu, " ");
  return cutChars(line.trim(), max).trimEnd();
}

function timeOf(date: unknown): number | undefined {
  if (typeof date !== "string" || date.length > 100) return undefined;
  const at = Date.parse(WITHOUT_ZONE.test(date) ? `${date.replace(" ", "T")}Z` : date);
  return at >= 0 && at <= TIME_MAX ? at : undefined;
}
