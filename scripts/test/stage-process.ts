import { once } from "node:events";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { root } from "../child.mjs";
import { type MachineLoad, startMachineLoad } from "./machine-load.ts";
import { stages } from "./plan.ts";
import type { Progress } from "./progress.ts";
import type { Length } from "./stages.ts";
import { check, closingLine, type Tally } from "./tally.ts";
import { say, start } from "./tools.ts";
import { startYardstick } from "./yardstick.ts";

/** `processorSeconds`: see {@link processorSeconds}. */
type StageReport = { tally: Tally; processorSeconds: number | undefined };
/**
 * Times are reported, never a reason to fail. `seconds`: elapsed. `machine`: the load by all processes meanwhile, other
 * stages included. `yardstick`: processor seconds of {@link startYardstick}'s workload meanwhile.
 */
export type StageResult = StageReport & {
  name: string;
  seconds: number;
  machine: MachineLoad | undefined;
  yardstick: number;
};

/** Clock ticks per second in /proc, on every Linux architecture that Node supports. */
const TICKS_PER_SECOND = 100;

/** Runs a stage in this process and reports to the parent process. */
export async function runStageHere(name: string, length: Length): Promise<void> {
  const run = stages[name];
  if (!run) throw new Error(`There is no stage ${name}`);
  const tally = await run(length).catch((error: unknown) => {
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return check(false);
  });
  const report: StageReport = { tally, processorSeconds: processorSeconds() };
  if (process.send === undefined) throw new Error("A stage reports to the process that started it");
  process.send(report, undefined, {}, () => process.disconnect());
}

/** `workers`: processes of a test runner; undefined: as its configuration says. */
type StageOptions = { length: Length; workers: number | undefined; progress: Progress };

/**
 * Runs a stage in a separate process, so that its processor time can be measured. Its output goes to a file in
 * test-results and is printed if the stage fails; a stage that passes prints one line and its notes.
 */
export async function runStageInProcess(name: string, options: StageOptions): Promise<StageResult> {
  const { length, workers, progress } = options;
  const log = join("test-results", "stages", `${name.toLowerCase().replace(/\W+/g, "-")}.log`);
  mkdirSync(join(root, "test-results", "stages"), { recursive: true });
  const output = openSync(join(root, log), "w");
  progress.begin(name);
  const startedAt = performance.now();
  const stopYardstick = startYardstick();
  const stopMachineLoad = startMachineLoad();
  const child = start(process.execPath, [join(root, "scripts", "test.ts"), `--${length}`, "--stage", name], {
    stdio: output,
    hasChannel: true,
    env: workers === undefined ? {} : { TEST_WORKERS: String(workers) },
  });
  let report: StageReport | undefined;
  child.on("message", (message) => {
    report = message as StageReport;
  });
  await once(child, "close");
  closeSync(output);
  const yardstick = stopYardstick();
  const machine = stopMachineLoad();
  const { tally, processorSeconds: used } = report ?? { tally: check(false), processorSeconds: undefined };
  const seconds = (performance.now() - startedAt) / 1000;
  const result = { name, tally, seconds, processorSeconds: used, machine, yardstick };
  const hasFailed = tally.failed > 0;
  progress.end(name);
  if (hasFailed) progress.say(`\n${readFileSync(join(root, log), "utf8").trimEnd()}`);
  progress.say(`${hasFailed ? "✗" : "✓"} ${name}: ${closingLine(tally)}; ${timesOf(result)}`);
  for (const note of tally.notes ?? []) progress.say(`  ${note}`);
  return result;
}

const timesOf = ({ seconds, processorSeconds: used, machine, yardstick }: StageResult) => {
  const processor = used === undefined ? [] : [`${used.toFixed(0)} processor seconds`];
  const busy = machine === undefined ? [] : [`machine ${((machine.busy / machine.all) * 100).toFixed(0)} % busy`];
  return [`${seconds.toFixed(0)} s`, ...processor, ...busy, `yardstick ${yardstick.toFixed(2)} s`].join(", ");
};

/**
 * Returns user and system time of this process and of its descendants that ended and were reaped, in seconds.
 * Linux only. PostgreSQL and Redis are not descendants; Chromium is killed before it reaps its renderers.
 */
function processorSeconds(): number | undefined {
  try {
    const [, fields = ""] = readFileSync("/proc/self/stat", "utf8").split(") ");
    // utime, stime, cutime and cstime are fields 14 to 17 of proc(5); the text after the name begins with field 3.
    const ticks = fields.split(" ").slice(11, 15).map(Number);
    return ticks.reduce((all, each) => all + each, 0) / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}
