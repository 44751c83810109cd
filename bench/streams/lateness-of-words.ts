import type { IncomingMessage } from "node:http";
import process from "node:process";

const STAMP = /t(\d+)t/g;

/** Monotonic clock of the machine in ms, shared by all processes. */
export const monotonicMs = (): number => Number(process.hrtime.bigint() / 1000n) / 1000;

/** Calls `onLateness` for each stamped word with its delay since it was sent, in ms. */
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
    // A stamp may be split between chunks.
    rest = text.slice(Math.max(end, text.length - 24));
  });
}

/** Records the delays of the words of many streams while it is counting. */
export class WordWatch {
  readonly lateness: number[] = [];
  isCounting = false;

  add(stream: IncomingMessage): void {
    onWord(stream, (ms) => {
      if (this.isCounting) this.lateness.push(ms);
    });
  }
}
