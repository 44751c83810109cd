type Positioned = { id: string; position: number };

/** Behind all of a list, given in its order. */
export const nextPosition = (list: readonly Positioned[]): number => (list.at(-1)?.position ?? -1) + 1;

/** Those whose position changes where one of a list (given in its order) is put at a place of it, each with its new one. */
export function positionsAfter(list: readonly Positioned[], moved: Positioned, index: number): Positioned[] {
  const ordered = list.filter(({ id }) => id !== moved.id).toSpliced(index, 0, moved);
  return ordered.flatMap(({ id, position: before }, position) => (position === before ? [] : [{ id, position }]));
}
