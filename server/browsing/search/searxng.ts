import { type EngineWire, SearchFailure } from "./search-engine.ts";
import { objectsAt } from "./wire-fields.ts";

/**
 * SearXNG (docs.searxng.org, "Search API"). A format that its settings do not list is refused with 403. Its
 * `number_of_results` is an estimate of other engines, and usually 0.
 */
export const searxng: EngineWire = {
  address: undefined,
  needsKey: false,
  request: (query, key) => ({
    path: "/search",
    parameters: { q: query, format: "json" },
    // SearXNG has no keys, but a proxy before it may want one.
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
  }),
  rowsOf: (json) =>
    objectsAt(json, "results")?.map(({ url, title, content, publishedDate }) => ({
      ...{ url, title, snippet: content, date: publishedDate },
    })),
  failureOf: ({ status }) => (status === 403 ? new SearchFailure("format-disabled") : undefined),
};
