import type { Reporter, TestCase } from "vitest/node";
import { say } from "./tools.ts";

/** Reports tests that failed and passed on a retry. Each needs an investigation, although it does not fail the run. */
export default class FlakyReporter implements Reporter {
  onTestCaseResult(test: TestCase): void {
    if (!test.diagnostic()?.flaky) return;
    say(`\n⚠ passed only on the second try: ${test.fullName}`);
    for (const { message } of test.result().errors ?? []) say(`  ${message}`);
  }
}
