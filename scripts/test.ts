// `npm test`: every check there is. `npm run check` (--quick): those that take seconds. Each stage tells its failures
// where they happen; the last line is `N passed, N failed` and nothing but that.
import { imageCheck } from "./test/packaging/image-check.ts";
import { browser, faults, formatAndLint, lintRulesFire, security, types, unit, weights } from "./test/stages.ts";
import { lockfileCheck, startChecks } from "./test/start-checks.ts";
import { check, closingLine, sum, type Tally } from "./test/tally.ts";
import { endChildrenWithUs, say } from "./test/tools.ts";

type Stage = [name: string, run: () => Promise<Tally>];

const isQuick = process.argv.includes("--quick");
const quickStages: Stage[] = [
  ["Format and lint", formatAndLint],
  ["Lint rules fire", lintRulesFire],
  ["Types", types],
  ["Unit, HTTP and database", () => unit({ isQuick })],
];
const slowStages: Stage[] = [
  ["Lockfile", lockfileCheck],
  ["Script weights", weights],
  ["npm start", startChecks],
  ["Image", imageCheck],
  ["Faults", faults],
  ["Security", security],
  ["Browser", browser],
];

endChildrenWithUs();
const tallies: Tally[] = [];
for (const [name, run] of isQuick ? quickStages : [...quickStages, ...slowStages]) {
  say(`\n── ${name}`);
  const tally = await run().catch((error: unknown) => {
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return check(false);
  });
  say(`   ${closingLine(tally)}`);
  tallies.push(tally);
}
const all = sum(tallies);
say(`\n${closingLine(all)}`);
process.exitCode = all.failed > 0 || all.passed === 0 ? 1 : 0;
