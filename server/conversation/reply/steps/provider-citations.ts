import {
  INVALID_SOURCE,
  type ProviderCitation,
  type ProviderSource,
  type ProviderSources,
} from "../../../models/sources/provider-sources.ts";
import { CodePoints } from "../../../text/code-points.ts";
import { MarkScanner } from "../../../text/mark-scanner.ts";
import { callPartsOf, type Part } from "../../parts/message-part.ts";
import type { NamedSources } from "../open-call.ts";
import { type Citation, type CutReply, citationsLeft, numberedSources, numbersOf, withCitations } from "./citations.ts";

type NumberedCitation = { at: number; source: ProviderSource; number: number };

/**
 * Returns the citations of sources that a provider has named, without a snapshot, and so unchecked: those at positions of
 * the text, and the marks with numbers of a list; a list to which no mark refers is cited at the end.
 * @param text of the reply, which ends with the text of the call
 * @param from length of the text before the call, in UTF-16 units
 * @param parts of the reply: their sources keep their numbers, and the marks in the text are those of tools
 */
export function providerCitations(
  text: string,
  { list, cited, length }: ProviderSources,
  { from, parts }: { from: number; parts: readonly Part[] },
): Citation[] {
  const left = citationsLeft(parts);
  const hasToolSources = callPartsOf(parts).some(({ body }) => (body.sources ?? []).length > 0);
  const numbers = new SourceNumbers(numberedSources(parts), hasToolSources ? [] : list);
  // From the end: a continuation may have left out a repeated beginning.
  const begin = text.length - length;
  const points = new CodePoints(text);
  const atPositions = cited.slice(0, left).map((source) => {
    const at = Math.max(from, Math.min(endIn(text, source, begin, points), text.length));
    return { at, source, number: numbers.of(source) };
  });
  const atMarks = hasToolSources ? [] : markedIn(text, { from, left, list, numbers });
  const atEnd = atPositions.length + atMarks.length > 0 ? [] : list.filter((source) => source !== INVALID_SOURCE);
  return [
    ...atPositions,
    ...atMarks,
    ...atEnd.map((source) => ({ at: text.length, source, number: numbers.of(source) })),
  ]
    .sort((a, b) => a.at - b.at)
    .slice(0, left)
    .map(({ at: end, source: { url, title }, number }) => ({
      at: end,
      body: { source: `${number}`, url, title, checked: "unchecked" },
    }));
}

/** Adds the citations of sources that the provider had named before the process of a reply died. */
export function withNamedSources(
  parts: readonly Part[],
  { content, from, run, rev, named }: CutReply & { named: NamedSources | undefined },
): { parts: Part[]; rev: number } {
  if (!named || content.length <= from) return { parts: [...parts], rev };
  const sources = { ...named, length: content.length - named.begin };
  return withCitations(parts, providerCitations(content, sources, { from, parts }), { run, rev });
}

/**
 * Numbers sources by their addresses. The sources of the reply keep their numbers, the sources of a list have their
 * positions, from 1, where these are free, and others follow. A source whose position is not its number has no mark in the text.
 */
class SourceNumbers {
  readonly #numbers = new Map<string, number>();
  #last: number;

  constructor(used: readonly { number: number; url: string }[], list: readonly ProviderSource[]) {
    for (const { number, url } of used) if (!this.#numbers.has(url)) this.#numbers.set(url, number);
    const taken = new Set(used.map(({ number }) => number));
    for (const [index, { url }] of list.entries())
      if (!this.#numbers.has(url) && !taken.has(index + 1)) this.#numbers.set(url, index + 1);
    this.#last = used.reduce((most, { number }) => Math.max(most, number), list.length);
  }

  of({ url }: ProviderSource): number {
    const number = this.#numbers.get(url) ?? ++this.#last;
    this.#numbers.set(url, number);
    return number;
  }
}

type Marked = { from: number; left: number; list: readonly ProviderSource[]; numbers: SourceNumbers };

/** Returns the first `left` citations at marks of a list's numbers after `from`. */
function markedIn(text: string, { from, left, list, numbers }: Marked): NumberedCitation[] {
  const found: NumberedCitation[] = [];
  for (const { at, mark } of new MarkScanner().scan(text, { isEnded: true })) {
    if (found.length >= left) break;
    if (at <= from) continue;
    for (const number of numbersOf(mark)) {
      const source = list[number - 1];
      if (source && source !== INVALID_SOURCE) found.push({ at, source, number: numbers.of(source) });
    }
  }
  return found;
}

/**
 * Returns where the words of a citation end, in UTF-16 units of a text in which the provider's text begins at `begin`.
 * Providers count in code points or, where the range is a link, perhaps in UTF-16 units.
 */
function endIn(text: string, { url, words }: ProviderCitation, begin: number, points: CodePoints): number {
  if (!words) {
    const link = text.indexOf(url, Math.max(0, begin));
    return link === -1 ? text.length : endOfLink(text, link + url.length);
  }
  if (words.from === undefined) return begin + words.to;
  const { start, from, to } = words;
  const base = Math.max(0, begin + start);
  if (!points.differAfter(base) || isLink(text, base + from, base + to)) return begin + start + to;
  return begin + start + points.unitAt(base, to) - base;
}

/** Whether a range looks like a citation in the text, such as `([name](address))`. */
const isLink = (text: string, from: number, to: number) =>
  to - from > 1 && "([【".includes(text[from] ?? " ") && ")]】".includes(text[Math.min(to, text.length) - 1] ?? " ");

const endOfLink = (text: string, at: number) => (text[at] === ")" ? at + 1 : at);
