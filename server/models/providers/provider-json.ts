import { AbortScope } from "../../concurrency/abort-scope.ts";
import { parseJson } from "../../text/parse-json.ts";
import { field } from "../../text/wire-json.ts";
import { ModelError } from "../model-error.ts";
import type { ProviderConnection } from "./provider-connection.ts";
import { errorFromResponse } from "./provider-errors.ts";

/** Default limit of a document, in UTF-16 units. */
const MAX_CHARS = 1024 * 1024;
/** Limit of a list of models, in UTF-16 units. */
export const LIST_MAX_CHARS = 8 * 1024 * 1024;
/** Limit of the body of a refusal, in UTF-16 units. */
const MAX_ERROR_CHARS = 64 * 1024;

/**
 * `query`: added to that of the base URL. `body`: sent as JSON by POST; without it, the document is requested by GET.
 * `keyHeader`: header of the key, if it is not that of the connection.
 */
export type JsonRequest = {
  path: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  keyHeader?: string;
  body?: object;
  timeoutMs: number;
  maxChars?: number;
};

/**
 * Requests a JSON document beside the calls for replies. Time and size are bounded.
 * @returns the parsed document; `undefined` if it is not JSON
 * @throws ModelError `assistant-unreachable`; `assistant-stalled` after `timeoutMs`; `assistant-broken-off` for a document
 *   that is too large or incomplete; the provider's refusal for any other status than 200
 */
export async function readJson(connection: ProviderConnection, request: JsonRequest): Promise<unknown> {
  using scope = new AbortScope({ ms: request.timeoutMs });
  const { signal } = scope;
  // The signal has no effect on a connection that hangs while it is being opened.
  const lateness = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(new ModelError("assistant-stalled")));
  });
  return parseJson(await Promise.race([readText(connection, request, signal), lateness]));
}

async function readText(connection: ProviderConnection, request: JsonRequest, signal: AbortSignal): Promise<string> {
  const { body, statusCode, headers } = await respond(connection, request, signal);
  const isRefused = statusCode !== 200;
  const maxChars = isRefused ? MAX_ERROR_CHARS : (request.maxChars ?? MAX_CHARS);
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > maxChars) break;
    }
  } catch (cause) {
    throw new ModelError("assistant-broken-off", { status: statusCode, cause });
  }
  if (isRefused) throw errorFromResponse(statusCode, headers, text);
  if (text.length > maxChars) throw new ModelError("assistant-broken-off", { status: statusCode });
  return text;
}

async function respond(connection: ProviderConnection, request: JsonRequest, signal: AbortSignal) {
  const { path, query = {}, headers, body } = request;
  const url = connection.url(path);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  try {
    const dispatcher = await connection.dispatcher();
    return await dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: body ? "POST" : "GET",
      headers: {
        accept: "application/json",
        "user-agent": "parley",
        ...(body && { "content-type": "application/json" }),
        ...(await connection.headers()),
        ...keyHeaders(connection, request),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
      signal,
    });
  } catch (cause) {
    // The key or the address contains characters that cannot be sent.
    const isInvalid = field(cause, "code") === "UND_ERR_INVALID_ARG";
    throw new ModelError(isInvalid ? "assistant-misconfigured" : "assistant-unreachable", { cause });
  }
}

function keyHeaders(connection: ProviderConnection, { keyHeader }: JsonRequest): Record<string, string> {
  if (keyHeader === undefined) return connection.keyHeaders();
  return connection.apiKey === undefined ? {} : { [keyHeader]: connection.apiKey };
}
