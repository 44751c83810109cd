// Preloaded into the measured server. At each SIGUSR2 it prints the longest event-loop delay since the last signal, and
// the most processor time that the main thread used in one iteration of the loop, both in ms. The delay includes time
// that other processes took; the processor time excludes waiting for the disk.
import { monitorEventLoopDelay } from "node:perf_hooks";
import process from "node:process";
import { isMainThread } from "node:worker_threads";

const NS_PER_MS = 1e6;
const US_PER_MS = 1e3;

/** Processor time of this thread, in µs. */
function threadTime() {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  let last = threadTime();
  let longest = 0;
  setInterval(() => {
    const now = threadTime();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1).unref();
  let reports = 0;
  process.on("SIGUSR2", () => {
    // After a delay in progress has been recorded.
    setTimeout(() => {
      reports++;
      console.log(`loop delay ${reports}: ${delay.max / NS_PER_MS} ${longest / US_PER_MS}`);
      delay.reset();
      longest = 0;
    }, 5);
  });
}
