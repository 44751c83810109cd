// Preloaded into the processes we start for long work. We hold the other end of their standard input, so when we are
// gone, even by SIGKILL, it ends and so do they: a killed start never leaves an install or a build running.
import { isMainThread } from "node:worker_threads";

if (isMainThread) {
  process.stdin.on("end", () => process.exit(1));
  process.stdin.on("error", () => process.exit(1));
  process.stdin.resume();
  process.stdin.unref();
}
