/** The search engine of the installation, which owners set. */

import * as z from "zod/mini";
import { rule } from "../text/validation.ts";

/** `searxng`: a server of one's own. `brave` and `tavily`: services on the web, which need a key. */
export const searchEngineKinds = ["searxng", "brave", "tavily"] as const;
export type SearchEngineKind = (typeof searchEngineKinds)[number];

/** Names of the engines, which are the same in every language. */
export const searchEngineNames: Readonly<Record<SearchEngineKind, string>> = {
  searxng: "SearXNG",
  brave: "Brave Search",
  tavily: "Tavily",
};

/** Whether an engine must have a key. The others must have an address. */
export const needsSearchKey: Readonly<Record<SearchEngineKind, boolean>> = {
  searxng: false,
  brave: true,
  tavily: true,
};

/** In UTF-16 units. */
export const SEARCH_KEY_MAX = 1000;
const URL_MAX = 2000;

const invalid = { error: rule("invalid") };

/**
 * `baseUrl`: null for a service at its own address. `apiKey`: absent: the stored one stays, which is possible for the
 * same engine at the same server only; null: none.
 */
export const newSearchEngineSchema = z.object({
  kind: z.enum(searchEngineKinds),
  baseUrl: z.nullable(
    z.string(invalid).check(z.trim(), z.minLength(1, { error: rule("required") }), z.maxLength(URL_MAX, invalid)),
  ),
  apiKey: z.optional(
    z.nullable(
      z.string(invalid).check(z.trim(), z.maxLength(SEARCH_KEY_MAX, invalid), z.regex(/^[\x21-\x7e]+$/, invalid)),
    ),
  ),
});
export type NewSearchEngine = z.infer<typeof newSearchEngineSchema>;

export const webSearchSchema = z.object({
  /** Null: no engine is set, and the web cannot be searched. */
  engine: z.nullable(
    z.object({
      /** A `SearchEngineKind`. */
      kind: z.string(),
      /** Null: the service at its own address. */
      baseUrl: z.nullable(z.string()),
      hasKey: z.boolean(),
      /** The server cannot decrypt its key, which must be entered again; until then the web cannot be searched. */
      isUnreadable: z.boolean(),
    }),
  ),
  /** The environment sets it, so that the browser cannot change it. */
  isFixed: z.boolean(),
});
export type WebSearchAnswer = z.infer<typeof webSearchSchema>;

/** `engine`: values that are not saved; absent: the engine in effect. */
export const searchCheckRequestSchema = z.object({ engine: z.optional(newSearchEngineSchema) });
export type SearchCheckRequest = z.infer<typeof searchCheckRequestSchema>;

/**
 * Why a test has failed. `key`: missing, wrong or not valid for the service. `credit`: the plan is used up.
 * `format-disabled`: SearXNG does not answer in JSON; `json` is missing in `search.formats` of its settings.
 * `not-a-search-engine`: the address is not that of such an engine. `failed`: another failure of the engine.
 */
export const searchFailures = [
  ...(["key", "credit", "rate-limited", "format-disabled", "unreachable", "not-a-search-engine", "failed"] as const),
] as const;
export type SearchFailureName = (typeof searchFailures)[number];

/**
 * Why an engine is unreachable. `name`: not found. `refused`: nothing listens there. `certificate`: not trusted. `proxy`:
 * that of the server does not connect it. `broken-off`: closed without an answer. `address`: it is none.
 * `not-public`: an address of a cloud's metadata. `redirect`: it redirects elsewhere. `slow`: no answer in time.
 */
export const searchFaults = [
  ...(["name", "refused", "certificate", "proxy", "broken-off", "address", "not-public", "redirect", "slow"] as const),
] as const;
export type SearchFault = (typeof searchFaults)[number];

/**
 * `results`: how many a common word has; none: the engines that SearXNG asks do not answer it. `code`: a
 * `SearchFailureName`; `reason`: of `unreachable`, a `SearchFault`; a newer server may send others. `host`: of the
 * entered address. `isOwnContainer`: it is a loopback address, and the server runs in a container.
 */
export const searchCheckSchema = z.union([
  z.object({ ok: z.literal(true), results: z.int(), durationMs: z.int() }),
  z.object({
    ok: z.literal(false),
    code: z.string(),
    reason: z.optional(z.string()),
    retryAfterSeconds: z.optional(z.int()),
    host: z.optional(z.string()),
    isOwnContainer: z.optional(z.literal(true)),
    durationMs: z.int(),
  }),
]);
export type SearchCheck = z.infer<typeof searchCheckSchema>;
