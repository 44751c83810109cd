/**
 * Names in angle brackets that no element has, such as `<placeholder>`: parsers take them for tags. Here the bracket is
 * masked by another character before a text is parsed, and restored in the tree. The length of the text stays.
 */

import { allElements, markdownElements } from "./elements.ts";

/** A noncharacter of Unicode. */
const MASK = "\u{FDD0}";
/** A tag of HTML, with its attributes. Group 1: its name. */
const TAG = /<!--[\s\S]*?(?:-->|$)|<\/?([a-z][^\s/<>]*)(?:"[^"]{0,2000}"|'[^']{0,2000}'|[^"'<>]){0,2000}>?/gi;
/** The beginning of what CommonMark takes for a tag. Group 1: its name. */
const TAG_BEGIN = /<(?=\/?([a-z][a-z0-9-]*)(?:[\s/>]|$))/gi;
/** Elements whose source is shown as it is, with its empty lines, although an answer does not have them. */
const VERBATIM = new Set(["script", "style", "textarea"]);

export const maskInHtml = (html: string): string =>
  html.replaceAll(TAG, (written, name: string | undefined) =>
    name === undefined || allElements.has(name.toLowerCase()) ? written : MASK + written.slice(1),
  );

export const maskInMarkdown = (markdown: string): string =>
  markdown.includes("<")
    ? markdown.replaceAll(TAG_BEGIN, (written, name: string) =>
        markdownElements.has(name.toLowerCase()) || VERBATIM.has(name.toLowerCase()) ? written : MASK,
      )
    : markdown;

export const unmask = (text: string): string => text.replaceAll(MASK, "<");

/** Restores the brackets in all texts of a tree of HTML (hast) or Markdown (mdast). */
export function unmaskTree(node: object): void {
  for (const [key, value] of Object.entries(node)) {
    if (typeof value === "string") {
      if (value.includes(MASK)) Object.assign(node, { [key]: unmask(value) });
    } else if (key === "children" && Array.isArray(value)) value.forEach(unmaskTree);
    else if (key === "properties" && value) unmaskTree(value);
  }
}
