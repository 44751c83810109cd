/** Texts whose paragraphs browsers lay out in quadratic time, whatever features of the font apply. */

import { MANY_MARKS } from "./costly-runs.ts";

/**
 * UTF-16 units without a space. Such a block may be one paragraph, whose layout takes quadratic time where directions
 * change or line breaks are looked up in a dictionary. Longer than what a block of sentences is cut to.
 */
const UNSPACED = /(?<!\S)\S{12000}/;
/** Changes from left-to-right to right-to-left in a line: each direction is a run that browsers lay out for itself. */
const CHANGES_OF_LINE = 250;
const CHANGES = /\n|[a-z][^a-z\n\u0590-\u08ff]*(?=[\u0590-\u08ff])/gi;

/** Returns whether a text has too long a run without spaces or of marks, or too many changes of direction in a line. Linear. */
export function hasCostlyLines(text: string): boolean {
  if (UNSPACED.test(text) || MANY_MARKS.test(text)) return true;
  let changes = 0;
  for (const [match] of text.matchAll(CHANGES)) {
    changes = match === "\n" ? 0 : changes + 1;
    if (changes > CHANGES_OF_LINE) return true;
  }
  return false;
}
