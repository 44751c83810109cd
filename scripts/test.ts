// `npm test`: the checks that a change needs. `npm run check` (--quick): those that take seconds. `npm run test:rest`
// (--rest): what CI runs besides, with further parts of the tests (--parts, TEST_SHARD). `npm run proof` (--proof): all of it at full length. Each stage prints one line, its
// failures at once; the last line is exactly `N passed, N failed`.
import process from "node:process";
import { type Plan, planOf } from "./test/plan.ts";
import { Progress } from "./test/progress.ts";
import { readTestedCommit, recordOf, saveRecord } from "./test/record.ts";
import { runStageHere, runStageInProcess, type StageResult } from "./test/stage-process.ts";
import type { Length } from "./test/stages.ts";
import { closingLine, sum } from "./test/tally.ts";
import { endChildrenWithUs, say } from "./test/tools.ts";

/** Processes of a test runner while two stages share the machine. */
const WORKERS_BESIDE_ANOTHER_STAGE = 2;

const lengths: Record<string, Length> = {
  "--quick": "quick",
  "--parts": "parts",
  "--rest": "rest",
  "--proof": "proof",
};
const length = process.argv.slice(2).map((argument) => lengths[argument])[0] ?? "test";
const named = process.argv[process.argv.indexOf("--stage") + 1];

endChildrenWithUs();
if (process.argv.includes("--stage") && named !== undefined) await runStageHere(named, length);
else await main(planOf(length));

async function main(lanes: Plan): Promise<void> {
  const tested = readTestedCommit();
  const startedAt = performance.now();
  const progress = new Progress();
  const results: StageResult[] = [];
  const workers = lanes.length > 1 ? WORKERS_BESIDE_ANOTHER_STAGE : undefined;
  const runLane = async (names: readonly string[]) => {
    for (const name of names) results.push(await runStageInProcess(name, { length, workers, progress }));
  };
  await Promise.all(lanes.map(runLane));
  const seconds = (performance.now() - startedAt) / 1000;
  say(`\nThe record is in ${await saveRecord(recordOf({ tested, length, seconds, results }))}.`);
  const all = sum(results.map(({ tally }) => tally));
  say(closingLine(all));
  process.exitCode = all.failed > 0 || all.passed === 0 ? 1 : 0;
}
