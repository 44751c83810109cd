import { once } from "node:events";
import type { FastifyReply } from "fastify";
import { SECOND } from "#contract/limits.ts";

const END_TIMEOUT_MS = 30 * SECOND;
/** Unsent bytes beyond which a slow client is disconnected. It reconnects and resumes. */
const MAX_UNSENT_BYTES = 1024 * 1024;

/** A write this soon after the previous one is buffered, and sent together with the next. */
const JOINED_WITHIN_MS = 1;

/** End of the body in HTTP's chunked transfer encoding. */
const LAST_CHUNK = "0\r\n\r\n";
const asChunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

/** Server-sent events to one client, `data:` lines only. */
export interface EventStream {
  /** Sends a value as JSON. */
  send(event: object): void;
  /** Sends a heartbeat. */
  beat(): void;
  /**
   * Resolves when the send buffer has drained, or the client has disconnected: backpressure for long series of events.
   */
  ready(): Promise<void>;
  /** Sends a text unchanged, without JSON, and ends the stream. */
  end(word: string): void;
  /** Closes the connection without an end mark, so that the client reconnects. */
  breakOff(): void;
  /** Aborted when the connection is closed, by the client or by the server. */
  readonly signal: AbortSignal;
}

/** Answers a request with a stream of events. Has no heartbeat timer: the caller must call `beat` periodically. */
export function openEventStream(reply: FastifyReply): EventStream {
  const { raw } = reply.hijack();
  const gone = new AbortController();
  let isGone = false;
  const leave = () => {
    isGone = true;
    gone.abort();
  };
  raw.on("close", leave).on("error", leave);
  // The client may have disconnected before this call; `close` is then not emitted again.
  if (raw.destroyed) leave();
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
  raw.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store, no-transform",
    "x-accel-buffering": "no",
  });
  raw.flushHeaders();
  // Chunks are framed here, because Node writes each in four pieces, which is nearly half of the cost of a streamed
  // word.
  const isChunked = raw.chunkedEncoding;
  raw.chunkedEncoding = false;
  const framed = (lines: string) => (isChunked ? asChunk(lines) : lines);
  // The response buffers each write until the next tick, to join it with others. That pays only if writes follow each
  // other closely; otherwise write to the socket directly. A pipelined request has no socket until the one before it is
  // answered, and the socket is not writable after the connection has ended.
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
    ready: async () => {
      const out = outlet();
      // Rejects when the client disconnects, which `signal` reports.
      if (out.writableNeedDrain) await once(out, "drain", { signal: gone.signal }).catch(() => undefined);
    },
    end: (word) => {
      if (isGone || raw.writableEnded) return;
      raw.end(framed(`data: ${word}\n\n`) + (isChunked ? LAST_CHUNK : ""));
      // Closes the connection of a client that does not even read the end.
      if (raw.writableFinished || raw.destroyed) return;
      const timer = setTimeout(() => raw.destroy(), END_TIMEOUT_MS).unref();
      raw.once("close", () => clearTimeout(timer));
    },
    breakOff,
  };
}
