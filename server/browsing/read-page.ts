import { SECOND } from "#contract/limits.ts";
import { wellFormed } from "#contract/text/well-formed.ts";
import type { Clock } from "../concurrency/clock.ts";
import type { Flow } from "../concurrency/fair-queue.ts";
import type { GuardedResponse } from "../outbound/guarded-response.ts";
import type { OutboundGuard } from "../outbound/outbound-guard.ts";
import { cutChars } from "../text/cut-chars.ts";
import { decodePage } from "./page-charset.ts";
import { PageFailure } from "./page-failure.ts";
import { PageParser, type PageParserSettings } from "./page-parser.ts";
import { USER_AGENT } from "./user-agent.ts";

export { PageFailure, type PageFailureCode } from "./page-failure.ts";

/**
 * A page that was read. `url`: after redirects. `title`: never empty. `text`: well-formed, at most 100,000 UTF-16 units.
 * `fetchedAt`: Unix time in ms. `isCut`: the page has more text.
 */
export type ReadPage = {
  url: string;
  title: string;
  siteName?: string;
  text: string;
  fetchedAt: number;
  isCut: boolean;
};

/** Text of a document; `remark`: why it has none, or not all of it. */
type PdfText = { text: string; remark?: string };

/** `readPdf`: reads PDFs; without it they are refused. */
export type PageReaderDeps = {
  guard: OutboundGuard;
  clock: Clock;
  readPdf?: (bytes: Uint8Array, signal: AbortSignal | undefined) => Promise<PdfText>;
};

/** `flow`: whose page it is; flows take turns. `signal`: ends the reading with its reason. */
export type ReadPageOptions = { flow: Flow; signal?: AbortSignal };

const LIMITS = { maxBytes: 2 * 1024 * 1024, timeoutMs: 10 * SECOND };
const MAX_TEXT = 100_000;
const HTML = ["text/html", "application/xhtml+xml"];
const PLAIN = ["text/plain", "text/markdown", "text/x-markdown"];
const PDF = "application/pdf";
/** Bytes of a plain text that are decoded: UTF-8 has at most three for each UTF-16 unit. */
const MAX_PLAIN_BYTES = 3 * (MAX_TEXT + 1);
const ACCEPT = "text/html, application/xhtml+xml, text/markdown, text/plain;q=0.9, application/pdf;q=0.5";

/** Reads pages of the web as text. Their HTML is parsed in a process that starts with the first page and ends when idle. */
export class PageReader implements AsyncDisposable {
  readonly #deps: PageReaderDeps;
  readonly #parser: PageParser;

  constructor(deps: PageReaderDeps, settings: Partial<PageParserSettings> = {}) {
    this.#deps = deps;
    this.#parser = new PageParser(settings);
  }

  /**
   * Requests an address and returns the text of its page: of HTML the article, of plain text, Markdown and PDF all.
   * @throws PageFailure; Failure `unavailable` if the reader is closed; the signal's reason
   */
  async read(address: string, { flow, signal }: ReadPageOptions): Promise<ReadPage> {
    try {
      const { response, bytes } = await this.#fetch(address, signal);
      const fetchedAt = this.#deps.clock.now();
      const { url } = response;
      const { title, siteName, text, isCut } = await this.#textOf(bytes, response, { flow, signal });
      if (text === "") throw new PageFailure("no-text");
      return { url, title: title || nameOf(url), ...(siteName && { siteName }), text, fetchedAt, isCut };
    } catch (error) {
      throw PageFailure.of(error);
    }
  }

  /** Returns a response whose connection is closed, and its body. */
  async #fetch(address: string, signal: AbortSignal | undefined) {
    const { guard, readPdf } = this.#deps;
    const types = [...HTML, ...PLAIN, ...(readPdf ? [PDF] : [])];
    const headers = { accept: ACCEPT, "user-agent": USER_AGENT };
    await using response = await guard.open(address, { ...LIMITS, types, headers, signal });
    return { response, bytes: await response.bytes() };
  }

  async #textOf(
    bytes: Uint8Array,
    response: GuardedResponse,
    options: { flow: Flow; signal: AbortSignal | undefined },
  ) {
    const label = /;\s*charset\s*=\s*"?([\w:.-]+)/i.exec(response.header("content-type") ?? "")?.[1];
    if (PLAIN.includes(response.type)) return plainText(bytes, label);
    if (response.type === PDF) return await this.#readPdf(bytes, options.signal);
    const page = await this.#parser.parse({ bytes, label }, options);
    if (!page) throw new PageFailure("too-complex");
    return page;
  }

  async #readPdf(bytes: Uint8Array, signal: AbortSignal | undefined) {
    const { text, remark } = (await this.#deps.readPdf?.(bytes, signal)) ?? { text: "" };
    if (remark === "too-complex") throw new PageFailure("too-complex");
    return { ...cut(text), isCut: text.length > MAX_TEXT || remark === "cut" };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parser[Symbol.asyncDispose]();
  }
}

function plainText(bytes: Uint8Array, label: string | undefined) {
  const { isCut, ...facts } = cut(decodePage(bytes.subarray(0, MAX_PLAIN_BYTES), label));
  return { ...facts, isCut: isCut || bytes.length > MAX_PLAIN_BYTES };
}

function cut(text: string) {
  const whole = wellFormed(text).trim();
  return { title: "", siteName: "", text: cutChars(whole, MAX_TEXT), isCut: whole.length > MAX_TEXT };
}

/** Returns a name for a page without a title: that of its file, or its host. */
function nameOf(url: string): string {
  const { hostname, pathname } = new URL(url);
  return cutChars(wellFormed(decoded(pathname.split("/").at(-1) ?? "")).trim() || hostname, 300);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
