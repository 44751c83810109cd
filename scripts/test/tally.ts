/**
 * Counts of a stage. Its failures were already printed. `notes`: lines that are printed although the stage passed, such
 * as tests that passed only at their second try.
 */
export type Tally = { passed: number; failed: number; skipped: number; notes?: readonly string[] };

export const nothing: Tally = { passed: 0, failed: 0, skipped: 0 };

export const sum = (tallies: readonly Tally[]): Tally =>
  tallies.reduce(
    (all, one) => ({
      passed: all.passed + one.passed,
      failed: all.failed + one.failed,
      skipped: all.skipped + one.skipped,
      notes: [...(all.notes ?? []), ...(one.notes ?? [])],
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

/** A test that failed and passed at its second try. `error`: its first failure. */
export type RetriedTest = { title: string; error: string };

/**
 * Notes each retried test. In a proof it counts as failed.
 * @param counted counts in which the retried tests are passed ones
 */
export function withRetried(counted: Tally, retried: readonly RetriedTest[], isProof: boolean): Tally {
  const lines = retried.flatMap(({ title, error }) => [`passed only at its second try: ${title}`, ...indented(error)]);
  const failed = isProof ? retried.length : 0;
  return {
    ...counted,
    passed: counted.passed - failed,
    failed: counted.failed + failed,
    notes: [...(counted.notes ?? []), ...lines],
  };
}

const ESCAPES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");
const ERROR_LINES = 6;

const indented = (error: string) =>
  error
    .replace(ESCAPES, "")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(0, ERROR_LINES)
    .map((line) => `  ${line}`);
