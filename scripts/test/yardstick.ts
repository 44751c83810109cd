import process from "node:process";

const ROUNDS = 2e8;
/** A sample is this share of the workload: 15 ms every two seconds do not slow a stage down. */
const SAMPLES_PER_WORKLOAD = 20;
const INTERVAL_MS = 2000;

/**
 * Measures the processor time of a fixed workload now and every two seconds. Other work on a core and its caches
 * changes it threefold within minutes, so one measurement after a stage says little about the stage.
 * @returns stops the measurement, and returns the median in seconds
 */
export function startYardstick(): () => number {
  runWorkload();
  const samples = [runWorkload()];
  const timer = setInterval(() => samples.push(runWorkload()), INTERVAL_MS).unref();
  return () => {
    clearInterval(timer);
    const sorted = samples.toSorted((one, other) => one - other);
    return sorted[Math.floor(sorted.length / 2)] ?? 0;
  };
}

/** Runs a sample of the workload. @returns the processor time of the whole workload, in seconds */
function runWorkload(): number {
  const before = process.cpuUsage();
  let total = 0;
  for (let round = 0; round < ROUNDS / SAMPLES_PER_WORKLOAD; round++) total += round % 7;
  const { user, system } = process.cpuUsage(before);
  // The result is used; otherwise an engine could remove the loop.
  return total > 0 ? ((user + system) / 1e6) * SAMPLES_PER_WORKLOAD : 0;
}
