import { EventEmitter } from "node:events";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { SearchResult } from "#contract/search.ts";
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
beforeEach(() => {
  vi.useFakeTimers();
  workers = [];
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

const worker = (index = workers.length - 1) => workers[index] ?? expect.fail("no thread was begun");

/** A search, and how it ends. */
function search(userId: string, q = "x", leaving = new AbortController()) {
  return thread.search({ userId, query: { q } }, leaving.signal).then(
    ({ next }) => next,
    (error: unknown) => (error instanceof Error && "code" in error ? error.code : "gone"),
  );
}
/** A result that is known by its cursor. */
const of = (name: string): SearchResult => ({ hits: [], next: name });

it("V3 never gives anybody the answer to a search of another that took too long", async () => {
  const ada = search("ada");
  const eve = search("eve");
  const late = worker();
  await vi.advanceTimersByTimeAsync(5000);
  expect(await ada).toBe("unavailable");
  expect(late.isEnded).toBe(true);
  late.answer(of("of ada"));
  worker().answer(of("of eve"));
  expect(await eve).toBe("of eve");
});

it("V3 never gives anybody an answer that says to be another's", async () => {
  const ada = search("ada");
  worker().answer(of("of ada"));
  expect(await ada).toBe("of ada");
  const eve = search("eve");
  worker().answer(of("of ada"), worker().requests[0]?.id);
  worker().answer(of("of eve"));
  expect(await eve).toBe("of eve");
});
