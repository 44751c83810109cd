export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

/** Probability that a sample of `one` exceeds a sample of `two`; ties count half. 0.5: indistinguishable. */
export function areaUnderCurve(one: readonly number[], two: readonly number[]): number {
  let wins = 0;
  for (const a of one) for (const b of two) wins += a > b ? 1 : a === b ? 0.5 : 0;
  return wins / (one.length * two.length);
}
