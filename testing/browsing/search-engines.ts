import type { SearchEngine, SearchEngineKind } from "../../server/browsing/search/search-web.ts";
import { startWebServer, type WebAnswer, type WebRequest, type WebServer } from "./web-server.ts";

export const ENGINE_KEY = "tvly-secret-key";

/** A result of a test; `date`: in the form of the engine. */
export type ScriptedResult = { url?: unknown; title?: unknown; text?: unknown; date?: unknown };

type Wire = {
  path: string;
  /** Date in the form of the engine, of 2 May 2026, 10:00 UTC. */
  date: string;
  /** Returns a refusal of a request that is not that of the wire, or undefined. */
  refusal(request: WebRequest): WebAnswer | undefined;
  answer(results: readonly ScriptedResult[], query: string): unknown;
  queryOf(request: WebRequest): string;
};

const json = (status: number, body: unknown, headers: Record<string, string> = {}): WebAnswer => ({
  ...{ status, body: JSON.stringify(body), headers: { "content-type": "application/json", ...headers } },
});

const parametersOf = ({ path }: WebRequest) => new URL(path, "http://engine.test").searchParams;
const queryParameterOf = (request: WebRequest) => parametersOf(request).get("q") ?? "";

const braveError = (status: number, code: string, detail: string, headers: Record<string, string> = {}) =>
  json(status, { type: "ErrorResponse", error: { id: "1", status, code, detail, meta: {} }, time: 1 }, headers);

const wires: Readonly<Record<SearchEngineKind, Wire>> = {
  searxng: {
    path: "/search",
    date: "2026-05-02T10:00:00",
    refusal: (request) =>
      request.method === "GET" && parametersOf(request).get("format") === "json" ? undefined : { body: "<html>" },
    // `number_of_results` is 0 with results, as with most of its engines.
    answer: (results, query) => ({
      query,
      number_of_results: 0,
      results: results.map(({ url, title, text, date }) => ({
        ...{ url, title, content: text, publishedDate: date ?? null, engine: "duckduckgo", score: 1, thumbnail: null },
        ...{ parsed_url: ["https", "a.test", "/", "", "", ""], positions: [1], category: "general" },
      })),
      ...{ answers: [], corrections: [], infoboxes: [], suggestions: ["more"], unresponsive_engines: [["brave", "x"]] },
    }),
    queryOf: queryParameterOf,
  },
  brave: {
    path: "/res/v1/web/search",
    date: "2026-05-02T10:00:00",
    refusal: ({ method, headers }) =>
      method === "GET" && headers["x-subscription-token"] === ENGINE_KEY
        ? undefined
        : braveError(422, "SUBSCRIPTION_TOKEN_INVALID", `The token ${headers["x-subscription-token"]} is invalid.`),
    answer: (results, query) => ({
      type: "search",
      query: { original: query, more_results_available: true },
      ...(results.length > 0 && {
        web: {
          type: "search",
          results: results.map(({ url, title, text, date }) => ({
            ...{ url, title, description: text, ...(date !== undefined && { page_age: date, age: "May 2, 2026" }) },
            ...{ type: "search_result", language: "en", family_friendly: true },
          })),
        },
      }),
    }),
    queryOf: queryParameterOf,
  },
  tavily: {
    path: "/search",
    date: "Sat, 02 May 2026 10:00:00 GMT",
    refusal: ({ method, headers }) =>
      method === "POST" && headers.authorization === `Bearer ${ENGINE_KEY}`
        ? undefined
        : json(401, { detail: { error: `Unauthorized: missing or invalid API key. ${headers.authorization}` } }),
    answer: (results, query) => ({
      ...{ query, follow_up_questions: null, answer: null, images: [] },
      results: results.map(({ url, title, text, date }) => ({
        ...{
          url,
          title,
          content: text,
          score: 0.9,
          raw_content: null,
          ...(date !== undefined && { published_date: date }),
        },
      })),
      ...{ response_time: 1.2, request_id: "1" },
    }),
    queryOf: ({ body }) => (JSON.parse(body) as { query: string }).query,
  },
};

/** A search engine that speaks the wire of its kind over a real socket. */
export class ScriptedEngine implements AsyncDisposable {
  readonly kind: SearchEngineKind;
  readonly web: WebServer;
  results: readonly ScriptedResult[] = [];
  /** Answers instead of the results. */
  failure: WebAnswer | undefined;

