import type { Reporter, TestCase } from "vitest/node";
import { say } from "./tools.ts";

/** Names tests that failed and then passed: each is a finding to be looked into, though it does not fail the run. */
export default class FlakyReporter implements Reporter {
  onTestCaseResult(test: TestCase): void {
    if (!test.diagnostic()?.flaky) return;
    say(`\n⚠ passed at the second try only: ${test.fullName}`);
    for (const { message } of test.result().errors ?? []) say(`  ${message}`);
  }
}
