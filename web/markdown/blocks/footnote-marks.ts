import type { Element, Root as Page } from "hast";
import type { Node, Parent, Root, Text } from "mdast";
import { labelOf, type NoteNumbers, REFERENCE, referencesIn } from "./footnotes.ts";

/** Each `[^`, with its label (group 1) if it is a reference. */
const POSSIBLE = new RegExp(`${REFERENCE.source}|\\[\\^`, "g");

/** The references of a block by label: number, whether the note exists, and how many references earlier blocks have. */
type Marks = Record<string, [number: number, isThere: boolean, before: number]>;
export type FootnoteMarks = { prefix: string; marks: Marks };

/** Returns the footnote references of the block at `index`; null if it has none. */
export function marksOf(numbers: NoteNumbers, blocks: readonly string[], index: number): Marks | null {
  const labels = new Set(referencesIn(blocks[index] ?? "").filter((label) => numbers.has(label)));
  if (labels.size === 0) return null;
  const before = new Map<string, number>();
  for (const label of blocks.slice(0, index).flatMap(referencesIn)) before.set(label, (before.get(label) ?? 0) + 1);
  const marks: Marks = {};
  for (const label of labels) {
    const note = numbers.get(label);
    if (note) marks[label] = [note.number, note.isThere, before.get(label) ?? 0];
  }
  return marks;
}

/**
 * Remark plugin that renders footnote references, since remark's parser resolves only notes of the same block. A
 * reference has its final appearance before its note arrives, and becomes a link once the note exists.
 */
export const remarkFootnoteMarks =
  ({ prefix, marks }: FootnoteMarks) =>
  (tree: Root, file: { value: unknown }) => {
    const seen = new Map<string, number>();
    setMarks(tree, String(file.value), (label) => {
      const [number, isThere, before] = marks[label] ?? [];
      if (number === undefined) return null;
      const count = (seen.get(label) ?? before ?? 0) + 1;
      seen.set(label, count);
      const words = { type: "text", value: `${number}` };
      const id = `${prefix}-fnref-${number}${count > 1 ? `-${count}` : ""}`;
      const link = { type: "noteLink", data: { hName: "a", hProperties: { href: `#${prefix}-fn-${number}`, id } } };
      return { type: "noteMark", data: { hName: "sup" }, children: [isThere ? { ...link, children: [words] } : words] };
    });
  };

const isParent = (node: Node): node is Parent => "children" in node && Array.isArray(node.children);

function setMarks(parent: Parent, source: string, make: (label: string) => object | null): void {
  const out = parent.children.flatMap((child): unknown[] => {
    if (isParent(child) && !child.type.startsWith("link")) setMarks(child, source, make);
    return child.type === "text" && child.value.includes("[^") ? withMarks(child, source, make) : [child];
  });
  // Custom node types: remark-rehype uses their `hName`.
  parent.children = out as Parent["children"];
}

function withMarks(text: Text, source: string, make: (label: string) => object | null): unknown[] {
  const start = text.position?.start.offset ?? 0;
  const written = source.slice(start, text.position?.end.offset);
  /** For each `[^` in order: whether it is escaped. */
  const escaped = [...written.matchAll(/(\\?)\[\^/g)].map(([, sign]) => sign !== "");
  /** Adds the source position, which seams need; omitted if escapes or entities make value and source differ. */
  const withPosition = (part: object, from: number, to: number) =>
    written === text.value
      ? { ...part, position: { start: { offset: start + from }, end: { offset: start + to } } }
      : part;
  const words = (from: number, to: number) =>
    withPosition({ type: "text", value: text.value.slice(from, to) }, from, to);
  const pieces: unknown[] = [];
  let at = 0;
  for (const [ordinal, { 0: whole, 1: label, index }] of [...text.value.matchAll(POSSIBLE)].entries()) {
    const mark = label === undefined || escaped[ordinal] === true ? null : make(labelOf(label));
    if (!mark) continue;
    if (index > at) pieces.push(words(at, index));
    at = index + whole.length;
    pieces.push(withPosition(mark, index, at));
  }
  return at === 0 ? [text] : [...pieces, ...(at < text.value.length ? [words(at, text.value.length)] : [])];
}

/** Rehype plugin that removes everything but the section of notes. */
export const rehypeNotesAlone = () => (page: Page) => {
  const isNotes = (part: Page["children"][number]): part is Element =>
    part.type === "element" && part.tagName === "section";
  page.children = page.children.filter(isNotes);
};
