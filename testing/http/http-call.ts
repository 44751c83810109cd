import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { API_BASE } from "#contract/http.ts";

export type Call = {
  method: string;
  /** Relative to the API's base. */
  path: string;
  body?: unknown;
  /** A body that is not JSON. */
  bytes?: Uint8Array;
  headers?: Record<string, string>;
  token?: string;
  key?: string;
  /** Local address that the request is sent from. */
  from?: string;
  /** Timeout for the head of the response. */
  timeoutMs?: number;
};

export type JsonAnswer<T> = { status: number; headers: IncomingHttpHeaders; body: T };

const TIMEOUT_MS = 10_000;

/** Sends one request on a new connection, so that a load balancer can choose another server for each. */
export function openCall(
  url: string,
  { method, path, body, bytes, headers: further, token, key, from, timeoutMs = TIMEOUT_MS }: Call,
): Promise<IncomingMessage> {
  const headers = {
    ...further,
    ...(bytes !== undefined && { "content-type": "application/octet-stream", "content-length": bytes.length }),
    ...(body !== undefined && { "content-type": "application/json" }),
    ...(token && { authorization: `Bearer ${token}` }),
    ...(key && { "idempotency-key": key }),
  };
  return new Promise((resolve, reject) => {
    const call = request(`${url}${API_BASE}${path}`, {
      method,
      headers,
      agent: false,
      ...(from && { localAddress: from }),
    });
    const timer = setTimeout(() => call.destroy(new Error(`${method} ${path} was not answered`)), timeoutMs);
    call.once("response", (answer) => {
      clearTimeout(timer);
      resolve(answer);
    });
    call.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    call.end(bytes ?? (body === undefined ? undefined : JSON.stringify(body)));
  });
}

/** @throws Error if the connection or the response breaks off or exceeds the timeout */
export async function callJson<T = unknown>(url: string, call: Call): Promise<JsonAnswer<T>> {
  const answer = await openCall(url, call);
  const timer = setTimeout(() => answer.destroy(new Error("The answer stopped")), call.timeoutMs ?? TIMEOUT_MS);
  try {
    const body = await text(answer);
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: (body ? JSON.parse(body) : null) as T };
  } finally {
    clearTimeout(timer);
  }
}
