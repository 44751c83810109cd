import { setImmediate } from "node:timers/promises";
import { SECOND } from "#contract/limits.ts";
import { piecesOf } from "#contract/text/costly-runs.ts";
import { LimitedProcess, type Post, type ProcessLimits } from "../../concurrency/limited-process.ts";
import { escapeHtml } from "../../text/escape-html.ts";
import { joinNodes } from "./page-nodes.ts";
import type { RenderOptions } from "./render-markdown.ts";
import type { RenderAnswer, RenderForm, RenderRequest } from "./render-process.ts";

const MAX_CHARS = 100_000;
/**
 * Limit of rendered HTML (UTF-16 units) that is buffered for one client. A message that is longer, and later messages,
 * are plain text. References make 1,000 times their length of HTML.
 */
export const MAX_HELD_CHARS = 4_000_000;
/** Time budget for all messages of one export; the rest is plain text. */
const TOTAL_MS = 20 * SECOND;
/** The entry of the process is next to this module, in the sources and in the build. */
const ENTRY = new URL(import.meta.url.endsWith(".ts") ? "./render-process.ts" : "./render-process.js", import.meta.url);

/** Pieces of plain text that are split and escaped per time slice. */
const PIECES_AT_ONCE = 8;

/** Returns a message as preformatted pieces. Yields to the event loop, because escaping a million quotes takes 50 ms. */
export async function plainHtml(markdown: string): Promise<string> {
  let html = "";
  let nth = 0;
  for (const piece of piecesOf(markdown)) {
    // Parsers of HTML drop the first line break.
    html += `<pre class="plain">${piece.startsWith("\n") ? "\n" : ""}${escapeHtml(piece)}</pre>`;
    if (nth++ % PIECES_AT_ONCE === 0) await setImmediate();
  }
  return html === "" ? '<pre class="plain"></pre>' : html;
}

/** Returns a message as preformatted pieces, which are nodes of a shared page. Yields to the event loop. */
async function plainNodes(markdown: string): Promise<string> {
  const nodes: string[] = [];
  for (const piece of piecesOf(markdown)) {
    nodes.push(joinNodes([["pre", { class: "plain" }, piece]]));
    if (nodes.length % PIECES_AT_ONCE === 0) await setImmediate();
  }
  return nodes.join(",");
}

/**
 * Renders Markdown in one of two forms, cut at positions.
 * @returns one section more than cuts
 */
export type Render = (markdown: string, options?: RenderOptions) => Promise<string[]>;

/** Returns the sections of a message as preformatted texts. */
const plainRender =
  (plain: (markdown: string) => Promise<string>): Render =>
  async (markdown, { cuts = [] } = {}) => {
    const sections: string[] = [];
    for (const [index, end] of [...cuts, markdown.length].entries()) {
      const section = markdown.slice(cuts[index - 1] ?? 0, end);
      sections.push(section === "" && cuts.length > 0 ? "" : await plain(section));
    }
    return sections;
  };

/** Returns the sections of a message as preformatted texts in HTML. */
export const renderPlain = plainRender(plainHtml);

const plainForms: Record<RenderForm, Render> = { html: renderPlain, nodes: plainRender(plainNodes) };

/** `messageMs`: for a message. `form`: of the sections. */
type RenderLimits = ProcessLimits & { messageMs: number; form: RenderForm };

const DEFAULTS: RenderLimits = { maxHeapMb: 256, maxMemoryMb: 512, messageMs: 4 * SECOND, form: "html" };

/**
 * Renders messages one after the other in a child process, which starts with the first. Messages that are long, or
 * take long or much memory, are plain text.
 */
export class HtmlRenderer implements AsyncDisposable {
  readonly #signal: AbortSignal;
  readonly #limits: RenderLimits;
  #process: LimitedProcess<RenderAnswer> | undefined;
  #leftMs = TOTAL_MS;

  /** @param signal ends the rendering; then `render` throws its reason */
  constructor(signal: AbortSignal, limits: Partial<RenderLimits> = {}) {
    this.#signal = signal;
    this.#limits = { ...DEFAULTS, ...limits };
  }

  readonly render: Render = async (markdown, options = {}) => {
    const isPlain = markdown.length > MAX_CHARS || this.#leftMs <= 0;
    return (
      (isPlain ? null : await this.#ask({ markdown, ...options })) ?? plainForms[this.#limits.form](markdown, options)
    );
  };

  async #ask(text: Omit<RenderRequest, "form" | "maxChars">): Promise<string[] | null> {
    this.#process ??= new LimitedProcess(ENTRY, this.#limits);
    const request: RenderRequest = { ...text, form: this.#limits.form, maxChars: MAX_HELD_CHARS };
    const timeoutMs = Math.min(this.#limits.messageMs, this.#leftMs);
    // The start of a process does not count.
    let begunAt = Number.POSITIVE_INFINITY;
    const send = (post: Post) => {
      begunAt = performance.now();
      return post(request);
    };
    const outcome = await this.#process.ask(send, timeoutMs, this.#signal);
    this.#leftMs -= Math.max(0, performance.now() - begunAt);
    if (outcome !== "timeout" && "answer" in outcome) return outcome.answer.sections;
    await this.#end();
    return null;
  }

  async #end(): Promise<void> {
    const ended = this.#process;
    this.#process = undefined;
    await ended?.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end();
  }
}
