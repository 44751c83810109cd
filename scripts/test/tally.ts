/** Counts of a stage. Its failures were already printed. */
export type Tally = { passed: number; failed: number; skipped: number };

export const nothing: Tally = { passed: 0, failed: 0, skipped: 0 };

export const sum = (tallies: Tally[]): Tally =>
  tallies.reduce(
    (all, one) => ({
      passed: all.passed + one.passed,
      failed: all.failed + one.failed,
      skipped: all.skipped + one.skipped,
    }),
    nothing,
  );

/** One check that passed or failed. */
export const check = (holds: boolean): Tally => ({ ...nothing, passed: holds ? 1 : 0, failed: holds ? 0 : 1 });

/** Returns the closing line, in a format that other programs parse. */
export function closingLine({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

/**
 * Corrects a test runner's counts: a run that failed without a failed test (a file that does not load, an unhandled
 * error) counts as failed, and so does one that ran nothing.
 */
export function judged(counted: Tally, exitCode: number): Tally {
  const hasRun = counted.passed + counted.failed + counted.skipped > 0;
  return counted.failed === 0 && (exitCode !== 0 || !hasRun) ? { ...counted, failed: 1 } : counted;
}
