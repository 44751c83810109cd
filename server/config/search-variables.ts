import * as z from "zod/mini";
import { type SearchEngineKind, searchEngineKinds } from "#contract/administration/web-search.ts";
import { plainUrl } from "./variable-schemas.ts";

/** Variables that set the search engine. */
export const searchVariables = {
  SEARCH_URL: plainUrl,
  SEARCH_ENGINE: z.enum(searchEngineKinds, { error: `must be one of ${searchEngineKinds.join(", ")}` }),
  SEARCH_KEY: z.string().check(z.regex(/^[\x21-\x7e]{1,1000}$/, { error: "has characters that no key has" })),
};

/** Returns the engine that the environment sets; an address alone is that of SearXNG. */
export function searchEngineOf(values: Readonly<Record<"SEARCH_URL" | "SEARCH_ENGINE", string | undefined>>): {
  searchEngine?: { kind: SearchEngineKind; address?: string };
} {
  const { SEARCH_URL: url, SEARCH_ENGINE: engine } = values;
  if (!url && !engine) return {};
  const address = url?.replace(/\/+$/, "");
  return { searchEngine: { kind: (engine ?? "searxng") as SearchEngineKind, ...(address && { address }) } };
}
