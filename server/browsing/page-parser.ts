import { SECOND } from "#contract/limits.ts";
import type { Flow } from "../concurrency/fair-queue.ts";
import { IdleProcess } from "../concurrency/idle-process.ts";
import { LimitedProcess, type ProcessLimits } from "../concurrency/limited-process.ts";
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
  readonly #timeoutMs: number;
  readonly #process: IdleProcess<LimitedProcess<PageAnswer>>;

  constructor(settings: Partial<PageParserSettings> = {}) {
    const { timeoutMs, idleMs, ...limits } = { ...DEFAULTS, ...settings };
    this.#timeoutMs = timeoutMs;
    this.#process = new IdleProcess(() => new LimitedProcess(ENTRY, limits), idleMs);
  }

  /**
   * Extracts the text of HTML.
   * @returns null if that takes more time or memory than it may
   * @throws Failure `unavailable` if the parser is closed; the signal's reason
   */
  parse(
    request: PageRequest,
    { flow, signal }: { flow: Flow; signal?: AbortSignal | undefined },
  ): Promise<PageText | null> {
    return this.#process.run(flow, (process, ended) => this.#parse(process, request, ended), signal);
  }

  async #parse(
    process: LimitedProcess<PageAnswer>,
    request: PageRequest,
    signal: AbortSignal,
  ): Promise<PageText | null> {
    let isWorn = true;
    try {
      const outcome = await process.ask((post) => post(request), this.#timeoutMs, signal);
      if (outcome === "timeout" || "code" in outcome) return null;
      ({ isWorn } = outcome.answer);
      return outcome.answer.page;
    } finally {
      if (isWorn) await process.end();
    }
  }

  /** Refuses waiting pages, and ends the process with the one that is being read. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process[Symbol.asyncDispose]();
  }
}
