import type { RenderBound } from "../html/render-messages.ts";

/** Each list has a numbering of nine levels in the document. */
const LIST_WEIGHT = 10;
/** Characters that take as long as an element. */
const CHARS_PER_ELEMENT = 200;

/**
 * Returns about how long the conversion of HTML takes, in elements. A line break counts as one, because in preformatted
 * text it becomes one.
 */
export function weightOf(html: string): number {
  const tags = countOf(html, "<") - countOf(html, "</");
  const lists = countOf(html, "<ul") + countOf(html, "<ol");
  // The address of a link is an entry of its own.
  const links = countOf(html, "<a ");
  return tags + countOf(html, "\n") + links + LIST_WEIGHT * lists + html.length / CHARS_PER_ELEMENT;
}

/** `part` occurs without overlap. */
function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}

/** Messages that keep their formatting; later ones are plain text. A conversion of this weight takes 3 to 10 s. */
export const FORMATTED: RenderBound = { of: weightOf, most: 15_000 };

/** Largest weight of a document with its plain text. */
export const MOST_WEIGHT = 40_000;
