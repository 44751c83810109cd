/**
 * Calls of the API: fetch with the bearer token and the anti-forgery header, answers read by the contract's schemas.
 * Knows neither React nor what happens to a session that ended: who cares listens with {@link onSessionLost}.
 */

import * as z from "zod/mini";
import { ANTI_FORGERY_HEADER, API_BASE, paths } from "#contract/paths.ts";
import { Emitter } from "../store/emitter.ts";
import { readAccessToken } from "./access-token.ts";
import { readAntiForgeryToken } from "./anti-forgery.ts";
import { ApiError, parseJson, readApiError } from "./api-error.ts";

export { ApiError, readApiError } from "./api-error.ts";

export type ApiOptions = {
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** A 401 here does not end the session: the check at the start, and sign-out. */
  quiet401?: boolean;
  /** Goes on when the page is left. */
  keepalive?: boolean;
};

export type OpenInit = ApiOptions & { method?: string; body?: string };

type Schema = z.core.$ZodType;

const sessionLosses = new Emitter();

/** Calls `listener` each time the server refuses the token that this page still holds. Returns the way to end that. */
export const onSessionLost = sessionLosses.subscribe;

/**
 * Sends a request and gives the answer unread, whatever its status. Throws an {@link ApiError} of status 0 where no
 * answer came, and the signal's reason where it was aborted.
 */
async function open(path: string, init: OpenInit = {}): Promise<Response> {
  const response = await send(path, init);
  if (!(await isForgeryRefusal(response))) return response;
  // The anti-forgery cookie has lapsed or belongs to an ended session: the server hands out a new one with this call.
  await response.body?.cancel();
  await send(paths.authConfig, forSameSession(init));
  return send(path, init);
}

/** The proof belongs to a session: it must be asked for with the token that the refused call had. */
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
  // A token that the call brings is not the one of this page: after a sign-out there is none, or the next person's.
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
  const response = await reach(path, request);
  // A 401 for a token that was replaced in the meantime does not end the session.
  if (response.status === 401 && token && !quiet401 && token === readAccessToken()) sessionLosses.notify();
  return response;
}

async function reach(path: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(`${API_BASE}${path}`, request);
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

async function call(path: string, init: OpenInit, schema: Schema | null): Promise<unknown> {
  const response = await open(path, init);
  if (!response.ok) throw await readApiError(response);
  const body = await response.text();
  if (!schema) return undefined;
  const parsed = z.safeParse(schema, parseJson(body));
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

async function put(path: string, body: unknown, schema: null, options: ApiOptions = {}): Promise<void> {
  await call(path, withBody("PUT", body, options), schema);
}

async function remove(path: string, options: ApiOptions = {}): Promise<void> {
  await call(path, { ...options, method: "DELETE" }, null);
}

/**
 * Paths are those of the contract, without the base. `body` is sent as JSON, undefined as no body at all; with a
 * schema the answer is parsed, with null it is not looked at. All throw {@link ApiError} for a status that is not 2xx.
 */
export const api = { get, post, patch, put, delete: remove, open };

/** The calls of the HTTP client; tests and the limit of streams at once replace it. */
export type Api = typeof api;
