/**
 * Where a reply was continued: the length of its text then (UTF-16 units), and the run whose words follow. Each further
 * run has one where it begins; a change of provider within a run has another.
 */
export type Seam = { at: number; run: number };

/** As a message's row holds them. */
export function parseSeams(stored: string | null): Seam[] {
  const pairs: [number, number][] = stored === null ? [] : JSON.parse(stored);
  return pairs.map(([at, run]) => ({ at, run }));
}

export function storedSeams(seams: readonly Seam[]): string | null {
  return seams.length === 0 ? null : JSON.stringify(seams.map(({ at, run }) => [at, run]));
}

/** Those that a reader sees in a text: between words, each place once, ascending. */
export function visibleSeams(seams: readonly Seam[], text: string): number[] {
  return [...new Set(seams.map(({ at }) => at))].filter((at) => at > 0 && at < text.length);
}

/**
 * How much of the text somebody who read along in `run` may rely on: what that run wrote and was never stored is not in
 * it, and later runs have written something else in its place.
 */
export function reliableLength(seams: readonly Seam[], run: number): number {
  return seams.find((seam) => seam.run > run)?.at ?? Number.POSITIVE_INFINITY;
}
