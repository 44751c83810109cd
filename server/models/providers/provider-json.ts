import { AbortScope } from "../../concurrency/abort-scope.ts";
import { parseJson } from "../../text/parse-json.ts";
import type { ProviderConnection } from "./provider-connection.ts";

/** Limit of a document, in UTF-16 units. */
const MAX_CHARS = 1024 * 1024;

/** `body`: sent as JSON by POST; without it, the document is requested by GET. */
type JsonRequest = { path: string; body?: object; timeoutMs: number };

/**
 * Requests a JSON document beside the calls for replies. Time and size are bounded.
 * @returns the parsed document; `undefined` if it is not JSON
 * @throws if the server is unreachable or too slow, the document is too large, or the status is not 200
 */
export async function readJson(connection: ProviderConnection, request: JsonRequest): Promise<unknown> {
  using scope = new AbortScope({ ms: request.timeoutMs });
  const { signal } = scope;
  // The signal has no effect on a connection that hangs while it is being opened.
  const lateness = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
  return parseJson(await Promise.race([readText(connection, request, signal), lateness]));
}

async function readText(
  connection: ProviderConnection,
  { path, body }: JsonRequest,
  signal: AbortSignal,
): Promise<string> {
  const url = connection.url(path);
  const dispatcher = await connection.dispatcher();
  const response = await dispatcher.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: body ? "POST" : "GET",
    headers: {
      accept: "application/json",
      ...(body && { "content-type": "application/json" }),
      ...connection.headers(),
      ...connection.keyHeaders(),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal,
  });
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_CHARS) throw new Error(`The document ${path} is too long`);
  }
  if (response.statusCode !== 200) throw new Error(`The document ${path} came with status ${response.statusCode}`);
  return text;
}
