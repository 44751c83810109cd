import { readFileSync } from "node:fs";

/** Clock ticks per second in /proc, on every Linux architecture that Node supports. */
const TICKS_PER_SECOND = 100;

/**
 * Processor seconds of the whole machine during a period: PostgreSQL, Redis and the renderers of Chromium included.
 * `busy`: in use by any process. `stolen`: taken by the host of a virtual machine. `all`: busy, idle and stolen.
 */
export type MachineLoad = { busy: number; stolen: number; all: number };

/** Starts to measure the machine. @returns ends the measurement; undefined where there is no /proc/stat (not Linux) */
export function startMachineLoad(): () => MachineLoad | undefined {
  const before = readLoad();
  return () => {
    const after = readLoad();
    if (before === undefined || after === undefined) return undefined;
    return { busy: after.busy - before.busy, stolen: after.stolen - before.stolen, all: after.all - before.all };
  };
}

/** The seconds since the start of the machine, from the first line of /proc/stat; see proc(5). */
function readLoad(): MachineLoad | undefined {
  try {
    const [, ...ticks] = (readFileSync("/proc/stat", "utf8").split("\n", 1)[0] ?? "").split(/\s+/).map(Number);
    const [user = 0, nice = 0, system = 0, idle = 0, ioWait = 0, irq = 0, softIrq = 0, stolen = 0] = ticks;
    const busy = user + nice + system + irq + softIrq;
    const all = busy + idle + ioWait + stolen;
    return { busy: busy / TICKS_PER_SECOND, stolen: stolen / TICKS_PER_SECOND, all: all / TICKS_PER_SECOND };
  } catch {
    return undefined;
  }
}
