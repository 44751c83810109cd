import { IDEMPOTENCY_KEY_HEADER, paths } from "#contract/paths.ts";
import { type Api, ApiError, type OpenInit, readApiError } from "../api/client.ts";
import { askOnce } from "../api/keep-trying.ts";
import { verdict } from "../api/verdict.ts";

const EVENT_STREAM = { accept: "text/event-stream, application/json" };

/** A request that is answered by the stream of a new or continued reply; under its key it is one, however often made. */
export type ReplyRequest = {
  path: string;
  body: string;
  key: string;
  /** Ends the request, and its answer wherever that has got to. */
  signal?: AbortSignal;
};

/** A connection to a reply; `gone` where there is none of it any more; after how long (ms) to ask again where none can be had now. */
export type Connection = Response | "gone" | { askedMs: number };

export function requestReply(api: Api, request: ReplyRequest, signal: AbortSignal): Promise<Response> {
  const headers = { ...EVENT_STREAM, [IDEMPOTENCY_KEY_HEADER]: request.key };
  const both = request.signal ? AbortSignal.any([signal, request.signal]) : signal;
  const init: OpenInit = { method: "POST", headers, body: request.body, signal: both };
  return api.open(request.path, init);
}

/** Opens a reply at a place of its text (UTF-16 units), as it was told in the run `run`; null where none was told. */
export function openReply(
  api: Api,
  chat: string,
  { reply, received, run }: { reply: string; received: number; run: number | null },
  signal: AbortSignal,
): Promise<Response> {
  const query = new URLSearchParams({ reply, from: String(received), ...(run !== null && { run: String(run) }) });
  return api.open(`${paths.chatReply(encodeURIComponent(chat))}?${query}`, { headers: EVENT_STREAM, signal });
}

/** Asks once for a connection. Rejects with the signal's reason alone. */
export async function connect(
  ask: (signal: AbortSignal) => Promise<Response>,
  signal: AbortSignal,
): Promise<Connection> {
  let response: Response;
  try {
    response = await askOnce(ask, signal);
  } catch (cause) {
    if (cause instanceof ApiError) return { askedMs: 0 };
    throw cause;
  }
  if (response.status === 200) return response;
  const { status, code, retryAfterMs = 0 } = await readApiError(response);
  // A 404 of anything on the way to our server says nothing about the reply.
  const isPassing = status >= 500 || status === 429 || (status === 404 && verdict({ status, code }) !== "gone");
  return isPassing ? { askedMs: retryAfterMs } : "gone";
}
