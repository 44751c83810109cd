export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Prints one measured claim: its numbers to three digits, side by side. */
export function report(claim: string, numbers: Record<string, number>): void {
  const parts = Object.entries(numbers).map(([name, value]) => `${name} ${Number(value.toPrecision(3))}`);
  console.log(`${claim}: ${parts.join(", ")}`);
}

/** The value below which such a part of all lies. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
