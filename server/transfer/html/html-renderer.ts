import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { SECOND } from "#contract/limits.ts";
import { escapeHtml } from "../../text/escape-html.ts";

const MAX_CHARS = 100_000;
const MESSAGE_MS = 4 * SECOND;
/** Time budget for all messages of one export; the rest is plain text. */
const TOTAL_MS = 20 * SECOND;
/** The worker is next to this module, in the sources and in the build. */
const WORKER = new URL(import.meta.url.endsWith(".ts") ? "./render-worker.ts" : "./render-worker.js", import.meta.url);

/** UTF-16 units of plain text that are escaped per time slice. */
const PLAIN_PIECE = 64 * 1024;

/** Returns a message as preformatted text. Yields to the event loop, because escaping a million quotes takes 50 ms. */
export async function plainHtml(markdown: string): Promise<string> {
  let html = '<pre class="plain">';
  for (let from = 0; from < markdown.length; from += PLAIN_PIECE) {
    html += escapeHtml(markdown.slice(from, from + PLAIN_PIECE));
    await setImmediate();
  }
  return `${html}</pre>`;
}

/** Renders messages one after the other in a worker thread. Messages that are long, or take long, are plain text. */
export class HtmlRenderer implements AsyncDisposable {
  #worker: Worker | undefined;
  #leftMs = TOTAL_MS;
  /** Receives the next answer of the thread; `null` if rendering failed, `undefined` if the thread has ended. */
  #onAnswer: (html: string | null | undefined) => void = () => {};

  async render(markdown: string): Promise<string> {
    const html = markdown.length > MAX_CHARS || this.#leftMs <= 0 ? null : await this.#ask(markdown);
    return html ?? plainHtml(markdown);
  }

  async #ask(markdown: string): Promise<string | null> {
    const begunAt = performance.now();
    const { promise, resolve } = Promise.withResolvers<string | null | undefined>();
    this.#onAnswer = resolve;
    const timer = setTimeout(() => resolve(undefined), Math.min(MESSAGE_MS, this.#leftMs));
    this.#worker ??= this.#begin();
    this.#worker.postMessage(markdown);
    const html = await promise;
    clearTimeout(timer);
    this.#leftMs -= performance.now() - begunAt;
    if (html === undefined) await this.#end();
    return html ?? null;
  }

  #begin(): Worker {
    const worker = new Worker(WORKER, { resourceLimits: { maxOldGenerationSizeMb: 256 } });
    // Ignores late events of a terminated worker.
    const settle = (html: string | null | undefined) => {
      if (worker === this.#worker) this.#onAnswer(html);
    };
    return worker
      .on("message", settle)
      .on("error", () => settle(undefined))
      .on("exit", () => settle(undefined));
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end();
  }
}
