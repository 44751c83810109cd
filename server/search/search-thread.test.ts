import { EventEmitter } from "node:events";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { SearchResult } from "#contract/search.ts";
import { KeyedSemaphore } from "../concurrency/keyed-semaphore.ts";
import { Failure } from "../failure.ts";
import { SEARCH_LIMITS } from "./search.ts";
import { SearchThread, type ThreadAnswer, type ThreadRequest } from "./search-thread.ts";

/** A thread that answers when it is told to, after its end too: what it sent before may be on its way. */
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

  /** Answers what it was last asked. */
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

/** The thread that was begun last, when those that run have asked it. */
async function worker(): Promise<ScriptedWorker> {
  await vi.advanceTimersByTimeAsync(0);
  return workers.at(-1) ?? expect.fail("no thread was begun");
}

/** A search, and how it ends. */
function search(userId: string, q = "x", leaving = new AbortController()) {
  return semaphore
    .run(() => thread.search({ userId, query: { q } }), leaving.signal, { network: "", account: userId })
    .then(
      ({ next }) => next,
      (error: unknown) => (error instanceof Failure ? error.code : error),
    );
}
/** A result that is known by its cursor. */
const of = (name: string): SearchResult => ({ hits: [], next: name });

it("V3 never gives anybody the answer to a search of another that took too long", async () => {
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

it("waits longer for a thread that is only beginning, and not for ever", async () => {
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

it("V3 never gives anybody an answer that says to be another's", async () => {
  const ada = search("ada");
  (await worker()).answer(of("of ada"));
  expect(await ada).toBe("of ada");
  const eve = search("eve");
  (await worker()).answer(of("of ada"), (await worker()).requests[0]?.id);
  (await worker()).answer(of("of eve"));
  expect(await eve).toBe("of eve");
});

/** Lets each search that waits be done in order. @returns what was looked for */
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

it("serves accounts in rotation, and takes a newer search for the one of its account that waits", async () => {
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

it("lets another account's search go before one that is asked later, however often an account asks", async () => {
  const ends = [search("ada", "1"), search("eve", "2"), search("ada", "3"), search("eve", "4"), search("bob", "5")];
  expect(await Promise.all([ends[1], ends[4]])).toEqual(["too-many-requests", "unavailable"]);
  expect(await answerAll()).toEqual(["ada: 1", "eve: 4", "ada: 3"]);
});

it("does not begin a search that nobody waits for any more, and has room for another then", async () => {
  const leaving = new AbortController();
  const ends = [search("ada", "a"), search("eve", "e", leaving), search("bob", "b")];
  leaving.abort(new Failure("too-many-requests"));
  ends.push(search("cleo", "c"), search("dan", "d", leaving));
  expect(await answerAll()).toEqual(["ada: a", "bob: b", "cleo: c"]);
  expect(await Promise.all([ends[1], ends[4]])).toEqual(["too-many-requests", "too-many-requests"]);
});

it("answers nobody who waits once it is closed", async () => {
  const ends = [search("ada", "a"), search("eve", "e")];
  semaphore[Symbol.dispose]();
  await thread[Symbol.asyncDispose]();
  expect(await Promise.all([...ends, search("bob", "b")])).toEqual(["unavailable", "unavailable", "unavailable"]);
});
