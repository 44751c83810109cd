import { IDEMPOTENCY_KEY_HEADER, paths } from "#contract/paths.ts";
import { type Api, ApiError, type OpenInit, readApiError } from "../api/client.ts";
import { askOnce } from "../api/keep-trying.ts";
import { verdict } from "../api/verdict.ts";
import type { ReadReplyOptions, ReplyItem } from "./reply-stream.ts";

const EVENT_STREAM = { accept: "text/event-stream, application/json" };

/** A request that is answered by the stream of a new or continued reply; under its key it is one, however often made. */
export type ReplyRequest = {
  path: string;
  body: string;
  key: string;
  /** Ends the request, and its answer wherever that has got to. */
  signal?: AbortSignal;
};

/** A reply whose items do not all come by one answer. */
export type ReplyReading = { read(options: ReadReplyOptions): AsyncIterable<ReplyItem[]> };

/** What a reply is read from: an answer of the server, or its stream and readings of its chat in turns. */
export type ReplySource = Response | ReplyReading;

/** A source of a reply; `gone` where there is none any more; after how long (ms) to ask again where none can be had now. */
export type Connection = ReplySource | "gone" | { askedMs: number };

/** A place in a reply's text: `received` UTF-16 units, as they were told in the run `run`; null where none was told. */
export type ReplyPlace = { chat: string; reply: string; received: number; run: number | null };

/** Joins a reply at a place. */
export type JoinReply = (place: ReplyPlace, signal: AbortSignal) => Promise<ReplySource>;

export function requestReply(api: Api, request: ReplyRequest, signal: AbortSignal): Promise<Response> {
  const headers = { ...EVENT_STREAM, [IDEMPOTENCY_KEY_HEADER]: request.key };
  const both = request.signal ? AbortSignal.any([signal, request.signal]) : signal;
  const init: OpenInit = { method: "POST", headers, body: request.body, signal: both };
  return api.open(request.path, init);
}

/** Opens the stream of a reply at a place. */
export function openReply(
  api: Api,
  { chat, reply, received, run }: ReplyPlace,
  signal: AbortSignal,
): Promise<Response> {
  const query = new URLSearchParams({ reply, from: String(received), ...(run !== null && { run: String(run) }) });
  return api.open(`${paths.chatReply(encodeURIComponent(chat))}?${query}`, { headers: EVENT_STREAM, signal });
}

/** Asks once for a connection. Rejects with the signal's reason alone. */
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
  // A 404 of anything on the way to our server says nothing about the reply.
  const isPassing = status >= 500 || status === 429 || (status === 404 && verdict({ status, code }) !== "gone");
  return isPassing ? { askedMs: retryAfterMs } : "gone";
}
