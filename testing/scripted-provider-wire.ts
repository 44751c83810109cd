/** How the two wire formats say the same things, true to life down to the fields that nobody reads. */

export type WireEnd = "complete" | "length" | "refused";
export type WireFailure = "server" | "wrong-key" | "unknown-model" | "too-long" | "rate-limited" | "overloaded";

export interface Wire {
  /** What comes before the first word. */
  start(model: string): string;
  text(piece: string): string;
  reasoning(piece: string): string;
  ping(): string;
  /** Reason and count of tokens, without the end mark. */
  finish(reason: WireEnd): string;
  endMark(): string;
  /** An error object in the midst of a stream. */
  errorEvent(failure: WireFailure): string;
  /** Status and body of a call that fails before the stream. */
  errorAnswer(failure: WireFailure): { status: number; body: string };
}

const CREATED = 1_760_000_000;
const usage = { prompt_tokens: 21, completion_tokens: 12, total_tokens: 33 };

const openAiErrors = {
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

const openAiReasons = { complete: "stop", length: "length", refused: "content_filter" } as const;

export const openAiWire: Wire = {
  start: () => chunk([{ index: 0, delta: { role: "assistant", content: "", refusal: null }, finish_reason: null }]),
  text: (piece) => chunk([{ index: 0, delta: { content: piece }, finish_reason: null }]),
  reasoning: (piece) => chunk([{ index: 0, delta: { reasoning_content: piece }, finish_reason: null }]),
  ping: () => ": ping\n\n",
  finish: (reason) => chunk([{ index: 0, delta: {}, finish_reason: openAiReasons[reason] }]) + chunk([], { usage }),
  endMark: () => "data: [DONE]\n\n",
  errorEvent: (failure) => `data: ${JSON.stringify({ error: openAiErrors[failure][1] })}\n\n`,
  errorAnswer: (failure) => {
    const [status, error] = openAiErrors[failure];
    return { status, body: JSON.stringify({ error }, null, 2) };
  },
};

const anthropicErrors = {
  server: [500, { type: "api_error", message: "Internal server error" }],
  "wrong-key": [401, { type: "authentication_error", message: "invalid x-api-key" }],
  "unknown-model": [404, { type: "not_found_error", message: "model: x" }],
  "too-long": [400, { type: "invalid_request_error", message: "prompt is too long: 218849 tokens > 200000 maximum" }],
  "rate-limited": [429, { type: "rate_limit_error", message: "This request would exceed your rate limit." }],
  overloaded: [529, { type: "overloaded_error", message: "Overloaded" }],
} as const;

function named(event: { type: string; [name: string]: unknown }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

const anthropicReasons = { complete: "end_turn", length: "max_tokens", refused: "refusal" } as const;

/** One text block; reasoning is shown as deltas in it, which readers take as they take a block of its own. */
export const anthropicWire: Wire = {
  start: (model) =>
    named({
      type: "message_start",
      message: {
        id: "msg_scripted",
        type: "message",
        role: "assistant",
        model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 21, output_tokens: 1, service_tier: "standard" },
      },
    }) +
    named({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }) +
    named({ type: "ping" }),
  text: (piece) => named({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: piece } }),
  reasoning: (piece) =>
    named({ type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: piece } }),
  ping: () => named({ type: "ping" }),
  finish: (reason) =>
    named({ type: "content_block_stop", index: 0 }) +
    named({
      type: "message_delta",
      delta: { stop_reason: anthropicReasons[reason], stop_sequence: null },
      usage: { output_tokens: 12 },
    }),
  endMark: () => named({ type: "message_stop" }),
  errorEvent: (failure) => named({ type: "error", error: anthropicErrors[failure][1] }),
  errorAnswer: (failure) => {
    const [status, error] = anthropicErrors[failure];
    return { status, body: JSON.stringify({ type: "error", error, request_id: "req_scripted" }) };
  },
};
