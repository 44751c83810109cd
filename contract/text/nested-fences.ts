/** A line of a fence. Group 1: its marks; 2: its info string. */
const FENCE = /^[ \t]*(`{3,}|~{3,})[ \t]*([^\n]*?)[ \t]*$/gm;
const MARKDOWN = /^(?:markdown|md|mdx)\b/i;

/** Texts with more lines of fences stay as they are: the search for an end may pass all of them. */
const MOST_FENCES = 1000;

type Line = { index: number; marks: string; info: string };

/** `positionOf`: position in the new text of a position in the old one (UTF-16 units). */
type Nested = { text: string; positionOf: (at: number) => number };

/**
 * Lengthens the fences of code in Markdown around fences of the same length, which models write inside it: by CommonMark
 * the end of the inner code would end the outer one. A fence with a language opens inner code, and the next fence
 * without one closes it. If the outer code then has no end, CommonMark's rule holds.
 * @param isGrowing whether the end of the outer code may still arrive
 */
export function nestFences(text: string, isGrowing: boolean): Nested {
  const inserts = text.includes("```") || text.includes("~~~") ? insertsFor(text, isGrowing) : [];
  if (inserts.length === 0) return { text, positionOf: (at) => at };
  let out = "";
  let from = 0;
  for (const { at, marks } of inserts) {
    out += text.slice(from, at) + marks;
    from = at;
  }
  return {
    text: out + text.slice(from),
    positionOf: (position) =>
      position + inserts.reduce((sum, { at, marks }) => sum + (at < position ? marks.length : 0), 0),
  };
}

function insertsFor(text: string, isGrowing: boolean): { at: number; marks: string }[] {
  const lines = [...text.matchAll(FENCE)].map(({ 0: line, 1: marks = "", 2: info = "", index }): Line => {
    return { index: index + line.indexOf(marks), marks, info };
  });
  const inserts: { at: number; marks: string }[] = [];
  if (lines.length > MOST_FENCES) return inserts;
  for (let nth = 0; nth < lines.length; nth += 1) {
    const open = lines[nth];
    if (!open || (open.marks.startsWith("`") && open.info.includes("`"))) continue;
    const plain = endOf(lines, nth);
    const nested = MARKDOWN.test(open.info) ? nestedEnd(lines, nth) : null;
    const end = nested && (nested.end !== null || isGrowing) ? nested.end : plain;
    if (nested?.hasInner && (nested.end !== null || isGrowing)) {
      const marks = open.marks.charAt(0).repeat(nested.longest + 1 - open.marks.length);
      inserts.push({ at: open.index, marks });
      const close = nested.end === null ? undefined : lines[nested.end];
      if (close)
        inserts.push({ at: close.index, marks: open.marks.charAt(0).repeat(nested.longest + 1 - close.marks.length) });
    }
    nth = end ?? lines.length;
  }
  return inserts;
}

const closes = (open: Line, { marks, info }: Line) => info === "" && marks.startsWith(open.marks);

/** Returns the index of the line that closes a fence by CommonMark; null if none does. */
function endOf(lines: readonly Line[], at: number): number | null {
  const open = lines[at];
  const end = open ? lines.findIndex((line, nth) => nth > at && closes(open, line)) : -1;
  return end < 0 ? null : end;
}

/** Returns the index of the line that closes a fence around others; null if none does. */
function nestedEnd(lines: readonly Line[], at: number) {
  const inner: Line[] = [];
  const outer = lines[at];
  let longest = outer?.marks.length ?? 0;
  let hasInner = false;
  for (let nth = at + 1; outer && nth < lines.length; nth += 1) {
    const line = lines[nth];
    if (!line) break;
    const open = inner.at(-1);
    if (closes(open ?? outer, line)) {
      if (!open) return { end: nth, hasInner, longest };
      inner.pop();
    } else if (line.marks.startsWith(outer.marks) && line.info !== "" && !line.info.includes("`")) {
      if (open && !MARKDOWN.test(open.info)) continue;
      inner.push(line);
      hasInner = true;
    } else continue;
    longest = Math.max(longest, line.marks.length);
  }
  return { end: null, hasInner, longest };
}
