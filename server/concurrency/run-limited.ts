import { isMainThread, Worker, workerData } from "node:worker_threads";
import type { ReadyMessage } from "./limited-process.ts";

/** Arguments of the process: most memory in MB, and the id of the server's process. */
type Limits = { maxMemoryMb: number; serverPid: number };

/** Sends an answer to the server. */
export type Answering<Answer> = (answer: Answer) => void;

const MEGABYTE = 1024 * 1024;
const WATCH_MS = 20;

/**
 * Runs the entry of a process that `LimitedProcess` has started. A thread with the same entry watches its memory.
 * @param entry URL of the calling module
 * @param prepare loads what the process needs, and returns the function that receives messages. It is not called in the
 *   thread, so that the thread loads none of it
 */
export async function runLimited<Message, Answer>(
  entry: string,
  prepare: (answer: Answering<Answer>, limits: { maxMemoryMb: number }) => Promise<(message: Message) => void>,
): Promise<void> {
  if (!isMainThread) return watch(workerData);
  const [, , maxMemoryMb, serverPid] = process.argv;
  const limits: Limits = { maxMemoryMb: Number(maxMemoryMb), serverPid: Number(serverPid) };
  new Worker(new URL(entry), { workerData: limits, execArgv: [], env: {} }).unref();
  // The server decides when this process ends: a terminal sends its signals to both.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);
  const receive = await prepare((answer) => process.send?.(answer), limits);
  process.on("message", receive);
  process.send?.("ready" satisfies ReadyMessage);
}

/**
 * Kills the process when its memory exceeds the limit, or when the server was killed. This is a thread of its own,
 * because the main thread is busy with a text. V8 itself limits only the heap, not the buffers of inflated files.
 */
function watch({ maxMemoryMb, serverPid }: Limits): void {
  setInterval(() => {
    const isTooLarge = process.memoryUsage.rss() > maxMemoryMb * MEGABYTE;
    if (isTooLarge || process.ppid !== serverPid) process.kill(process.pid, "SIGKILL");
  }, WATCH_MS);
}
