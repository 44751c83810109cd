import { EventEmitter } from "node:events";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { SearchResult } from "#contract/conversation/search.ts";
import { KeyedSemaphore } from "../concurrency/keyed-semaphore.ts";
import { Failure } from "../failure.ts";
import { SEARCH_LIMITS } from "./search.ts";
import { SearchThread, type ThreadAnswer, type ThreadRequest } from "./search-thread.ts";

/** A thread that answers on command, even after its end, like a message that was sent before the end. */
class ScriptedWorker extends EventEmitter {
  readonly requests: ThreadRequest[] = [];
  isEnded = false;

  postMessage(request: ThreadRequest): void {
    this.requests.push(request);
  }
  async terminate(): Promise<void> {
    this.isEnded = true;
  }
  unref(): void {}

  /** Answers the last request. */
  answer(result: SearchResult, id = this.requests.at(-1)?.id ?? 0): void {
    this.emit("message", { id, result } satisfies ThreadAnswer);
  }
}

let workers: ScriptedWorker[];
let thread: SearchThread;
let semaphore: KeyedSemaphore;
beforeEach(() => {
  vi.useFakeTimers();
  workers = [];
  semaphore = new KeyedSemaphore({ ...SEARCH_LIMITS, maxWaiting: 2 });
  thread = new SearchThread("", () => {
    const worker = new ScriptedWorker();
    workers.push(worker);
    return worker;
  });
});
afterEach(async () => {
  await thread[Symbol.asyncDispose]();
  vi.useRealTimers();
});

/** Waits until pending searches have been sent. @returns the newest thread */
async function worker(): Promise<ScriptedWorker> {
  await vi.advanceTimersByTimeAsync(0);
  return workers.at(-1) ?? expect.fail("no thread was begun");
}

/** Starts a search and records its outcome. */
function search(userId: string, q = "x", leaving = new AbortController()) {
  return semaphore
    .run({ network: "192.0.2.1", account: userId }, () => thread.search({ userId, query: { q } }), leaving.signal)
    .then(
      ({ next }) => next,
      (error: unknown) => (error instanceof Failure ? error.code : error),
    );
}
/** Returns a result that its cursor identifies. */
const of = (name: string): SearchResult => ({ hits: [], next: name });

it("V3 never returns the late answer of another account's search", async () => {
  const first = search("ada");
  (await worker()).answer(of("of ada"));
  await first;
  const ada = search("ada");
  const eve = search("eve");
  const late = await worker();
  await vi.advanceTimersByTimeAsync(5000);
  expect(await ada).toBe("unavailable");
  expect(late.isEnded).toBe(true);
  late.answer(of("of ada"));
  late.emit("error", new Error("past its time"));
  (await worker()).answer(of("of eve"));
  expect(await eve).toBe("of eve");
});

it("allows a starting search thread more time, but not unlimited", async () => {
  const ada = search("ada");
  const beginning = await worker();
  await vi.advanceTimersByTimeAsync(15_000);
  beginning.answer(of("of ada"));
  expect(await ada).toBe("of ada");
  const eve = search("eve");
  await vi.advanceTimersByTimeAsync(5000);
  expect(await eve).toBe("unavailable");
  const bob = search("bob");
  expect(await worker()).not.toBe(beginning);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await bob).toBe("unavailable");
});

it("V3 never returns an answer with the id of another request", async () => {
  const ada = search("ada");
  (await worker()).answer(of("of ada"));
  expect(await ada).toBe("of ada");
  const eve = search("eve");
  (await worker()).answer(of("of ada"), (await worker()).requests[0]?.id);
  (await worker()).answer(of("of eve"));
  expect(await eve).toBe("of eve");
});

/** Answers all queued searches in order. @returns their queries */
async function answerAll(): Promise<string[]> {
  const asked: string[] = [];
  for (;;) {
    const { userId, query, id } = (await worker()).requests.at(-1) ?? expect.fail("nothing was asked");
    const name = `${userId}: ${query.q}`;
    if (asked.at(-1) === name) return asked;
    asked.push(name);
    (await worker()).answer(of(name), id);
    await vi.advanceTimersByTimeAsync(0);
  }
}

it("serves accounts round-robin, and replaces the queued search of an account with its newer one", async () => {
  const ends = [
    search("ada", "a"),
    search("ada", "al"),
    search("ada", "alb"),
    search("eve", "e"),
    search("ada", "alba"),
  ];
  expect(await answerAll()).toEqual(["ada: a", "ada: alba", "eve: e"]);
  expect(await Promise.all(ends)).toEqual(["ada: a", "too-many-requests", "too-many-requests", "eve: e", "ada: alba"]);
});

it("serves another account's search before later ones of a busy account", async () => {
  const ends = [search("ada", "1"), search("eve", "2"), search("ada", "3"), search("eve", "4"), search("bob", "5")];
  expect(await Promise.all([ends[1], ends[4]])).toEqual(["too-many-requests", "unavailable"]);
  expect(await answerAll()).toEqual(["ada: 1", "eve: 4", "ada: 3"]);
});

it("does not start an aborted search, and frees its slot", async () => {
  const leaving = new AbortController();
  const ends = [search("ada", "a"), search("eve", "e", leaving), search("bob", "b")];
  leaving.abort(new Failure("too-many-requests"));
  ends.push(search("cleo", "c"), search("dan", "d", leaving));
  expect(await answerAll()).toEqual(["ada: a", "bob: b", "cleo: c"]);
  expect(await Promise.all([ends[1], ends[4]])).toEqual(["too-many-requests", "too-many-requests"]);
});

it("a search thread rejects queued searches when it is closed", async () => {
  const ends = [search("ada", "a"), search("eve", "e")];
  semaphore[Symbol.dispose]();
  await thread[Symbol.asyncDispose]();
  expect(await Promise.all([...ends, search("bob", "b")])).toEqual(["unavailable", "unavailable", "unavailable"]);
});
