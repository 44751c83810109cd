import { conversationPaths } from "#contract/conversation/paths.ts";
import { type SearchHit, type SearchResult, searchResultSchema } from "#contract/conversation/search.ts";
import type { TestApp } from "../app/start-test-app.ts";

type Query = Record<string, string | number>;

/** Reads one page of search results. @throws Error if the call fails */
export async function search(app: TestApp, token: string, query: Query): Promise<SearchResult> {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) params.set(name, String(value));
  const response = await app.call("GET", `${conversationPaths.search}?${params}`, { token });
  if (!response.ok) throw new Error(`search answered ${response.status}: ${await response.text()}`);
  return searchResultSchema.parse(await response.json());
}

/** Reads all pages of search results. */
export async function searchAll(app: TestApp, token: string, query: Query): Promise<SearchHit[]> {
  const hits: SearchHit[] = [];
  for (let before: string | null = ""; before !== null; ) {
    const page: SearchResult = await search(app, token, { limit: 50, ...query, ...(before && { before }) });
    hits.push(...page.hits);
    before = page.next;
  }
  return hits;
}
