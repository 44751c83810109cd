import { escapeMarkdown } from "../../text/name-text.ts";
import { type SourcePart, toKnownPart } from "../known-parts.ts";
import type { MessagePart } from "../parts.ts";

/** A source that an answer cites. `isMissing`: it lacks one of the quotes that refer to it. */
export type CitedSource = Pick<SourcePart, "url" | "title"> & { number: string; isMissing: boolean };

/** Returns the sources that the citations among parts refer to, each number and address once, by number. */
export function citedSources(parts: readonly MessagePart[]): CitedSource[] {
  const cited = new Map<string, CitedSource>();
  for (const part of parts) {
    const known = part.kind === "source" ? toKnownPart(part) : undefined;
    if (known?.kind !== "source") continue;
    const { source: number, url, checked } = known;
    // Earlier versions gave one number to several addresses, and imported parts may.
    const key = JSON.stringify([number, url]);
    const isMissing = checked === "missing" || cited.get(key)?.isMissing === true;
    cited.set(key, { ...wordsOf(known), url, isMissing });
  }
  return [...cited.values()].sort((a, b) => Number(a.number) - Number(b.number));
}

/** Returns the words of a source, which are untrusted, as harmless lines. */
const wordsOf = ({ source, title, url }: Pick<SourcePart, "source" | "title" | "url">) => ({
  number: oneLine(source),
  title: oneLine(title) || oneLine(url),
});

/** Returns the number, address and title of a source on the web as lists of sources show them; null for other sources. */
export function webSourceOf(part: SourcePart): Pick<SourcePart, "source" | "url" | "title"> | null {
  const url = webAddressOf(part.url);
  if (url === null) return null;
  const { number, title } = wordsOf({ ...part, url });
  return { source: number, url, title };
}

/** Of browsers and Node.js: the contract's own types have neither. */
declare const URL: { parse(address: string): { href: string; username: string; password: string } | null };

/** Control characters, and characters that change the direction of the text around them. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}]/gu;

/** Returns untrusted words of a source as one harmless line. */
const oneLine = (words: string): string => words.replaceAll(/\s+/g, " ").replaceAll(CONTROLS, "").trim();

/**
 * Returns the address of a source on the web as browsers read it, without credentials, and without characters that would
 * end it in Markdown or HTML; null for other addresses, such as those of own chats.
 */
export function webAddressOf(address: string): string | null {
  const url = /^https?:\/\/[^\s/]/i.test(address) ? URL.parse(address) : null;
  if (!url) return null;
  url.username = "";
  url.password = "";
  return url.href.replaceAll(/[<>"\\\s]/g, encodeURIComponent);
}

/** English words of a list of sources, for exports. */
export const SOURCE_WORDS = { heading: "Sources", missing: "quote not found" };

/** Returns sources as a list in Markdown, with their numbers in the text; empty without sources. */
export function sourcesMarkdown(sources: readonly CitedSource[], { heading, missing }: typeof SOURCE_WORDS): string {
  if (sources.length === 0) return "";
  const lines = sources.map(({ number, url, title, isMissing }) => {
    const address = webAddressOf(url);
    return `- [${escapeMarkdown(number)}] ${escapeMarkdown(title)}${address === null ? "" : ` <${address}>`}${isMissing ? ` (${missing})` : ""}`;
  });
  return `**${heading}**\n\n${lines.join("\n")}`;
}
