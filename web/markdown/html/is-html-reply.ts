import { AscendingSearch } from "#contract/text/ascending-search.ts";
import { fenceEnd } from "#contract/text/fence-end.ts";

const HTML_TAG = /<\/?(?:p|div|h[1-6]|ul|ol|table)(?:\s[^<>]*)?\/?>/iy;
const HTML_TAG_ANYWHERE = new RegExp(HTML_TAG.source, "i");
const FENCE = /(`{3,}|~{3,})([^\n]*)/y;
const BLANK_LINE = /\n[ \t]*\n/g;
const FENCE_INDENT = /[ ]{0,3}/y;

/**
 * Returns whether a reply is HTML: it has one of p, div, h1–h6, ul, ol, table outside fenced and inline code. While the
 * reply grows, an unclosed code span counts as a span, so that the result changes only from Markdown to HTML.
 */
export function isHtmlReply(text: string, isGrowing: boolean): boolean {
  if (!HTML_TAG_ANYWHERE.test(text)) return false;
  let place = 0;
  const after = new AscendingSearch(text);
  while (place < text.length) {
    const isLineStart = place === 0 || text[place - 1] === "\n";
    const fence = isLineStart ? fenceAt(text, place) : null;
    if (fence !== null) {
      place = fence;
      continue;
    }
    const character = text[place];
    if (character === "`") {
      const end = spanEnd(after, place, isGrowing);
      if (end === null) return false;
      place = end;
    } else if (character === "\\" && text[place + 1] === "`") {
      place += 2;
    } else if (character === "<") {
      HTML_TAG.lastIndex = place;
      if (HTML_TAG.test(text)) return true;
      place += 1;
    } else {
      place += 1;
    }
  }
  return false;
}

/** Returns the end of the fenced block that begins on this line, or null. An unclosed block ends with the text. */
function fenceAt(text: string, lineStart: number): number | null {
  FENCE_INDENT.lastIndex = lineStart;
  FENCE_INDENT.test(text);
  FENCE.lastIndex = Math.max(lineStart, FENCE_INDENT.lastIndex);
  const fence = FENCE.exec(text);
  const marks = fence?.[1];
  if (!fence || marks === undefined) return null;
  // A line such as ```code``` is a code span, not the beginning of a block.
  if (marks.startsWith("`") && fence[2]?.includes("`")) return null;
  return fenceEnd(text, FENCE.lastIndex, marks);
}

/** Returns the end of the code span that begins here, or of its backticks if it is none; null if undecided. */
function spanEnd(after: AscendingSearch, start: number, isGrowing: boolean): number | null {
  const { text } = after;
  let afterMarks = start;
  while (text[afterMarks] === "`") afterMarks += 1;
  const length = afterMarks - start;
  const end = after.next(BLANK_LINE, afterMarks);
  const marks = /`+/g;
  marks.lastIndex = afterMarks;
  for (let run = marks.exec(text); run !== null && run.index < end; run = marks.exec(text)) {
    // More backticks may still follow a run at the end of the text.
    if (run[0].length === length && !(isGrowing && marks.lastIndex === text.length)) return marks.lastIndex;
  }
  return end === Number.POSITIVE_INFINITY && isGrowing ? null : afterMarks;
}
