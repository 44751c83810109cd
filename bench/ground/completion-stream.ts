import type { ServerResponse } from "node:http";

/** A piece of an answer as OpenAI's chat completions stream it, as an event. */
export const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({
    id: "chatcmpl-bench",
    object: "chat.completion.chunk",
    created: 1,
    model: "bench",
    choices: [{ index: 0, delta, finish_reason: finish }],
  })}\n\n`;

export function beginStream(response: ServerResponse, headers: Record<string, string> = {}): void {
  response.writeHead(200, { "content-type": "text/event-stream", ...headers });
  response.write(chunk({ role: "assistant", content: "" }));
}

export function endStream(response: ServerResponse): void {
  response.write(chunk({}, "stop"));
  response.end("data: [DONE]\n\n");
}
