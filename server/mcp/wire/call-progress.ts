import type { Progress } from "@modelcontextprotocol/client";
import { SECOND } from "#contract/limits.ts";
import type { Clock } from "../../concurrency/clock.ts";
import type { CallWatch } from "../../tools/tool.ts";

const MESSAGE_MAX = 500;

/** Returns a callback that reports the progress of a call, at most once a second. */
export function progressOf(watch: CallWatch, clock: Clock): (progress: Progress) => void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return ({ progress: done, total, message }) => {
    const now = clock.now();
    if (now - reportedAt < SECOND) return;
    reportedAt = now;
    watch.onProgress({
      done,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message: message.slice(0, MESSAGE_MAX).toWellFormed() }),
    });
  };
}
