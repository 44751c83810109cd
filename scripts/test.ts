// `npm test`: the checks that a change needs. `npm run check` (--quick): those that take seconds. `npm run test:rest`
// (--rest): what CI runs besides. `npm run proof` (--proof): all of it at full length. Each stage prints its failures
// at once; the last line is exactly `N passed, N failed`.
import { type Plan, planOf } from "./test/plan.ts";
import { readTestedCommit, recordOf, saveRecord } from "./test/record.ts";
import { runStageHere, runStageInProcess, type StageResult, tableOf } from "./test/stage-process.ts";
import type { Length } from "./test/stages.ts";
import { closingLine, sum } from "./test/tally.ts";
import { endChildrenWithUs, say } from "./test/tools.ts";

const lengths: Record<string, Length> = { "--quick": "quick", "--rest": "rest", "--proof": "proof" };
const length = process.argv.slice(2).map((argument) => lengths[argument])[0] ?? "test";
const named = process.argv[process.argv.indexOf("--stage") + 1];

endChildrenWithUs();
if (process.argv.includes("--stage") && named !== undefined) await runStageHere(named, length);
else await main(planOf(length));

async function main(plan: Plan): Promise<void> {
  const tested = readTestedCommit();
  const results: StageResult[] = [];
  for (const lanes of plan) {
    const isParallel = lanes.length > 1;
    const runLane = async (names: readonly string[]) => {
      for (const name of names) results.push(await runStageInProcess(name, length, isParallel));
    };
    await Promise.all(lanes.map(runLane));
  }
  for (const line of tableOf(results)) say(line);
  if (length === "proof") say(`The record is in ${await saveRecord(recordOf(tested, results))}.`);
  const all = sum(results.map(({ tally }) => tally));
  say(`\n${closingLine(all)}`);
  process.exitCode = all.failed > 0 || all.passed === 0 ? 1 : 0;
}
