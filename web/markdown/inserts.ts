/** Elements of the page that stand between the blocks of a reply, such as a notice. They are no part of its text. */

import type { ReactNode } from "react";
import { seamsOfBlock, visibleSeams } from "./seams.ts";

/** `at`: position in the reply's text (UTF-16 units). The element stands above the block with the text after it. */
export type Insert = { key: string; at: number; element: ReactNode };

export const NO_INSERTS: readonly Insert[] = [];

/** Splits inserts into those above a block of `body` and those below its last block. `at` becomes a position in `body`. */
export function placeInserts(
  inserts: readonly Insert[],
  body: string,
  placeInBody: (at: number) => number,
): { between: readonly Insert[]; below: readonly Insert[] } {
  if (inserts.length === 0) return { between: NO_INSERTS, below: NO_INSERTS };
  const placed = inserts.map((insert) => ({ ...insert, at: placeInBody(insert.at) }));
  const end = body.trimEnd().length;
  const isBelow = ({ at }: Insert) => at >= end;
  const between = placed
    .filter((insert) => !isBelow(insert))
    .map((insert) => ({ ...insert, at: visibleSeams([insert.at], body)[0] ?? 0 }));
  return { between, below: placed.filter(isBelow) };
}

/** Returns the inserts above the block at `index`. */
export function insertsOfBlock(inserts: readonly Insert[], blocks: readonly string[], index: number): Insert[] {
  return inserts.filter(({ at }) => seamsOfBlock([at], blocks, index).length > 0);
}
