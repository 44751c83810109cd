/** Elements of the page that stand between the blocks of a reply, such as a notice. They are no part of its text. */

import type { ReactNode } from "react";
import { seamsOfBlock } from "./seams.ts";

/** `at`: position in the reply's text (UTF-16 units). */
export type BlockInsert = { key: string; at: number; element: ReactNode };

export const NO_INSERTS: readonly BlockInsert[] = [];

/**
 * An insert with its position among the blocks of a body. `before`: position of the last visible character before it
 * (UTF-16 units), −1 if there is none. `isAtEnd`: no visible text follows it.
 */
export type PositionedInsert = Pick<BlockInsert, "key" | "element"> & { before: number; isAtEnd: boolean };

export const NO_POSITIONED_INSERTS: readonly PositionedInsert[] = [];

/** Returns the inserts with their positions in `body`. */
export function positionInserts(
  inserts: readonly BlockInsert[],
  body: string,
  positionInBody: (at: number) => number,
): readonly PositionedInsert[] {
  if (inserts.length === 0) return NO_POSITIONED_INSERTS;
  const end = body.trimEnd().length;
  return inserts.map(({ key, at, element }) => {
    const position = positionInBody(at);
    return { key, element, before: body.slice(0, position).trimEnd().length - 1, isAtEnd: position >= end };
  });
}

/**
 * Returns the inserts above and below the block at `index`. An insert stands below the block that ends before it, so
 * that it keeps its DOM parent when another block follows; inside a block there is no position, and it stands above.
 */
export function insertsOfBlock(inserts: readonly PositionedInsert[], blocks: readonly string[], index: number) {
  const above: PositionedInsert[] = [];
  const below: PositionedInsert[] = [];
  for (const insert of inserts) {
    const [position] = seamsOfBlock([Math.max(insert.before, 0)], blocks, index);
    if (position === undefined) continue;
    const hasTextAfter = !insert.isAtEnd && blocks[index]?.slice(position + 1).trim() !== "";
    (insert.before < 0 || hasTextAfter ? above : below).push(insert);
  }
  return { above, below };
}
