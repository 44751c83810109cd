// Loaded before the server that is measured: at each SIGUSR2 it prints the longest delay of the event loop since the
// last one, and the most processor time that the main thread used between two of its turns, both in ms. The delay
// includes what other processes of the machine took; the processor time leaves out waiting for the disk.
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
    // After a delay that is under way has been recorded.
    setTimeout(() => {
      reports++;
      console.log(`loop delay ${reports}: ${delay.max / NS_PER_MS} ${longest / US_PER_MS}`);
      delay.reset();
      longest = 0;
    }, 5);
  });
}
