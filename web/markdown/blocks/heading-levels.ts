import { fenceEnd } from "#contract/text/fence-end.ts";

const HEADING_OR_FENCE = /^ {0,3}(?:(`{3,}|~{3,})|(#{1,6})(?:[ \t]|$)|<h([1-6])[\s>])/gim;
/** The heading of a message is one level above. */
const HIGHEST = 3;
const LOWEST = 6;

/** Returns the level of the first heading of a text of Markdown; 1 if there is none. */
export function firstHeadingOf(text: string): number {
  const opener = new RegExp(HEADING_OR_FENCE);
  for (let mark = opener.exec(text); mark; mark = opener.exec(text)) {
    const [, fence, marks, level] = mark;
    if (level !== undefined) return Number(level);
    if (marks !== undefined) return marks.length;
    opener.lastIndex = fenceEnd(text, opener.lastIndex, fence ?? "");
  }
  return 1;
}

/** Maps a heading's level in an answer to its level in the page: the first heading is one below that of its message. */
export const levelInPage = (level: number, first: number): number =>
  Math.min(LOWEST, Math.max(HIGHEST, level - first + HIGHEST));
