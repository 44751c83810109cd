import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { root } from "../child.mjs";
import { type MachineLoad, startMachineLoad } from "./machine-load.ts";
import { stages } from "./plan.ts";
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

/**
 * Runs a stage in a separate process, so that its processor time can be measured.
 * @param isParallel whether other stages print at the same time; the output is then printed in one block at the end
 */
export async function runStageInProcess(name: string, length: Length, isParallel: boolean): Promise<StageResult> {
  if (!isParallel) say(`\n── ${name}`);
  const startedAt = performance.now();
  const script = join(root, "scripts", "test.ts");
  const stopYardstick = startYardstick();
  const stopMachineLoad = startMachineLoad();
  const child = start(process.execPath, [script, `--${length}`, "--stage", name], {
    stdio: isParallel ? "pipe" : "inherit",
    hasChannel: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  let report: StageReport | undefined;
  child.on("message", (message) => {
    report = message as StageReport;
  });
  await once(child, "close");
  const yardstick = stopYardstick();
  const machine = stopMachineLoad();
  const { tally, processorSeconds: used } = report ?? { tally: check(false), processorSeconds: undefined };
  if (isParallel) say(`\n── ${name}\n${output.trimEnd()}`);
  const seconds = (performance.now() - startedAt) / 1000;
  const result = { name, tally, seconds, processorSeconds: used, machine, yardstick };
  say(`   ${closingLine(result.tally)}; ${timesOf(result)}`);
  return result;
}

const timesOf = ({ seconds, processorSeconds: used, machine, yardstick }: StageResult) => {
  const processor = used === undefined ? [] : [`${used.toFixed(1)} processor seconds`];
  const busy = machine === undefined ? [] : [`machine ${((machine.busy / machine.all) * 100).toFixed(0)} % busy`];
  return [`${seconds.toFixed(1)} s`, ...processor, ...busy, `yardstick ${yardstick.toFixed(2)} s`].join(", ");
};

/** Returns a table of the stages with their times. */
export function tableOf(results: readonly StageResult[]): string[] {
  const width = Math.max(...results.map(({ name }) => name.length));
  return ["", ...results.map((result) => `${result.name.padEnd(width)}  ${timesOf(result)}`)];
}

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
