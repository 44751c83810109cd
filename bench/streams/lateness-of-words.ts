import type { IncomingMessage } from "node:http";
import process from "node:process";

const STAMP = /t(\d+)t/g;

/** The machine's monotonic clock in ms: the same in all of its processes. */
export const monotonicMs = (): number => Number(process.hrtime.bigint() / 1000n) / 1000;

/** Tells of each stamped word that comes how late it is, in ms after it was sent. */
export function onWord(stream: IncomingMessage, onLateness: (latenessMs: number) => void): void {
  let rest = "";
  stream.on("data", (chunk: string) => {
    const now = monotonicMs();
    const text = rest + chunk;
    let end = 0;
    for (const found of text.matchAll(STAMP)) {
      onLateness(now - Number(found[1]) / 1000);
      end = found.index + found[0].length;
    }
    // A stamp may have come in part.
    rest = text.slice(Math.max(end, text.length - 24));
  });
}

/** The words of many streams, of which those are counted that come while it is said so. */
export class WordWatch {
  readonly lateness: number[] = [];
  isCounting = false;

  add(stream: IncomingMessage): void {
    onWord(stream, (ms) => {
      if (this.isCounting) this.lateness.push(ms);
    });
  }
}
