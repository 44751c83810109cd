/** Marks of citations in the text of a reply, such as `[1]`: elements of the page that stand for the same characters. */

import { createContext, type ReactNode } from "react";
import { citationMarkBefore } from "#contract/conversation/citations/citation-mark.ts";
import { spanOf, spanOfBlock, type Tree, WHOLE } from "./seams.ts";

/** `at`: position of the end of the mark in the reply's text (UTF-16 units). `render`: returns it, with its characters. */
export type TextMark = { at: number; render: (mark: string) => ReactNode };

export const NO_MARKS: readonly TextMark[] = [];

/** The marks of a reply, for the elements within its blocks. */
export const TextMarksContext = createContext<readonly TextMark[]>(NO_MARKS);

/** Range of a mark in a text; `at` names the mark. */
export type MarkSpan = { at: number; start: number; end: number };

/** Tag name of a mark. A reply's own text cannot create this element. */
export const MARK_TAG = "text-mark";

/** Returns the marks of a text that are in `body`, by position. Marks elsewhere, as in a footnote, are left out. */
export function markSpans(
  marks: readonly TextMark[],
  text: string,
  body: string,
  positionInBody: (at: number) => number,
): MarkSpan[] {
  const spans = new Map<number, MarkSpan>();
  for (const { at } of marks) {
    const mark = citationMarkBefore(text, at);
    if (mark === undefined) continue;
    const end = positionInBody(at);
    const start = end - mark.length;
    if (start >= 0 && body.startsWith(mark, start) && !spans.has(end)) spans.set(end, { at, start, end });
  }
  return [...spans.values()].sort((a, b) => a.start - b.start);
}

/** Returns the marks within the block at `index`, as offsets from the beginning of that block. */
export function marksOfBlock(marks: readonly MarkSpan[], blocks: readonly string[], index: number): MarkSpan[] {
  const { start, end, head } = spanOfBlock(blocks, index);
  const offset = head - start;
  return marks
    .filter((mark) => mark.start >= start && mark.end <= end)
    .map((mark) => ({ at: mark.at, start: mark.start + offset, end: mark.end + offset }));
}

/** Remark plugin that replaces the characters of marks. Must run before other plugins: most of them drop positions. */
export const remarkTextMarks =
  ({ marks }: { marks: readonly MarkSpan[] }) =>
  (tree: Tree, file: { value: unknown }) =>
    insertMarks(tree, String(file.value), marks, (at, value) => {
      const data = { hName: MARK_TAG, hProperties: { at: String(at) } };
      return { type: "textMark", data, children: [{ type: "text", value }] } as Tree;
    });

/** Replaces the characters of marks in the tree of `source` by nodes that `make` creates from a mark's name and text. */
export function insertMarks(
  tree: Tree,
  source: string,
  marks: readonly MarkSpan[],
  make: (at: number, text: string) => Tree,
): void {
  for (const { at, start, end } of marks.toReversed()) {
    const position = { start: { offset: start }, end: { offset: end } };
    insertMark(tree, source, { ...make(at, source.slice(start, end)), position }, start, end);
  }
}

function insertMark(parent: Tree, source: string, mark: Tree, start: number, end: number): void {
  const children = parent.children ?? [];
  const around = spanOf(parent) ?? { start: 0, end: source.length };
  // Texts without a position are searched too: parsers split text around mail addresses, and drop it.
  const near = { first: 0, last: children.length, start: around.start, end: around.end };
  for (const [index, child] of children.entries()) {
    const span = child.type === "text" ? null : spanOf(child);
    if (!span) continue;
    if (span.start <= start && span.end >= end) {
      // `[1]` with a definition in the same block is a link of Markdown.
      if (child.type === "linkReference" && span.start === start && span.end === end) children[index] = mark;
      else if (child.children && !WHOLE.has(child.tagName ?? child.type)) insertMark(child, source, mark, start, end);
      return;
    }
    if (span.end <= start) Object.assign(near, { first: index + 1, start: span.end });
    else if (span.start >= end && near.last === children.length) Object.assign(near, { last: index, end: span.start });
  }
  const written = source.slice(start, end);
  const ordinal = count(source.slice(near.start, start), written);
  const texts = children.slice(near.first, near.last).filter(({ type }) => type === "text");
  const total = texts.reduce((sum, { value = "" }) => sum + count(value, written), 0);
  if (total === count(source.slice(near.start, near.end), written)) replaceNth(children, texts, written, ordinal, mark);
}

const count = (text: string, part: string): number => text.split(part).length - 1;

/** Replaces the occurrence `ordinal` (from 0) of a text among text nodes by a node. */
function replaceNth(siblings: Tree[], texts: readonly Tree[], written: string, ordinal: number, mark: Tree): void {
  let left = ordinal;
  for (const text of texts) {
    const value = text.value ?? "";
    const here = count(value, written);
    if (left >= here) {
      left -= here;
      continue;
    }
    const before = value.split(written, left + 1).join(written);
    const span = spanOf(text);
    const positioned = (from: number | undefined, to: number | undefined) =>
      span ? { position: { start: { offset: from }, end: { offset: to } } } : {};
    const { start, end } = mark.position ?? {};
    const pieces: Tree[] = [
      { type: "text", value: before, ...positioned(span?.start, start?.offset) },
      mark,
      { type: "text", value: value.slice(before.length + written.length), ...positioned(end?.offset, span?.end) },
    ];
    siblings.splice(siblings.indexOf(text), 1, ...pieces.filter((piece) => piece.value !== ""));
    return;
  }
}
