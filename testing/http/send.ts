import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { buffer } from "node:stream/consumers";

export type OutgoingRequest = {
  method?: string;
  /** Path from the root, e.g. `/api/...`; sent unchanged. */
  path: string;
  headers?: Record<string, string | string[]>;
  /** Strings and bytes are sent unchanged, other values as JSON with its content type. */
  body?: unknown;
  token?: string;
  timeoutMs?: number;
  /** Uses a new connection, for requests after which the server closes it. */
  isAlone?: boolean;
  signal?: AbortSignal;
};

export type Answer = {
  status: number;
  headers: IncomingHttpHeaders;
  /** Names of the headers in order. */
  headerNames: string[];
  bytes: Buffer;
  text: string;
  /** Time from sending to the last byte, in ms. */
  ms: number;
};

const TIMEOUT_MS = 60_000;
const agent = new Agent({ keepAlive: true, maxSockets: 256 });

/** Sends one request unchanged. @throws if there is no complete response */
export function send(url: string, sending: OutgoingRequest): Promise<Answer> {
  const { method = "GET", path, token, timeoutMs = TIMEOUT_MS, isAlone = false, signal } = sending;
  const body = bodyOf(sending.body);
  const headers = {
    ...(sending.body !== undefined && { "content-type": "application/json" }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { "content-length": String(body.length) }),
    ...sending.headers,
  };
  const { hostname, port } = new URL(url);
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const call = request({
      hostname,
      port,
      path,
      method,
      headers,
      agent: isAlone ? false : agent,
      ...(signal && { signal }),
    });
    const timer = setTimeout(() => call.destroy(new Error(`${method} ${path} was not answered`)), timeoutMs);
    call.once("response", (answer) => {
      buffer(answer).then((bytes) => {
        clearTimeout(timer);
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          headerNames: answer.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase()),
          bytes,
          text: bytes.toString("utf8"),
          ms: performance.now() - startedAt,
        });
      }, reject);
    });
    call.once("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    call.end(body);
  });
}

/**
 * Everything by which responses can be distinguished: status, body, names of the headers in order, and lengths. Values
 * of cookies are random, their lengths are not.
 */
export function visible({ status, text, headerNames, headers }: Answer): string {
  const cookies = (headers["set-cookie"] ?? []).map((line) => line.replace(/=[^;]+/, (value) => `=${value.length}`));
  const values = [headers["content-length"], headers["content-type"], headers["cache-control"]];
  return JSON.stringify([status, text, headerNames, ...values, cookies]);
}

/** Parses the body as JSON. */
export function jsonOf<T = unknown>({ text, status }: Answer): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new Error(`Not JSON (${status}): ${text.slice(0, 200)}`);
  }
}

function bodyOf(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined;
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body), "utf8");
}
