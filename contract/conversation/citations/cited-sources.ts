import { type SourcePart, toKnownPart } from "../known-parts.ts";
import type { MessagePart } from "../parts.ts";

/** A source that an answer cites. `isMissing`: it lacks one of the quotes that refer to it. */
export type CitedSource = Pick<SourcePart, "url" | "title"> & { number: string; isMissing: boolean };

/** Returns the sources that the citations among parts refer to, each once, by number. */
export function citedSources(parts: readonly MessagePart[]): CitedSource[] {
  const byNumber = new Map<string, CitedSource>();
  for (const part of parts) {
    const known = part.kind === "source" ? toKnownPart(part) : undefined;
    if (known?.kind !== "source") continue;
    const { source: number, url, title, checked } = known;
    const isMissing = checked === "missing" || byNumber.get(number)?.isMissing === true;
    byNumber.set(number, { number, url, title: title.replaceAll(/\s+/g, " ").trim() || url, isMissing });
  }
  return [...byNumber.values()].sort((a, b) => Number(a.number) - Number(b.number));
}

/**
 * Returns the address of a source on the web, without characters that would end it in Markdown or HTML; null for other
 * addresses, such as those of own chats.
 */
export const webAddressOf = (address: string): string | null =>
  /^https?:\/\/[^\s/]/i.test(address) ? address.replaceAll(/[<>"\\\s]/g, encodeURIComponent) : null;

/** English words of a list of sources, for exports. */
export const SOURCE_WORDS = { heading: "Sources", missing: "quote not found" };

/** Characters of a title that are Markdown or HTML within a line. */
const SYNTAX = /[\\`*_~[\]<>&$|]/g;

const escaped = (words: string) => words.replaceAll(SYNTAX, "\\$&");

/** Returns sources as a list in Markdown, with their numbers in the text; empty without sources. */
export function sourcesMarkdown(sources: readonly CitedSource[], { heading, missing }: typeof SOURCE_WORDS): string {
  if (sources.length === 0) return "";
  const lines = sources.map(({ number, url, title, isMissing }) => {
    const address = webAddressOf(url);
    return `- [${escaped(number)}] ${escaped(title)}${address === null ? "" : ` <${address}>`}${isMissing ? ` (${missing})` : ""}`;
  });
  return `**${heading}**\n\n${lines.join("\n")}`;
}
