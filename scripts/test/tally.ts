/** What a stage came to. Its failures have been told to the reader already. */
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

/** One check that either holds or not. */
export const check = (holds: boolean): Tally => ({ ...nothing, passed: holds ? 1 : 0, failed: holds ? 0 : 1 });

/** The closing line, in a form that other programs read. */
export function closingLine({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

/**
 * A test runner's counts made honest: a run that ended badly without a failed test (a file that does not load, an
 * unhandled error) has failed, and so has one that ran nothing.
 */
export function judged(counted: Tally, exitCode: number): Tally {
  const hasRun = counted.passed + counted.failed + counted.skipped > 0;
  return counted.failed === 0 && (exitCode !== 0 || !hasRun) ? { ...counted, failed: 1 } : counted;
}
