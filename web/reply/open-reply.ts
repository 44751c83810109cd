import { conversationPaths } from "#contract/conversation/paths.ts";
import { IDEMPOTENCY_KEY_HEADER, TIME_ZONE_HEADER } from "#contract/http.ts";
import { type Api, ApiError, type OpenInit, readApiError } from "../api/client.ts";
import { askOnce } from "../api/keep-trying.ts";
import { verdict } from "../api/verdict.ts";
import type { PartsPosition } from "./reply-parts.ts";
import type { ReadReplyOptions, ReplyItem } from "./reply-stream.ts";

const EVENT_STREAM = { accept: "text/event-stream, application/json" };

/**
 * A request for the stream of a new or continued reply. Repeats with the same key return the same reply. `body`: JSON, or
 * bytes of files with it, which may take long to be sent.
 */
export type ReplyRequest = {
  path: string;
  body: string | Blob;
  key: string;
  /** Aborts the request, or its response. */
  signal?: AbortSignal;
};

/** A reply whose items come from several responses. */
export type ReplyReading = { read(options: ReadReplyOptions): AsyncIterable<ReplyItem[]> };

/** Source of a reply: one response, or alternating streams and polls. */
export type ReplySource = Response | ReplyReading;

/** A source; `gone` if the reply no longer exists; or the time (ms) after which to retry. */
export type Connection = ReplySource | "gone" | { askedMs: number };

/**
 * Position in a reply: `received` UTF-16 units, received in run `run`; null if the run is unknown. `parts`: position in
 * its parts; undefined if none were received.
 */
export type ReplyPosition = {
  chat: string;
  reply: string;
  received: number;
  run: number | null;
  parts?: PartsPosition | undefined;
};

/** Joins a reply at a position. */
export type JoinReply = (position: ReplyPosition, signal: AbortSignal) => Promise<ReplySource>;

export function requestReply(api: Api, request: ReplyRequest, signal: AbortSignal): Promise<Response> {
  const headers = {
    ...EVENT_STREAM,
    [IDEMPOTENCY_KEY_HEADER]: request.key,
    [TIME_ZONE_HEADER]: Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...(request.body instanceof Blob && { "content-type": "application/octet-stream" }),
  };
  const both = request.signal ? AbortSignal.any([signal, request.signal]) : signal;
  const init: OpenInit = { method: "POST", headers, body: request.body, signal: both };
  return api.open(request.path, init);
}

/** Opens the stream of a reply at a position. */
export function openReply(
  api: Api,
  { chat, reply, received, run, parts }: ReplyPosition,
  signal: AbortSignal,
): Promise<Response> {
  const query = new URLSearchParams({ reply, from: String(received) });
  for (const [name, value] of Object.entries({ ...(run !== null && { run }), ...parts }))
    query.set(name, String(value));
  return api.open(`${conversationPaths.chatReply(encodeURIComponent(chat))}?${query}`, {
    headers: EVENT_STREAM,
    signal,
  });
}

/** Tries once to connect. Rejects only with the signal's reason. */
export async function connect(
  ask: (signal: AbortSignal) => Promise<ReplySource>,
  signal: AbortSignal,
): Promise<Connection> {
  let source: ReplySource;
  try {
    source = await askOnce(ask, signal);
  } catch (cause) {
    if (cause instanceof ApiError) return { askedMs: 0 };
    throw cause;
  }
  if (!(source instanceof Response) || source.status === 200) return source;
  const { status, code, retryAfterMs = 0 } = await readApiError(source);
  // A 404 without our error code is from a proxy and says nothing about the reply.
  const isPassing = status >= 500 || status === 429 || (status === 404 && verdict({ status, code }) !== "gone");
  return isPassing ? { askedMs: retryAfterMs } : "gone";
}
