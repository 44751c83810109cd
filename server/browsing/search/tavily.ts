import { type EngineWire, SearchFailure } from "./search-engine.ts";
import { objectsAt } from "./wire-fields.ts";

/** Statuses of their own for the limit of the plan and of what is paid as one goes. */
const NO_CREDIT = new Set([432, 433]);

/** Tavily (docs.tavily.com, "Search" and "Errors Code"). */
export const tavily: EngineWire = {
  address: "https://api.tavily.com",
  needsKey: true,
  request: (query, key = "") => ({
    path: "/search",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ query, max_results: 20 }),
  }),
  rowsOf: (json) =>
    objectsAt(json, "results")?.map(({ url, title, content, published_date }) => ({
      ...{ url, title, snippet: content, date: published_date },
    })),
  failureOf: ({ status }) => (NO_CREDIT.has(status) ? new SearchFailure("credit") : undefined),
};
