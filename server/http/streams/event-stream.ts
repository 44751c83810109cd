import type { FastifyReply } from "fastify";
import { SECOND } from "#contract/limits.ts";

const END_TIMEOUT_MS = 30 * SECOND;
/** A reader that is this far behind is let go; it comes back and resumes. */
const MAX_UNSENT_BYTES = 1024 * 1024;

/** What comes so soon behind what was sent is sent together with what comes next. */
const JOINED_WITHIN_MS = 1;

/** Of HTTP's chunked encoding. */
const LAST_CHUNK = "0\r\n\r\n";
const asChunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

/** One reader's end of a stream of `data:` lines. */
export interface EventStream {
  /** Sends a value as JSON. */
  send(event: object): void;
  /** Sends a sign of life. */
  beat(): void;
  /** Settles once the reader has taken most of what was sent, or has gone. For those who have much to send at once. */
  ready(): Promise<void>;
  /** Sends a plain word, and ends. */
  end(word: string): void;
  /** Ends without a last word, so that the reader comes back. */
  breakOff(): void;
  /** Aborted once the reader has gone or was let go. */
  readonly signal: AbortSignal;
}

/** Answers a request by a stream of events; only `data:` lines are ever sent. It has no timer: others keep it alive. */
export function openEventStream(reply: FastifyReply): EventStream {
  const { raw } = reply.hijack();
  const gone = new AbortController();
  let isGone = false;
  const leave = () => {
    isGone = true;
    gone.abort();
  };
  raw.on("close", leave).on("error", leave);
  // It may have gone before this call, and then closes no more.
  if (raw.destroyed) leave();
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
  raw.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store, no-transform",
    "x-accel-buffering": "no",
  });
  raw.flushHeaders();
  // Framed here: Node hands each chunk on in four pieces, which costs nearly half of what a streamed word does.
  const isChunked = raw.chunkedEncoding;
  raw.chunkedEncoding = false;
  const framed = (lines: string) => (isChunked ? asChunk(lines) : lines);
  // The answer itself holds each piece back until the next tick, to join it with others: that pays where they come close
  // upon each other, and else costs. It has no socket yet where its reader asks for several things at once, and none to
  // write to once the reader has said goodbye.
  const outlet = () => (raw.socket?.writable ? raw.socket : raw);
  let writtenAt = 0;

  function write(lines: string) {
    if (isGone || raw.writableEnded) return;
    const now = performance.now();
    (now - writtenAt < JOINED_WITHIN_MS ? raw : outlet()).write(framed(lines));
    writtenAt = now;
    if (raw.writableLength > MAX_UNSENT_BYTES) breakOff();
  }
  function breakOff() {
    leave();
    raw.destroy();
  }
  return {
    signal: gone.signal,
    send: (event) => write(`data: ${JSON.stringify(event)}\n\n`),
    beat: () => write("data:\n\n"),
    ready: () =>
      new Promise((resolve) => {
        const out = outlet();
        if (gone.signal.aborted || !out.writableNeedDrain) return resolve();
        out.once("drain", resolve);
        gone.signal.addEventListener("abort", () => resolve(), { once: true });
      }),
    end: (word) => {
      if (isGone || raw.writableEnded) return;
      raw.end(framed(`data: ${word}\n\n`) + (isChunked ? LAST_CHUNK : ""));
      // One who does not take even the end keeps its connection no longer.
      if (raw.writableFinished || raw.destroyed) return;
      const timer = setTimeout(() => raw.destroy(), END_TIMEOUT_MS).unref();
      raw.once("close", () => clearTimeout(timer));
    },
    breakOff,
  };
}
