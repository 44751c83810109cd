type Positioned = { id: string; position: number };

/** Returns the position after the last one of a sorted list. */
export const nextPosition = (list: readonly Positioned[]): number => (list.at(-1)?.position ?? -1) + 1;

/** Moves an item to an index of a sorted list. @returns the items whose positions change, with their new positions */
export function positionsAfter(list: readonly Positioned[], moved: Positioned, index: number): Positioned[] {
  const ordered = list.filter(({ id }) => id !== moved.id).toSpliced(index, 0, moved);
  return ordered.flatMap(({ id, position: before }, position) => (position === before ? [] : [{ id, position }]));
}
