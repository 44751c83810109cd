/** Thoughts and artifacts that Claude wrote into the text of answers until 2024, as XML. */

import { CodePositions, codeBlock } from "../code-blocks.ts";

/** A piece of a text. Positions are those in the text, in UTF-16 units; the words of a block are without its tags. */
export type MarkupSegment = { kind: "text" | "thinking" | "block"; words: string; start: number; end: number };

/** Group 1: name of the element; 2: its attributes, which are bounded so that the search takes linear time. */
const OPENING = /<(antThinking|antArtifact)((?:\s{1,20}[\w-]{1,50}="[^"]{0,500}"){0,10})\s{0,20}>/g;
const ATTRIBUTE = /([\w-]+)="([^"]*)"/g;
/** Languages of artifacts that name none, by the end of their type. */
const LANGUAGES = new Map([
  ["text/html", "html"],
  ["image/svg+xml", "svg"],
  ["application/vnd.ant.mermaid", "mermaid"],
  ["application/vnd.ant.react", "jsx"],
]);

/**
 * Splits a text at thoughts and artifacts. Elements in code are text, and one without an end lasts to the end of the text.
 * An artifact becomes its title and a block of code; a document becomes its title and its Markdown.
 */
export function splitArtifacts(text: string): MarkupSegment[] {
  const segments: MarkupSegment[] = [];
  const code = new CodePositions(text);
  let from = 0;
  for (const { 0: tag, 1: name = "", 2: attributes = "", index } of text.matchAll(OPENING)) {
    if (index < from || code.isCode(index)) continue;
    const close = `</${name}>`;
    const found = text.indexOf(close, index + tag.length);
    const bodyEnd = found === -1 ? text.length : found;
    const body = withoutBlankEnds(text.slice(index + tag.length, bodyEnd));
    const end = found === -1 ? text.length : found + close.length;
    segments.push({ kind: "text", words: text.slice(from, index), start: from, end: index });
    const isThinking = name === "antThinking";
    const words = isThinking ? body : artifactOf(attributes, body);
    segments.push({ kind: isThinking ? "thinking" : "block", words, start: index, end });
    code.skipTo(end);
    from = end;
  }
  segments.push({ kind: "text", words: text.slice(from), start: from, end: text.length });
  return segments.length === 1 ? segments : segments.filter(({ words }) => words !== "");
}

function artifactOf(attributes: string, body: string): string {
  const {
    title,
    type = "",
    language,
  } = Object.fromEntries(Array.from(attributes.matchAll(ATTRIBUTE), ([, name = "", value = ""]) => [name, value]));
  const shown = type === "text/markdown" ? body : codeBlock(language ?? LANGUAGES.get(type) ?? "", body);
  return title ? `**${title}**\n\n${shown}` : shown;
}

/** Drops the line ends beside the tags; spaces before the first word may mean code. */
const withoutBlankEnds = (body: string): string => body.replace(/^[^\S\n]*\n/, "").trimEnd();
