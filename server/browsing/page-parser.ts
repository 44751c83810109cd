import { SECOND } from "#contract/limits.ts";
import { AbortScope } from "../concurrency/abort-scope.ts";
import type { Flow } from "../concurrency/fair-queue.ts";
import { KeyedSemaphore } from "../concurrency/keyed-semaphore.ts";
import { LimitedProcess, type ProcessLimits } from "../concurrency/limited-process.ts";
import { outsideRequests } from "../concurrency/outside-requests.ts";
import { Failure } from "../failure.ts";
import type { PageText } from "./extract-page.ts";
import type { PageAnswer, PageRequest } from "./page-process.ts";

/** `timeoutMs`: for a page. `idleMs`: time after which a process without pages ends, because it takes memory. */
export type PageParserSettings = ProcessLimits & { timeoutMs: number; idleMs: number };

const DEFAULTS: PageParserSettings = {
  timeoutMs: 10 * SECOND,
  maxHeapMb: 256,
  maxMemoryMb: 512,
  idleMs: 30 * SECOND,
};

/** The entry of the process is next to this module, in the sources and in the build. */
const ENTRY = new URL(import.meta.url.endsWith(".ts") ? "./page-process.ts" : "./page-process.js", import.meta.url);

/**
 * Extracts the text of pages one after the other, in a process of its own with limits of time and memory, which starts
 * with the first page (decision 48). Flows take turns.
 */
export class PageParser implements AsyncDisposable {
  readonly #settings: PageParserSettings;
  readonly #lock = new KeyedSemaphore({ atOnce: 1, maxWaiting: Number.POSITIVE_INFINITY });
  readonly #closing = new AbortController();
  #process: LimitedProcess<PageAnswer> | undefined;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(settings: Partial<PageParserSettings> = {}) {
    this.#settings = { ...DEFAULTS, ...settings };
  }

  /**
   * Extracts the text of HTML.
   * @returns null if that takes more time or memory than it may
   * @throws Failure `unavailable` if the parser is closed; the signal's reason
   */
  parse(request: PageRequest, { flow, signal }: { flow: Flow; signal?: AbortSignal | undefined }) {
    return this.#lock.run(flow, () => this.#parse(request, signal), signal);
  }

  async #parse(request: PageRequest, signal: AbortSignal | undefined): Promise<PageText | null> {
    using scope = new AbortScope({ parents: [this.#closing.signal, ...(signal ? [signal] : [])] });
    scope.signal.throwIfAborted();
    clearTimeout(this.#idleTimer);
    if (!this.#process || this.#process.isEnded) this.#process = new LimitedProcess(ENTRY, this.#settings);
    let isWorn = true;
    try {
      const outcome = await this.#process.ask((post) => post(request), this.#settings.timeoutMs, scope.signal);
      if (outcome === "timeout" || "code" in outcome) return null;
      ({ isWorn } = outcome.answer);
      return outcome.answer.page;
    } finally {
      if (isWorn) await this.#process.end();
      else this.#endLater();
    }
  }

  #endLater(): void {
    const end = () => void this.#process?.end();
    this.#idleTimer = outsideRequests(() => setTimeout(end, this.#settings.idleMs)).unref();
  }

  /** Refuses waiting pages, and ends the process with the one that is being read. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#lock[Symbol.dispose]();
    this.#closing.abort(new Failure("unavailable"));
    clearTimeout(this.#idleTimer);
    await this.#process?.end();
  }
}
