/**
 * Shows the seams of a reply: the positions where it was continued. The mark stands between two words if that is safe,
 * else beside the element that cannot contain it. Positions are UTF-16 offsets into the reply's text.
 */

import { headLength } from "./blocks/cut-block.ts";

/** The fields of mdast and hast nodes that a search by position needs. */
export type Tree = {
  type: string;
  tagName?: string;
  value?: string;
  children?: Tree[];
  position?: { start: { offset?: number | undefined }; end: { offset?: number | undefined } } | undefined;
};

const ENTITY = /^&#?\w+;/;
const LONGEST_ENTITY = 34;

export type Span = { start: number; end: number };

export const NO_SEAMS: readonly number[] = [];

/** Tag name of the mark. A reply's own text cannot create this element. */
export const SEAM_TAG = "seam-mark";

/** Nodes that may contain only rows, cells or items. */
const FRAMES = new Set("list table tableRow ul ol dl thead tbody tfoot tr colgroup".split(" "));
/** Nodes that a mark must not be inserted into: it would become part of a link, of code or of a widget. */
export const WHOLE = new Set(
  "link linkReference noteMark textMark text-mark a code pre kbd samp summary ruby".split(" "),
);

/** Returns each seam's position, moved behind white space; drops seams at the beginning or the end of the text. */
export function visibleSeams(seams: readonly number[], text: string): number[] {
  const positions = seams.map((seam) => seam + (/^\s*/.exec(text.slice(seam))?.[0].length ?? 0));
  return [...new Set(positions)].filter((position) => position > 0 && position < text.length);
}

/**
 * Returns the range of the block at `index` in the text of all blocks. `head`: length of the beginning that it repeats:
 * the continuation of a split table or alert has its head.
 */
export function spanOfBlock(blocks: readonly string[], index: number): BlockSpan {
  const spans = blockSpans.get(blocks) ?? spansOfBlocks(blocks);
  blockSpans.set(blocks, spans);
  const length = spans.at(-1)?.end ?? 0;
  return spans[index] ?? { start: length, end: length, head: 0 };
}

type BlockSpan = Span & { head: number };

/** Each block asks for its own range: without them the work would grow with the square of the number of blocks. */
const blockSpans = new WeakMap<readonly string[], readonly BlockSpan[]>();

function spansOfBlocks(blocks: readonly string[]): BlockSpan[] {
  let start = 0;
  return blocks.map((block, index) => {
    const repeated = index === 0 ? 0 : headLength(block);
    const head = repeated > 0 && blocks[index - 1]?.startsWith(block.slice(0, repeated)) ? repeated : 0;
    const span = { start, end: start + block.length - head, head };
    start = span.end;
    return span;
  });
}

/** Returns the seams within the block at `index`, as offsets from the beginning of that block. */
export function seamsOfBlock(seams: readonly number[], blocks: readonly string[], index: number): number[] {
  const { start, end, head } = spanOfBlock(blocks, index);
  const isLast = index === blocks.length - 1;
  return seams.filter((seam) => seam >= start && (seam < end || isLast)).map((seam) => seam - start + head);
}

/** Remark plugin that inserts seams. Must run before other plugins: most of them drop positions. */
export const remarkSeams =
  ({ at }: { at: readonly number[] }) =>
  (tree: Tree, file: { value: unknown }) =>
    insertSeams(
      tree,
      String(file.value),
      at,
      () => ({ type: "seam", data: { hName: SEAM_TAG }, children: [] }) as Tree,
    );

/** Inserts a node created by `make` into the tree of `source` at each of the positions. */
export function insertSeams(tree: Tree, source: string, positions: readonly number[], make: () => Tree): void {
  for (const at of positions.toReversed()) insertSeam(tree, source, at, make());
}

function insertSeam(parent: Tree, source: string, at: number, seam: Tree): void {
  const children = parent.children ?? [];
  for (const [index, child] of children.entries()) {
    const span = spanOf(child);
    if (!span || span.end <= at) continue;
    if (child.children && !WHOLE.has(child.tagName ?? child.type)) insertSeam(child, source, at, seam);
    else if (child.type === "text")
      splitText(children, index, lengthBefore(child.value ?? "", source, span.start, at), seam);
    else children.splice(span.start >= at ? index : index + 1, 0, seam);
    return;
  }
  const last = children.at(-1);
  if (FRAMES.has(parent.tagName ?? parent.type) && last) insertSeam(last, source, at, seam);
  else children.push(seam);
}

export function spanOf({ position, children }: Tree): Span | null {
  const start = position?.start.offset;
  const end = position?.end.offset;
  if (start !== undefined && end !== undefined) return { start, end };
  const spans = (children ?? []).flatMap((child) => spanOf(child) ?? []);
  const first = spans[0];
  return first ? { start: first.start, end: spans.at(-1)?.end ?? first.end } : null;
}

/** Returns a text node's length before a source position. The source may contain escapes, entities and indents. */
function lengthBefore(value: string, source: string, start: number, to: number): number {
  let length = 0;
  for (let at = start; at < to && length < value.length; at += 1) {
    const entity = source[at] === "&" ? ENTITY.exec(source.slice(at, at + LONGEST_ENTITY))?.[0] : undefined;
    if (entity !== undefined && !value.startsWith(entity, length)) {
      at += entity.length - 1;
      length += 1;
    } else if (source[at] === value[length]) length += 1;
  }
  return length;
}

function splitText(siblings: Tree[], index: number, length: number, seam: Tree): void {
  const text = siblings[index];
  const value = text?.value ?? "";
  // Seams are inserted from last to first: the text before this one may be split again.
  const before: Tree = { type: "text", value: value.slice(0, length), position: text?.position };
  const after: Tree = { type: "text", value: value.slice(length) };
  siblings.splice(index, 1, ...[before, seam, after].filter((part) => part.value !== ""));
}
