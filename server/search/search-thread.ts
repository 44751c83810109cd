import type { EventEmitter } from "node:events";
import { Worker } from "node:worker_threads";
import type { SearchQuery, SearchResult } from "#contract/conversation/search.ts";
import { MINUTE, SECOND } from "#contract/limits.ts";
import { Failure } from "../failure.ts";

/** Longer than any search takes, even on a busy machine. */
const LIMIT_MS = 5 * SECOND;
/** Limit for a starting thread: terminating it would not help the next search. */
const BEGIN_LIMIT_MS = 20 * SECOND;
const REST_MS = MINUTE;

export type SearchRequest = { userId: string; query: SearchQuery };
/** Messages to and from the thread; the answer has the id of its request. */
export type ThreadRequest = SearchRequest & { id: number };
export type ThreadAnswer = { id: number } & ({ result: SearchResult } | { failed: string });

/** The interface of a worker thread that is used here. */
export type SearchWorker = EventEmitter & {
  postMessage(request: ThreadRequest): void;
  terminate(): Promise<unknown>;
  unref(): void;
};

type Asked = { id: number; resolve(result: SearchResult): void; reject(error: unknown): void };

/**
 * Searches a SQLite file in a worker thread with a read-only connection, so that searches do not block the event loop.
 * The thread starts with the first search, ends after an idle minute, and runs one search at a time.
 */
export class SearchThread implements AsyncDisposable {
  readonly #beginWorker: () => SearchWorker;
  #lastId = 0;
  #current: Asked | undefined;
  #worker: SearchWorker | undefined;
  /** Whether the thread has answered before. */
  #hasBegun = false;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(file: string, beginWorker = () => workerOn(file)) {
    this.#beginWorker = beginWorker;
  }

  /** @throws Failure `unavailable` if it takes too long, fails, or if another search is running */
  async search(request: SearchRequest): Promise<SearchResult> {
    if (this.#isClosed || this.#current) throw new Failure("unavailable");
    return new Promise((resolve, reject) => {
      this.#lastId++;
      const id = this.#lastId;
      this.#current = { id, resolve, reject };
      this.#worker ??= this.#begin();
      const limitMs = this.#hasBegun ? LIMIT_MS : BEGIN_LIMIT_MS;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#fail(new Error("the search took too long")), limitMs).unref();
      this.#worker.postMessage({ ...request, id });
    });
  }

  #begin(): SearchWorker {
    const worker = this.#beginWorker();
    this.#hasBegun = false;
    worker.on("message", (answer: ThreadAnswer) => {
      // A late answer is dropped; it must never reach the next request.
      if (worker !== this.#worker || answer.id !== this.#current?.id) return;
      this.#hasBegun = true;
      if ("failed" in answer) this.#fail(new Error(answer.failed), worker);
      else this.#settle(({ resolve }) => resolve(answer.result));
    });
    worker.on("error", (error) => this.#fail(error, worker));
    worker.on("exit", () => this.#fail(new Error("the thread ended"), worker));
    worker.unref();
    return worker;
  }

  /** Ends a thread in an unknown state; the next search starts another one. */
  #fail(cause: unknown, worker = this.#worker): void {
    if (worker !== this.#worker) return;
    void this.#end();
    this.#settle(({ reject }) => reject(new Failure("unavailable", { cause })));
  }

  #settle(settle: (asked: Asked) => void): void {
    const current = this.#current;
    this.#current = undefined;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#end(), REST_MS).unref();
    if (current) settle(current);
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    clearTimeout(this.#timer);
    await worker?.terminate();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#current?.reject(new Failure("unavailable"));
    this.#current = undefined;
    await this.#end();
  }
}

function workerOn(file: string): SearchWorker {
  // From source the .ts file runs; in the bundle the thread has a file of its own.
  const name = import.meta.url.endsWith(".ts") ? "./search-worker.ts" : "./search-worker.js";
  return new Worker(new URL(name, import.meta.url), { workerData: file });
}
