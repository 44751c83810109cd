/**
 * HTTP client of the API: fetch with the bearer token and the CSRF header; the contract's schemas parse responses.
 * Independent of React and of the handling of a lost session: see {@link onSessionLost}.
 */

import * as z from "zod/mini";
import { accountPaths } from "#contract/accounts/paths.ts";
import { ANTI_FORGERY_HEADER, API_BASE } from "#contract/http.ts";
import { Emitter } from "../store/emitter.ts";
import { readAccessToken } from "./access-token.ts";
import { readAntiForgeryToken } from "./anti-forgery.ts";
import { ApiError, parseJson, readApiError } from "./api-error.ts";

export { ApiError, readApiError } from "./api-error.ts";

export type ApiOptions = {
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** A 401 does not end the session: for the check at the start, and for the logout. */
  quiet401?: boolean;
  /** The request continues when the page is left. */
  keepalive?: boolean;
  /** `z.safeParse` by default. */
  validate?: Validate;
};

/** Validates an answer by its schema, perhaps in several tasks. */
export type Validate = (schema: Schema, answer: unknown) => Validated | Promise<Validated>;
type Validated = z.core.util.SafeParseResult<unknown>;

/** Sends one request as `fetch` does, which reports no progress. */
export type Transport = (url: string, request: RequestInit) => Promise<Response>;

/** `body`: text is JSON, unless a header says otherwise. `transport`: `fetch` by default. */
export type OpenInit = ApiOptions & { method?: string; body?: string | Blob; transport?: Transport };

type Schema = z.core.$ZodType;

const sessionLosses = new Emitter();

/**
 * Calls `listener` each time the server refuses the token that this page still has. Returns the unsubscribe function.
 */
export const onSessionLost = sessionLosses.subscribe;

/**
 * Sends a request and returns the response with its body unread, for any status. Throws an {@link ApiError} of status 0
 * without a response, and the signal's reason after an abort.
 */
async function open(path: string, init: OpenInit = {}): Promise<Response> {
  const response = await send(path, init);
  if (!(await isForgeryRefusal(response))) return response;
  // The CSRF cookie has expired or belongs to an ended session: the server sets a new one in this call.
  await response.body?.cancel();
  await send(accountPaths.authConfig, forSameSession(init));
  return send(path, init);
}

/**
 * Returns the options of the call that renews the CSRF token. The token belongs to a session, so the bearer token must
 * be that of the refused call.
 */
function forSameSession({ headers, signal, quiet401 = false, keepalive = false }: OpenInit): OpenInit {
  const authorization = headers?.authorization;
  return {
    quiet401,
    keepalive,
    ...(signal && { signal }),
    ...(authorization !== undefined && { headers: { authorization } }),
  };
}

async function send(path: string, init: OpenInit): Promise<Response> {
  const { method = "GET", headers, body, signal, quiet401 = false, keepalive = false } = init;
  const all = new Headers(headers);
  // A token passed by the caller is not this page's token: after a logout there is none, or the next account's.
  const token = all.has("authorization") ? null : readAccessToken();
  if (!all.has("accept")) all.set("accept", "application/json");
  if (body !== undefined && !all.has("content-type")) all.set("content-type", "application/json");
  if (token) all.set("authorization", `Bearer ${token}`);
  if (method !== "GET" && method !== "HEAD") {
    const proof = readAntiForgeryToken();
    if (proof) all.set(ANTI_FORGERY_HEADER, proof);
  }
  const request: RequestInit = { method, headers: all, credentials: "same-origin" };
  if (body !== undefined) request.body = body;
  if (signal) request.signal = signal;
  if (keepalive) request.keepalive = true;
  const response = await reach(path, request, init.transport);
  // A 401 for a token that was replaced in the meantime does not end the session.
  if (response.status === 401 && token && !quiet401 && token === readAccessToken()) sessionLosses.notify();
  return response;
}

async function reach(path: string, request: RequestInit, transport: Transport = fetch): Promise<Response> {
  try {
    return await transport(`${API_BASE}${path}`, request);
  } catch (cause) {
    if (request.signal?.aborted) throw cause;
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new ApiError(0, message, { code: "unreachable", cause });
  }
}

async function isForgeryRefusal(response: Response): Promise<boolean> {
  if (response.status !== 403) return false;
  return (await readApiError(response.clone())).code === "csrf";
}

async function call(
  path: string,
  { validate = z.safeParse, ...init }: OpenInit,
  schema: Schema | null,
): Promise<unknown> {
  const response = await open(path, init);
  if (!response.ok) throw await readApiError(response);
  const body = await response.text();
  if (!schema) return undefined;
  const answer = parseJson(body);
  let parsed = await validate(schema, answer);
  if (parsed.success) return parsed.data;
  const { completeAnswer } = await import("./complete-answer.ts");
  parsed = z.safeParse(schema, completeAnswer(path, answer ?? body));
  if (parsed.success) return parsed.data;
  throw new ApiError(response.status, "Unexpected answer", { code: "unexpected-answer", body, cause: parsed.error });
}

function withBody(method: string, body: unknown, options: ApiOptions): OpenInit {
  return body === undefined ? { ...options, method } : { ...options, method, body: JSON.stringify(body) };
}

function get<S extends Schema>(path: string, schema: S, options?: ApiOptions): Promise<z.core.output<S>>;
async function get(path: string, schema: Schema, options: ApiOptions = {}): Promise<unknown> {
  return call(path, options, schema);
}

function post(path: string, body: unknown, schema: null, options?: ApiOptions): Promise<void>;
function post<S extends Schema>(path: string, body: unknown, schema: S, o?: ApiOptions): Promise<z.core.output<S>>;
async function post(path: string, body: unknown, schema: Schema | null, options: ApiOptions = {}): Promise<unknown> {
  return call(path, withBody("POST", body, options), schema);
}

function patch(path: string, body: unknown, schema: null, options?: ApiOptions): Promise<void>;
function patch<S extends Schema>(path: string, body: unknown, schema: S, o?: ApiOptions): Promise<z.core.output<S>>;
async function patch(path: string, body: unknown, schema: Schema | null, options: ApiOptions = {}): Promise<unknown> {
  return call(path, withBody("PATCH", body, options), schema);
}

function put(path: string, body: unknown, schema: null, options?: ApiOptions): Promise<void>;
function put<S extends Schema>(path: string, body: unknown, schema: S, o?: ApiOptions): Promise<z.core.output<S>>;
async function put(path: string, body: unknown, schema: Schema | null, options: ApiOptions = {}): Promise<unknown> {
  return call(path, withBody("PUT", body, options), schema);
}

async function remove(path: string, options: ApiOptions = {}): Promise<void> {
  await call(path, { ...options, method: "DELETE" }, null);
}

/**
 * Paths are those of the contract, without the base. `body` is sent as JSON; undefined sends no body. With a schema the
 * response is parsed, with null it is ignored. `open` returns any response; the other calls throw {@link ApiError} for
 * a status other than 2xx.
 */
export const api = { get, post, patch, put, delete: remove, open };

/** The HTTP client's calls; tests and the limit of concurrent streams replace them. */
export type Api = typeof api;
