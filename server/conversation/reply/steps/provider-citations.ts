import {
  NONE,
  type ProviderCitation,
  type ProviderSource,
  type ProviderSources,
} from "../../../models/sources/provider-sources.ts";
import { callPartsOf, type Part } from "../../parts/message-part.ts";
import { type Citation, marksIn, numbersOf } from "./citations.ts";

/** Citations of one call of a model. */
const CITATIONS_MAX = 200;

/**
 * Returns the citations of sources that a provider has named, without a snapshot, and so unchecked: those at positions of
 * the text, and the marks with numbers of a list; a list to which no mark refers is cited at the end.
 * @param text of the reply, which ends with the text of the call
 * @param from length of the text before the call, in UTF-16 units
 * @param parts of the reply: sources of its tools have the numbers first, and the marks in the text are theirs
 */
export function providerCitations(
  text: string,
  { list, cited, length }: ProviderSources,
  { from, parts }: { from: number; parts: readonly Part[] },
): Citation[] {
  const ofTools = callPartsOf(parts).flatMap(({ body }) => body.sources ?? []);
  const numbers = new SourceNumbers(
    ofTools.reduce((most, { number }) => Math.max(most, number), 0),
    ofTools.length > 0 ? [] : list,
  );
  // From the end: a continuation may have left out a repeated beginning.
  const begin = text.length - length;
  const at = (citation: ProviderCitation) =>
    Math.max(from, Math.min(begin + endIn(text, citation, begin), text.length));
  const atPositions = cited.map((citation) => ({ at: at(citation), source: citation, number: numbers.of(citation) }));
  const atMarks = ofTools.length > 0 ? [] : markedIn(text, from, list);
  const atEnd = [...atPositions, ...atMarks].length > 0 ? [] : list.filter((source) => source !== NONE);
  return [
    ...atPositions,
    ...atMarks,
    ...atEnd.map((source) => ({ at: text.length, source, number: numbers.of(source) })),
  ]
    .sort((a, b) => a.at - b.at)
    .slice(0, CITATIONS_MAX)
    .map(({ at: end, source: { url, title }, number }) => ({
      at: end,
      body: { source: `${number}`, url, title, checked: "unchecked" },
    }));
}

/** Numbers sources by their addresses: those of a list by their positions, from 1, and others after them. */
class SourceNumbers {
  readonly #numbers = new Map<string, number>();
  #last: number;

  constructor(last: number, list: readonly ProviderSource[]) {
    for (const [index, { url }] of list.entries()) if (!this.#numbers.has(url)) this.#numbers.set(url, index + 1);
    this.#last = Math.max(last, list.length);
  }

  of({ url }: ProviderSource): number {
    const number = this.#numbers.get(url) ?? ++this.#last;
    this.#numbers.set(url, number);
    return number;
  }
}

function markedIn(text: string, from: number, list: readonly ProviderSource[]) {
  return [...marksIn(text, from, { isEnded: true })].flatMap(({ at, mark }) =>
    numbersOf(mark).flatMap((number) => {
      const source = list[number - 1];
      return source && source !== NONE ? [{ at, source, number }] : [];
    }),
  );
}

/**
 * Returns where the words of a citation end, in UTF-16 units of the provider's text, which begins at `begin` of a text.
 * Providers count in code points or, where the range is a link, perhaps in UTF-16 units.
 */
function endIn(text: string, { url, words }: ProviderCitation, begin: number): number {
  if (!words) {
    const link = text.indexOf(url, Math.max(0, begin));
    return (link === -1 ? text.length : endOfLink(text, link + url.length)) - begin;
  }
  if (words.from === undefined) return words.to;
  const { start, from, to } = words;
  const counted = text.slice(Math.max(0, begin + start));
  if (!/[\uD800-\uDBFF]/.test(counted) || LINK.test(counted.slice(from, to))) return start + to;
  return start + Array.from(counted).slice(0, to).join("").length;
}

/** What a citation in the text looks like, such as `([name](address))`. */
const LINK = /^[([【].*[)\]】]$/su;

const endOfLink = (text: string, at: number) => (text[at] === ")" ? at + 1 : at);
