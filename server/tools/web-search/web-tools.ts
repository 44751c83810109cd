import type { PageReader, ReadPage } from "../../browsing/read-page.ts";
import type { Clock } from "../../concurrency/clock.ts";
import type { Outbound } from "../../outbound/outbound.ts";
import { cutChars } from "../../text/cut-chars.ts";
import { optionalNumber, requiredText } from "../arguments.ts";
import type { Tool, ToolContext, ToolGroup, ToolOutcome } from "../tool.ts";
import { ToolInputError } from "../tool-input-error.ts";
import { offeredName } from "../toolbox.ts";
import type { WebSearch } from "./web-search.ts";

export type WebToolsDeps = {
  webSearch: WebSearch;
  outbound: Outbound;
  clock: Clock;
  /** Whether pages of an IP address may be read; by default of public ones only. */
  isPublicAddress?: (address: string) => boolean;
};

/** Name by which the search is offered. */
export const SEARCH_TOOL = offeredName({ group: "web", name: "search_web" });

/** Characters of a page that a model receives at a time, in UTF-16 units. */
const SECTION = 20_000;

/** Tools that search the web by the engine of the owner, and read its pages. The reader is opened by the first page. */
export class WebTools implements ToolGroup, AsyncDisposable {
  readonly slug = "web";
  readonly tools: readonly Tool[];
  readonly #deps: WebToolsDeps;
  #reader: Promise<PageReader> | undefined;

  constructor(deps: WebToolsDeps) {
    this.#deps = deps;
    this.tools = [this.#searchTool(), this.#pageTool()];
  }

  isAvailable(): boolean {
    return this.#deps.webSearch.current() !== undefined;
  }

  #searchTool(): Tool {
    return {
      group: this.slug,
      name: "search_web",
      description:
        "Searches the web for current information. Returns numbered results with an address and a short text each. Read " +
        "the pages that matter with read_page before you rely on them.",
      parameters: {
        type: "object",
        properties: { query: { type: "string", description: "A few words, as for a search engine." } },
        required: ["query"],
      },
      reach: "engine",
      isRepeatable: true,
      run: (given, context) => this.#search(requiredText(given, "query"), context),
    };
  }

  #pageTool(): Tool {
    return {
      group: this.slug,
      name: "read_page",
      description: "Reads a page of the web as text. A long page has several sections.",
      parameters: {
        type: "object",
        properties: {
          url: { type: "string", description: "Address of a result, or one that the person has named." },
          section: { type: "integer", description: "Which section of a long page; 1 by default." },
        },
        required: ["url"],
      },
      reach: "address",
      isRepeatable: true,
      addressOf: ({ url }) => (typeof url === "string" ? url : undefined),
      run: (given, context) => this.#read(requiredText(given, "url"), optionalNumber(given, "section") ?? 1, context),
    };
  }

  async #search(query: string, { signal, now }: ToolContext): Promise<ToolOutcome> {
    const { webSearch } = this.#deps;
    const engine = webSearch.current();
    if (!engine) throw new ToolInputError("No search engine is set up on this server.");
    const results = await webSearch.search(engine, query, { signal }).catch(toSentence);
    if (results.length === 0) return { text: "There are no results." };
    const sources = results.map(({ url, title, snippet, publishedAt }) => {
      const date = publishedAt === undefined ? "" : `${new Date(publishedAt).toISOString().slice(0, 10)}: `;
      return { url, title, text: date + snippet, fetchedAt: now };
    });
    return { text: "", sources };
  }

  async #read(address: string, section: number, { flow, signal }: ToolContext): Promise<ToolOutcome> {
    const reader = await this.#openReader();
    const page = await reader.read(address, { flow, signal }).catch(toSentence);
    return sectionOf(page, section);
  }

  #openReader(): Promise<PageReader> {
    this.#reader ??= this.#newReader();
    return this.#reader;
  }

  async #newReader(): Promise<PageReader> {
    const [{ OutboundGuard }, { PageReader: Reader }] = await Promise.all([
      import("../../outbound/outbound-guard.ts"),
      import("../../browsing/read-page.ts"),
    ]);
    const { outbound, clock, isPublicAddress: isPublic } = this.#deps;
    return new Reader({ guard: new OutboundGuard({ outbound, ...(isPublic && { isPublic }) }), clock });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#reader)?.[Symbol.asyncDispose]();
  }
}

function sectionOf({ url, title, text, fetchedAt, isCut }: ReadPage, section: number): ToolOutcome {
  const sections = Math.ceil(text.length / SECTION);
  const from = (section - 1) * SECTION;
  if (from >= text.length) throw new ToolInputError(`The page has ${sections} sections.`);
  const words = cutChars(text.slice(from), SECTION);
  const cut = isCut ? " The page is longer than what was read." : "";
  const head = sections > 1 ? `Section ${section} of ${sections}.${section === sections ? cut : ""}` : cut.trim();
  return { text: head, sources: [{ url, title, text: words, fetchedAt }] };
}

/** Rethrows a failure of a search or a page as a sentence for the model, which names its code. */
function toSentence(error: unknown): never {
  const isKnown = error instanceof Error && (error.name === "SearchFailure" || error.name === "PageFailure");
  if (isKnown) throw new ToolInputError(`It could not be read: ${error.message}.`, { cause: error });
  throw error;
}
