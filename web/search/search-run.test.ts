import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { SearchHit } from "#contract/conversation/search.ts";
import { fakeApi, problem } from "../testing/fakes/fake-api.ts";
import { noFilters, SearchRun } from "./search-run.ts";

const hit = (messageId: string): SearchHit => {
  const about = { chatId: "c", title: "A chat", role: "user", model: null, at: 1 } as const;
  return { ...about, messageId, snippet: "words", marks: [[0, 5]] };
};
const page = (ids: string[], next: string | null = null) => ({ json: { hits: ids.map(hit), next } });
const found = (run: SearchRun) => run.state.get().hits.map(({ messageId }) => messageId);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("the search sends one request for text that is typed without a pause", async () => {
  const calls = fakeApi({ "GET /search?q=abc": page(["1"]) });
  const run = new SearchRun();
  for (const query of ["a", "ab", " abc "]) run.ask(query, noFilters);
  expect(run.state.get().isLoading).toBe(true);
  await vi.runAllTimersAsync();
  expect(calls).toHaveLength(1);
  expect(run.state.get()).toMatchObject({ query: "abc", isLoading: false, error: null });
  expect(found(run)).toEqual(["1"]);
});

test("a response to an earlier query never replaces that of a later one", async () => {
  const late = Promise.withResolvers<Response>();
  fakeApi({ "GET /search?q=a": () => late.promise, "GET /search?q=ab": page(["2"]) });
  const run = new SearchRun();
  run.ask("a", noFilters);
  await vi.runAllTimersAsync();
  run.ask("ab", noFilters);
  await vi.runAllTimersAsync();
  late.resolve(new Response(JSON.stringify({ hits: [hit("1")], next: null })));
  await vi.runAllTimersAsync();
  expect(found(run)).toEqual(["2"]);
});

test("the search keeps the hits until the next response, and none once the field is empty", async () => {
  fakeApi({ "GET /search?q=a": page(["1"]), "GET /search?q=ab": page([]) });
  const run = new SearchRun();
  run.ask("a", noFilters);
  await vi.runAllTimersAsync();
  run.ask("ab", noFilters);
  expect([run.state.get().query, found(run)]).toEqual(["a", ["1"]]);
  await vi.runAllTimersAsync();
  expect([run.state.get().query, found(run)]).toEqual(["ab", []]);
  run.ask(" ", noFilters);
  expect(run.state.get()).toMatchObject({ query: "", hits: [], isLoading: false });
});

test("the search appends the next page, and retries the same page after a failure", async () => {
  fakeApi({
    "GET /search?q=a": page(["1"], "9.0.0.0.0"),
    "GET /search?q=a&before=9.0.0.0.0": [problem(503, "unavailable"), page(["2"])],
  });
  const run = new SearchRun();
  run.ask("a", noFilters);
  await vi.runAllTimersAsync();
  await run.showMore();
  expect(run.state.get()).toMatchObject({ isLoading: false, error: { status: 503 } });
  expect(found(run)).toEqual(["1"]);
  await run.again();
  expect(run.state.get()).toMatchObject({ next: null, error: null });
  expect(found(run)).toEqual(["1", "2"]);
});

test("a stopped search keeps the hits, and requests only the missing ones afterwards", async () => {
  const calls = fakeApi({ "GET /search?q=a": page(["1"]) });
  const run = new SearchRun("a ");
  expect(run.asked.query).toBe("a ");
  run.resume();
  run.stop();
  run.resume();
  await vi.runAllTimersAsync();
  run.stop();
  run.resume();
  await vi.runAllTimersAsync();
  expect(found(run)).toEqual(["1"]);
  expect(calls).toHaveLength(2);
});

test("the search continues after an empty page if more follow", async () => {
  fakeApi({
    "GET /search?q=a": page([], "9.0.0.0.0"),
    "GET /search?q=a&before=9.0.0.0.0": page([], "5.0.0.0.0"),
    "GET /search?q=a&before=5.0.0.0.0": page(["1"], "1.0.0.0.0"),
  });
  const run = new SearchRun();
  run.ask("a", noFilters);
  await vi.runAllTimersAsync();
  expect(found(run)).toEqual(["1"]);
  expect(run.state.get()).toMatchObject({ next: "1.0.0.0.0", isLoading: false });
});

test("the search sends the filters, with whole days in the local time zone", async () => {
  const calls = fakeApi({});
  const run = new SearchRun();
  run.ask("a", { ...noFilters, role: "user", folder: "f", from: "2026-03-01", to: "2026-03-01" });
  await vi.runAllTimersAsync();
  const parameters = new URLSearchParams(calls[0]?.path.split("?")[1]);
  const from = new Date(2026, 2, 1).getTime();
  expect([...parameters]).toEqual([
    ["q", "a"],
    ["folder", "f"],
    ["role", "user"],
    ["from", String(from)],
    ["to", String(new Date(2026, 2, 2).getTime() - 1)],
  ]);
});
