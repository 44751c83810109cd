import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { text as readText } from "node:stream/consumers";
import { TITLE_MARKER } from "../../server/models/title-prompt.ts";
import type { PromptMessage, RequestBody, Wire, WirePrompt } from "./wire.ts";
import { wireAt } from "./wire-formats.ts";

/** A request that the provider server received, parsed. */
export type ProviderRequest = WirePrompt & {
  /** `models`: the list of models. `other`: any other request without a prompt. */
  kind: "chat" | "title" | "models" | "other";
  /** With its query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: RequestBody;
  model: string;
  /** Wire format of the path; `undefined` for a path that no wire format has. */
  wire: Wire | undefined;
  /** Whether the client closed the connection before the answer was complete. */
  isAborted: boolean;
  /** Aborted when the connection closes or the answer is complete. */
  signal: AbortSignal;
  /** Resolves when `signal` is aborted. */
  closed: Promise<void>;
};

/**
 * Reads the body of `request` and parses it.
 * @param response observed for `isAborted`, `signal` and `closed`
 * @throws SyntaxError if the body is not JSON
 */
export async function readProviderRequest(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<ProviderRequest> {
  const text = await readText(request);
  const body: RequestBody = text === "" ? {} : JSON.parse(text);
  const path = request.url ?? "/";
  const wire = wireAt(path);
  const prompt = wire?.readPrompt(body) ?? { system: "", messages: [] };
  const closing = new AbortController();
  const parsed: ProviderRequest = {
    ...prompt,
    kind: kindOf(request.method, path, prompt),
    path,
    headers: request.headers,
    body,
    model: body.model ?? "",
    wire,
    isAborted: false,
    signal: closing.signal,
    closed: new Promise((resolve) => {
      response.once("close", () => {
        parsed.isAborted = !response.writableFinished;
        closing.abort();
        resolve();
      });
    }),
  };
  return parsed;
}

function kindOf(method: string | undefined, path: string, { system }: WirePrompt): ProviderRequest["kind"] {
  if (method === "POST") return system.startsWith(TITLE_MARKER) ? "title" : "chat";
  return path.endsWith("/models") ? "models" : "other";
}

/** Returns the content of the last message of the user, or an empty string. */
export function lastQuestion(messages: readonly PromptMessage[]): string {
  return messages.findLast(({ role }) => role === "user")?.content ?? "";
}