  constructor(kind: SearchEngineKind, web: WebServer) {
    this.kind = kind;
    this.web = web;
    const wire = wires[kind];
    web.answers.set(wire.path, (response, request) => {
      const query = () => wire.queryOf(request);
      const answer = wire.refusal(request) ?? this.failure ?? json(200, wire.answer(this.results, query()));
      if (typeof answer === "function") answer(response, request);
      else response.writeHead(answer.status ?? 200, answer.headers).end(answer.body);
    });
  }

  /** What an owner enters. */
  get engine(): SearchEngine {
    return { kind: this.kind, address: `http://127.0.0.1:${this.web.port}`, key: ENGINE_KEY };
  }

  get date(): string {
    return wires[this.kind].date;
  }

  /** Queries that arrived. */
  get queries(): string[] {
    return this.web.requests.map((request) => wires[this.kind].queryOf(request));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.web[Symbol.asyncDispose]();
  }
}

export const startSearchEngine = async (kind: SearchEngineKind) => new ScriptedEngine(kind, await startWebServer());

/** Refusals of engines as they are documented, with what the reader should report. */
export const engineRefusals: [SearchEngineKind, string, WebAnswer, { code: string; retryAfterSeconds?: number }][] = [
  ["searxng", "its JSON disabled", { status: 403, body: "<title>403 Forbidden</title>" }, { code: "format-disabled" }],
  ["searxng", "its limiter", { status: 429, body: "" }, { code: "rate-limited" }],
  ["searxng", "a password before it", { status: 401, body: "" }, { code: "key" }],
  ["searxng", "a page of HTML", { body: "<html>Welcome</html>" }, { code: "not-a-search-engine" }],
  ["searxng", "another JSON", json(200, { results: "none" }), { code: "not-a-search-engine" }],
  ["searxng", "an error of its own", { status: 500, body: "Traceback" }, { code: "failed" }],
  [
    ...(["brave", "its rate exceeded"] as const),
    braveError(429, "RATE_LIMITED", "Request rate limit exceeded for plan.", {
      ...{ "x-ratelimit-remaining": "0, 1500", "x-ratelimit-reset": "1, 1419704" },
    }),
    { code: "rate-limited", retryAfterSeconds: 1 },
  ],
  [
    ...(["brave", "its quota used up"] as const),
    braveError(429, "QUOTA_LIMITED", "Request quota limit exceeded for plan.", {
      ...{ "x-ratelimit-remaining": "1, 0", "x-ratelimit-reset": "1, 1419704" },
    }),
    { code: "credit", retryAfterSeconds: 1_419_704 },
  ],
  [
    ...(["brave", "its quota used up, by its headers alone"] as const),
    json(429, {}, { "x-ratelimit-remaining": "1, 0", "x-ratelimit-reset": "1, 1419704" }),
    { code: "credit", retryAfterSeconds: 1_419_704 },
  ],
  ["brave", "no subscription", braveError(404, "SUBSCRIPTION_NOT_FOUND", "None found."), { code: "key" }],
  ["brave", "a parameter it does not know", braveError(422, "VALIDATION", "Unable to validate"), { code: "failed" }],
  ["brave", "the old form of its errors", json(429, { errors: [{ code: "QUOTA_LIMITED" }] }), { code: "credit" }],
  ["brave", "another address", { status: 404, body: "" }, { code: "not-a-search-engine" }],
  [
    ...(["tavily", "too many requests"] as const),
    json(
      429,
      { detail: { error: "Your request has been blocked due to excessive requests." } },
      { "retry-after": "30" },
    ),
    { code: "rate-limited", retryAfterSeconds: 30 },
  ],
  ["tavily", "its plan used up", json(432, { detail: { error: "exceeds your plan" } }), { code: "credit" }],
  ["tavily", "its paid limit reached", json(433, { detail: { error: "pay-as-you-go" } }), { code: "credit" }],
  ["tavily", "no permission", json(403, { detail: { error: "Forbidden" } }), { code: "key" }],
  ["tavily", "an error of its own", json(500, { detail: { error: "Internal" } }), { code: "failed" }],
];
