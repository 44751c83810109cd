import { isOpenTag } from "#contract/text/disclosures.ts";
import { fenceEnd } from "#contract/text/fence-end.ts";
import { CODE_SPAN } from "./stable-prefix.ts";

/**
 * Parts of a block of Markdown that begins with `<details>`. `start` and `end`: positions of the body in the block
 * (UTF-16 units); `afterStart`: position behind the end tag.
 */
export type Disclosure = {
  isOpen: boolean;
  summary: string;
  start: number;
  end: number;
  afterStart: number;
  isClosed: boolean;
};

const DETAILS = /^\s*<details(\s[^<>]*)?>/i;
const SUMMARY = /\s*<summary(?:\s[^<>]*)?>([\s\S]{0,2000}?)<\/summary\s*>/iy;
/** A fence (group 1), a run of backticks, the start of a comment, or a tag (groups 2 and 3). */
const TOKEN = /^ {0,3}(`{3,}(?=[^`\n]*$)|~{3,})[^\n]*$|`+|<!--|<(\/?)(details)(?:\s[^<>]*)?>/gim;

/** Returns whether a block of Markdown begins with a disclosure. */
export const isDisclosure = (block: string): boolean => DETAILS.test(block);

/** Parses a block of Markdown that begins with a disclosure; null for any other block. Linear in its length. */
export function readDisclosure(block: string): Disclosure | null {
  const open = DETAILS.exec(block);
  if (!open) return null;
  SUMMARY.lastIndex = open[0].length;
  const summary = SUMMARY.exec(block);
  const start = summary ? SUMMARY.lastIndex : open[0].length;
  const close = closingTag(block, start);
  return {
    isOpen: isOpenTag(open[1] ?? ""),
    summary: (summary?.[1] ?? "").replaceAll(/\s+/g, " ").trim(),
    start,
    end: close?.start ?? block.length,
    afterStart: close?.end ?? block.length,
    isClosed: close !== null,
  };
}

/** Returns the end tag of the element that is open at `from`; null if it is not closed. */
function closingTag(block: string, from: number): { start: number; end: number } | null {
  const token = new RegExp(TOKEN);
  const span = new RegExp(CODE_SPAN.source, "y");
  let depth = 1;
  let hasCommentEnds = true;
  token.lastIndex = from;
  for (let found = token.exec(block); found; found = token.exec(block)) {
    const [written, fence, isEnd, tag] = found;
    if (fence !== undefined) token.lastIndex = fenceEnd(block, token.lastIndex, fence);
    else if (written.startsWith("`")) {
      span.lastIndex = found.index;
      if (span.test(block)) token.lastIndex = Math.max(span.lastIndex, token.lastIndex);
    } else if (written === "<!--") {
      // Searched only while there are ends: many unclosed comments would take quadratic time.
      const end: number = hasCommentEnds ? block.indexOf("-->", token.lastIndex) : -1;
      hasCommentEnds = end !== -1;
      if (hasCommentEnds) token.lastIndex = end + 3;
    } else if (tag !== undefined) {
      depth += isEnd === "/" ? -1 : 1;
      if (depth === 0) return { start: found.index, end: token.lastIndex };
    }
  }
  return null;
}
