import type { UnreachableReason } from "../../outbound/outbound-refusal.ts";

/** An engine that an owner entered. `address`: base URL, needed for SearXNG. `key`: needed for Brave and Tavily. */
export type SearchEngine = { kind: SearchEngineKind; address?: string | undefined; key?: string | undefined };

export type SearchEngineKind = "searxng" | "brave" | "tavily";

/** `publishedAt`: Unix time in ms, where the engine reports one. */
export type SearchResult = { url: string; title: string; snippet: string; publishedAt?: number };

/**
 * Why a search has no results.
 * - `key`: missing, wrong or not valid for this service.
 * - `credit`: the plan's quota is used up.
 * - `format-disabled`: SearXNG does not answer in JSON; `json` is missing in `search.formats` of its settings.
 * - `not-a-search-engine`: the answer is not that of such an engine.
 * - `failed`: another failure of the engine, such as a status of 500.
 */
export type SearchFailureCode =
  | "key"
  | "credit"
  | "rate-limited"
  | "format-disabled"
  | "unreachable"
  | "not-a-search-engine"
  | "failed";

/** `address`: no URL of http or https. `not-public`: an address of metadata. `redirect`: to another address. */
export type SearchUnreachableReason = UnreachableReason | "address" | "not-public" | "redirect" | "slow";

type FailureFacts = { reason?: SearchUnreachableReason | undefined; retryAfterSeconds?: number | undefined };

/** Failure of a search. It contains neither the key nor words of the engine. */
export class SearchFailure extends Error {
  readonly code: SearchFailureCode;
  /** Of `unreachable`. */
  readonly reason: SearchUnreachableReason | undefined;
  /** Of `rate-limited` and `credit`, where the engine reports it. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: SearchFailureCode, { reason, retryAfterSeconds }: FailureFacts = {}) {
    super(reason === undefined ? code : `${code}, ${reason}`);
    this.name = "SearchFailure";
    this.code = code;
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** A request of the wire of an engine. `path`: below its address. */
export type EngineRequest = {
  path: string;
  parameters?: Record<string, string>;
  headers: Record<string, string>;
  body?: string;
};

/** An answer with a failure. `json`: the parsed body; undefined if it is none. */
export type EngineRefusal = { status: number; json: unknown; header(name: string): string | undefined };

/** A result as the engine writes it, of which no field may be trusted. */
export type ResultRow = { url: unknown; title: unknown; snippet: unknown; date: unknown };

/** What differs between engines. */
export type EngineWire = {
  /** Base address of the service; undefined if owners run it themselves. */
  address: string | undefined;
  needsKey: boolean;
  request(query: string, key: string | undefined): EngineRequest;
  /** Returns undefined if the answer is not that of this engine. */
  rowsOf(json: unknown): ResultRow[] | undefined;
  /** Returns undefined for a refusal whose status says everything. */
  failureOf(refusal: EngineRefusal): SearchFailure | undefined;
};
