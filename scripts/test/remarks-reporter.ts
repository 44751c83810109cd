import { writeFileSync } from "node:fs";
import process from "node:process";
import type { UserConsoleLog } from "vitest";
import type { Reporter, TestCase, Vitest } from "vitest/node";
import type { RetriedTest } from "./tally.ts";

/** Environment variable with the path of the file that gets the {@link Remarks}. */
export const REMARKS_FILE = "TEST_REMARKS_FILE";

/** `printed`: text that a test, or the code under it, wrote to the console. */
export type Remarks = { retried: RetriedTest[]; printed: { title: string; text: string }[] };

/** Collects the tests that passed only on a retry, and those that wrote to the console, which a passing run must not. */
export default class RemarksReporter implements Reporter {
  readonly #remarks: Remarks = { retried: [], printed: [] };
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestCaseResult(test: TestCase): void {
    if (!test.diagnostic()?.flaky) return;
    const error = (test.result().errors ?? []).map(({ message }) => message).join("\n");
    this.#remarks.retried.push({ title: `${test.module.relativeModuleId}: ${test.fullName}`, error });
  }

  onUserConsoleLog({ taskId, content }: UserConsoleLog): void {
    const task = taskId === undefined ? undefined : this.#vitest?.state.idMap.get(taskId);
    this.#remarks.printed.push({ title: `${task?.file?.name ?? ""}: ${task?.name ?? ""}`, text: content.trimEnd() });
  }

  onTestRunEnd(): void {
    const file = process.env[REMARKS_FILE];
    if (file !== undefined) writeFileSync(file, JSON.stringify(this.#remarks));
  }
}
