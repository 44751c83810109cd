import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { root, runNode } from "../../scripts/child.mjs";
import type { Harness } from "../security-suite.ts";

const DOCUMENTS = 1000;
const test = "web/markdown/growing-replies.test.tsx";

/** Runs the renderer in happy-dom and renders after each character; `npm test` uses fewer documents. */
export async function tryGrowing({ report, random }: Harness): Promise<void> {
  await report.try(
    "I4",
    "documents that grow by single characters and end the same as when rendered at once",
    async (trial) => {
      const results = join(root, "test-results", "growing.json");
      await rm(results, { force: true });
      const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
      const args = [vitest, "run", "--project", "web", "--reporter=json", `--outputFile=${results}`, test];
      const seed = String(random.between(1, 1_000_000));
      // Set explicitly, because a build in this process may have changed it.
      const env = { NODE_ENV: "test", VITE_GROWING_REPLIES: String(DOCUMENTS), VITE_GROWING_SEED: seed };
      const { code, output } = await runNode(process.execPath, args, { cwd: root, env });
      const { numPassedTests, testResults } = JSON.parse(await readFile(results, "utf8"));
      trial.count(numPassedTests);
      trial.note(`seed ${seed}`);
      for (const { assertionResults, message } of testResults) {
        if (message) trial.fail(String(message).slice(0, 500));
        for (const { status, failureMessages } of assertionResults)
          if (status === "failed") trial.fail(String(failureMessages[0]).slice(0, 500));
      }
      if (code !== 0 && numPassedTests === 0) trial.fail(output.slice(-1000));
    },
  );
}
