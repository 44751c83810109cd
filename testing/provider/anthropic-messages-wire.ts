import type { Wire } from "./wire.ts";

const endReasons = { complete: "end_turn", length: "max_tokens", refused: "refusal" } as const;

const errors = {
  server: [500, { type: "api_error", message: "Internal server error" }],
  "wrong-key": [401, { type: "authentication_error", message: "invalid x-api-key" }],
  "unknown-model": [404, { type: "not_found_error", message: "model: x" }],
  "too-long": [400, { type: "invalid_request_error", message: "prompt is too long: 218849 tokens > 200000 maximum" }],
  "rate-limited": [429, { type: "rate_limit_error", message: "This request would exceed your rate limit." }],
  overloaded: [529, { type: "overloaded_error", message: "Overloaded" }],
} as const;

function event(data: { type: string; [name: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

function startEvents(model: string): string {
  const message = {
    id: "msg_scripted",
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 21, output_tokens: 1, service_tier: "standard" },
  };
  return (
    event({ type: "message_start", message }) +
    event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }) +
    event({ type: "ping" })
  );
}

function finishEvents(reason: keyof typeof endReasons): string {
  const delta = { stop_reason: endReasons[reason], stop_sequence: null };
  return (
    event({ type: "content_block_stop", index: 0 }) +
    event({ type: "message_delta", delta, usage: { output_tokens: 12 } })
  );
}

/** Anthropic's messages. Reasoning is sent as deltas of the only text block, not as a block of its own. */
export const anthropicMessagesWire: Wire = {
  endpoint: "/messages",
  readPrompt: ({ system = "", messages = [] }) => ({ system, messages }),
  encodeAnswer: (model) => ({
    start: () => startEvents(model),
    text: (piece) => event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: piece } }),
    reasoning: (piece) =>
      event({ type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: piece } }),
    ping: () => event({ type: "ping" }),
    finish: finishEvents,
    endMark: () => event({ type: "message_stop" }),
    errorEvent: (failure) => event({ type: "error", error: errors[failure][1] }),
  }),
  errorAnswer: (failure) => {
    const [status, error] = errors[failure];
    return { status, body: JSON.stringify({ type: "error", error, request_id: "req_scripted" }) };
  },
};
