import { wellFormed } from "#contract/text/well-formed.ts";
import { cutChars } from "../../text/cut-chars.ts";
import { field, isRecord, textField } from "../../text/wire-json.ts";

/** A page of the web that a provider names as a source. `url`: http or https, without credentials. */
export type ProviderSource = { url: string; title: string };

/**
 * Words of an answer: `to` is their end in UTF-16 units of the text. With `from`, both are counted by the provider, in
 * UTF-16 units or code points, after the first `start` units of the text.
 */
export type CitedWords = { to: number; from?: undefined } | { start: number; from: number; to: number };

/** A source of words of an answer; of unknown ones without `words`. */
export type ProviderCitation = ProviderSource & { words?: CitedWords };

/**
 * Sources that a provider returns with an answer. `list`: to whose numbers, from 1, marks such as `[1]` in the text
 * refer. `length`: of the text in which the citations count, in UTF-16 units.
 */
export type ProviderSources = {
  list: readonly ProviderSource[];
  cited: readonly ProviderCitation[];
  length: number;
};

/** Sources of a list, and citations of an answer. */
const SOURCES_MAX = 100;
const CITED_MAX = 200;
const URL_MAX = 2000;
const TITLE_MAX = 300;
/** Far more than a text has. */
const POSITION_MAX = 10_000_000;

/** Returns an untrusted source; undefined if its address is none of the web. */
export function toSource(url: string, title: string): ProviderSource | undefined {
  const parsed = url.length > URL_MAX ? null : URL.parse(url);
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username !== "" || parsed.password !== "")
    return undefined;
  if (parsed.href.length > URL_MAX) return undefined;
  const words = cutChars(
    wellFormed(title.slice(0, 2 * TITLE_MAX))
      .replaceAll(/\s+/g, " ")
      .trim(),
    TITLE_MAX,
  );
  return { url: parsed.href, title: words || parsed.hostname };
}

/** Collects the sources of one answer while it is read. */
export class SourceCollector {
  #length = 0;
  #received = 0;
  #addresses: readonly unknown[] = [];
  #results: readonly unknown[] = [];
  readonly #cited = new Map<string, ProviderCitation>();
  #changes = 0;

  /** Number of changes so far. */
  get changes(): number {
    return this.#changes;
  }

  /** Notes a piece as the provider has sent it, of which a part may be a thought that is no text. */
  noteReceived(piece: string): void {
    this.#received += piece.length;
  }

  /** Notes that all text so far is a thought. */
  takeBack(): void {
    this.#length = 0;
  }

  /** Length of the text so far. */
  get length(): number {
    return this.#length;
  }

  addText(piece: string): void {
    this.#length += piece.length;
  }

  /**
   * Reads the lists beside an answer: `citations` of Perplexity and xAI, addresses; `search_results` of Perplexity, with
   * titles. Servers repeat them with each chunk, so the last ones count.
   */
  readLists(event: unknown): void {
    const [addresses, results] = [field(event, "citations"), field(event, "search_results")];
    const before = this.#addresses.length + this.#results.length;
    if (Array.isArray(addresses) && addresses.length > 0) this.#addresses = addresses.slice(0, SOURCES_MAX);
    if (Array.isArray(results) && results.length > 0) this.#results = results.slice(0, SOURCES_MAX);
    if (this.#addresses.length + this.#results.length !== before) this.#changes++;
  }

  /**
   * Reads an annotation of OpenAI's APIs and OpenRouter: `url_citation`, with its fields in an object of that name or
   * beside it. Other annotations are passed over.
   * @param start length of the text before the part in which it counts, in UTF-16 units
   */
  readAnnotation(annotation: unknown, start = 0): void {
    if (field(annotation, "type") !== "url_citation") return;
    const nested = field(annotation, "url_citation");
    const fields = isRecord(nested) ? nested : annotation;
    const from = positionField(fields, "start_index");
    const to = positionField(fields, "end_index");
    this.cite(textField(fields, "url"), textField(fields, "title"), to > from ? { start, from, to } : undefined);
  }

  /** Adds a citation, once. */
  cite(url: string, title: string, words: CitedWords | undefined): void {
    const key = JSON.stringify([url, words]);
    if (this.#cited.size >= CITED_MAX || this.#cited.has(key)) return;
    const source = toSource(url, title);
    if (!source) return;
    this.#cited.set(key, { ...source, ...(words && { words }) });
    this.#changes++;
  }

  /** @returns undefined for an answer without sources */
  end(): ProviderSources | undefined {
    const list = this.#list();
    const cited = this.#citedInText();
    return list.length + cited.length === 0 ? undefined : { list, cited, length: this.#length };
  }

  /**
   * Returns the citations with positions in the text. A provider that sends thoughts within its text may count them: it
   * does if a position is behind the end of the text without them.
   */
  #citedInText(): ProviderCitation[] {
    const cited = [...this.#cited.values()];
    const hidden = this.#received - this.#length;
    const isBehind = ({ words }: ProviderCitation) =>
      words?.from !== undefined && words.start + words.to > this.#length;
    if (hidden <= 0 || !cited.some(isBehind)) return cited;
    return cited.map(({ words, ...source }) => {
      if (words?.from === undefined) return { ...source, ...(words && { words }) };
      const { start, from, to } = words;
      return to <= hidden ? source : { ...source, words: { start, from: Math.max(0, from - hidden), to: to - hidden } };
    });
  }

  /** A source that is none leaves its number to a placeholder, so that the numbers of the others stay. */
  #list(): ProviderSource[] {
    const titles = new Map(this.#results.map((result) => [textField(result, "url"), textField(result, "title")]));
    const addresses = this.#addresses.length > 0 ? this.#addresses : this.#results;
    const list = addresses.map((each) => {
      const url = typeof each === "string" ? each : textField(each, "url");
      return toSource(url, titles.get(url) || textField(each, "title")) ?? INVALID_SOURCE;
    });
    return list.every((source) => source === INVALID_SOURCE) ? [] : list;
  }
}

/** Placeholder of a source without a valid address. */
export const INVALID_SOURCE: ProviderSource = { url: "", title: "" };

function positionField(value: unknown, name: string): number {
  const position = field(value, name);
  return typeof position === "number" && Number.isInteger(position) && position >= 0 && position <= POSITION_MAX
    ? position
    : 0;
}
