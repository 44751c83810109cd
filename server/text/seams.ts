/**
 * Position at which a reply was continued: its text's length then (UTF-16 units), and the run that follows. Each
 * further run has one at its start; a change of provider within a run adds another.
 */
export type Seam = { at: number; run: number };

/** Parses the seams of a message's row. */
export function parseSeams(stored: string | null): Seam[] {
  const pairs: [number, number][] = stored === null ? [] : JSON.parse(stored);
  return pairs.map(([at, run]) => ({ at, run }));
}

export function storedSeams(seams: readonly Seam[]): string | null {
  return seams.length === 0 ? null : JSON.stringify(seams.map(({ at, run }) => [at, run]));
}

/** Returns the seams that a reader sees: inside the text, without duplicates, ascending. */
export function visibleSeams(seams: readonly Seam[], text: string): number[] {
  return [...new Set(seams.map(({ at }) => at))].filter((at) => at > 0 && at < text.length);
}

/**
 * Returns how much of the text is certain for a client that has followed `run`. Text that this run wrote but never
 * stored is missing, and later runs have written other text in its place.
 */
export function reliableLength(seams: readonly Seam[], run: number): number {
  return seams.find((seam) => seam.run > run)?.at ?? Number.POSITIVE_INFINITY;
}
