// Preloaded into child processes for long work. Their standard input is a pipe from the parent: when the parent exits,
// even by SIGKILL, the pipe closes and they exit. So a killed start leaves no install or build running.
import { isMainThread } from "node:worker_threads";

if (isMainThread) {
  process.stdin.on("end", () => process.exit(1));
  process.stdin.on("error", () => process.exit(1));
  process.stdin.resume();
  process.stdin.unref();
}
