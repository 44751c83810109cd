import type { Wire } from "./wire.ts";

const CREATED = 1_760_000_000;
const usage = { prompt_tokens: 21, completion_tokens: 12, total_tokens: 33 };
const endReasons = { complete: "stop", length: "length", refused: "content_filter" } as const;

const errors = {
  server: [500, { message: "The server had an error.", type: "server_error", param: null, code: null }],
  "wrong-key": [
    401,
    { message: "Incorrect API key provided.", type: "invalid_request_error", param: null, code: "invalid_api_key" },
  ],
  "unknown-model": [
    404,
    {
      message: "The model `x` does not exist or you do not have access to it.",
      type: "invalid_request_error",
      param: null,
      code: "model_not_found",
    },
  ],
  "too-long": [
    400,
    {
      message: "This model's maximum context length is 400000 tokens.",
      type: "invalid_request_error",
      param: "messages",
      code: "context_length_exceeded",
    },
  ],
  "rate-limited": [429, { message: "Rate limit reached.", type: "requests", param: null, code: "rate_limit_exceeded" }],
  overloaded: [503, { message: "Slow down.", type: "server_error", param: null, code: "slow_down" }],
} as const;

function chunk(choices: object[], more: object = {}): string {
  const event = {
    id: "chatcmpl-scripted",
    object: "chat.completion.chunk",
    created: CREATED,
    model: "gpt-5-mini-2025-08-07",
    service_tier: "default",
    system_fingerprint: null,
    choices,
    usage: null,
    ...more,
  };
  return `data: ${JSON.stringify(event)}\n\n`;
}

/** OpenAI's chat completions. The chunks name a dated model, as OpenAI answers to an alias. */
export const openAiChatWire: Wire = {
  endpoint: "/chat/completions",
  readPrompt: ({ messages = [] }) => ({
    system: messages.find(({ role }) => role === "system")?.content ?? "",
    messages: messages.filter(({ role }) => role !== "system"),
  }),
  encodeAnswer: () => ({
    start: () => chunk([{ index: 0, delta: { role: "assistant", content: "", refusal: null }, finish_reason: null }]),
    text: (piece) => chunk([{ index: 0, delta: { content: piece }, finish_reason: null }]),
    reasoning: (piece) => chunk([{ index: 0, delta: { reasoning_content: piece }, finish_reason: null }]),
    ping: () => ": ping\n\n",
    finish: (reason) => chunk([{ index: 0, delta: {}, finish_reason: endReasons[reason] }]) + chunk([], { usage }),
    endMark: () => "data: [DONE]\n\n",
    errorEvent: (failure) => `data: ${JSON.stringify({ error: errors[failure][1] })}\n\n`,
  }),
  errorAnswer: (failure) => {
    const [status, error] = errors[failure];
    return { status, body: JSON.stringify({ error }, null, 2) };
  },
};

/**
 * Encodes the body of `GET models` as OpenAI and its imitators answer it.
 * @param models ids, or objects whose fields override the defaults
 */
export function openAiModelList(models: readonly (string | Record<string, unknown>)[]): string {
  const data = models.map((model) => ({
    object: "model",
    created: CREATED,
    owned_by: "organization-owner",
    ...(typeof model === "string" ? { id: model } : model),
  }));
  return JSON.stringify({ object: "list", data });
}
