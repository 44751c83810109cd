import { textOf, toPromptMessage } from "../content-parts.ts";
import { type Charges, DEFAULT_TOKENS, type Wire, type WireEnd, type WireTokens } from "../wire.ts";
import { refuseMessage } from "./anthropic-limits.ts";

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

/** Token counts as Anthropic sends them: those from and to the cache are not in `input_tokens`. */
function inputUsage({ input, cached, written = 0 }: WireTokens) {
  return {
    input_tokens: input - cached - written,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: cached,
  };
}

function usageOf(tokens: WireTokens) {
  const { output, reasoning } = tokens;
  const details = reasoning > 0 && { output_tokens_details: { thinking_tokens: reasoning } };
  return { ...inputUsage(tokens), output_tokens: output, ...details };
}

function chargesOf(usage: ReturnType<typeof usageOf>): Charges {
  return {
    input: usage.input_tokens,
    cacheRead: usage.cache_read_input_tokens,
    cacheWrite: usage.cache_creation_input_tokens,
    output: usage.output_tokens,
    reasoning: usage.output_tokens_details?.thinking_tokens ?? 0,
  };
}

function startEvents(model: string, tokens: WireTokens): string {
  const message = {
    id: "msg_scripted",
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...inputUsage(tokens), output_tokens: 1, service_tier: "standard" },
  };
  return event({ type: "message_start", message }) + event({ type: "ping" });
}

type BlockType = "text" | "thinking";

/** Encodes the blocks of one message. A block is open until text of the other type, or the end. */
class BlockEncoder {
  #open: BlockType | undefined;
  #index = -1;

  delta(type: BlockType, piece: string): string {
    const opening = this.#open === type ? "" : this.close() + this.#start(type);
    const delta = type === "text" ? { type: "text_delta", text: piece } : { type: "thinking_delta", thinking: piece };
    return opening + event({ type: "content_block_delta", index: this.#index, delta });
  }

  close(): string {
    if (this.#open === undefined) return "";
    const index = this.#index;
    // The signature is the last delta of a block of reasoning.
    const signature = { type: "signature_delta", signature: "EqQBCgIYAhIM1gbcDa9GJwZA2b3h" };
    const last = this.#open === "thinking" ? event({ type: "content_block_delta", index, delta: signature }) : "";
    this.#open = undefined;
    return last + event({ type: "content_block_stop", index });
  }

  #start(type: BlockType): string {
    this.#open = type;
    this.#index++;
    const block = type === "text" ? { type, text: "" } : { type, thinking: "", signature: "" };
    return event({ type: "content_block_start", index: this.#index, content_block: block });
  }
}

function finishEvents(reason: WireEnd, tokens: WireTokens): string {
  const delta = { stop_reason: endReasons[reason], stop_sequence: null };
  return event({ type: "message_delta", delta, usage: usageOf(tokens) });
}

/** Anthropic's messages. */
export const anthropicMessagesWire: Wire = {
  endpoint: "/messages",
  readPrompt: ({ system, messages = [] }) => ({
    system: textOf(system),
    messages: messages.map(toPromptMessage),
  }),
  refuse: refuseMessage,
  encodeAnswer: (model, tokens = DEFAULT_TOKENS) => {
    const blocks = new BlockEncoder();
    return {
      charges: chargesOf(usageOf(tokens)),
      start: () => startEvents(model, tokens),
      text: (piece) => blocks.delta("text", piece),
      reasoning: (piece) => blocks.delta("thinking", piece),
      ping: () => event({ type: "ping" }),
      finish: (reason) => blocks.close() + finishEvents(reason, tokens),
      endMark: () => event({ type: "message_stop" }),
      errorEvent: (failure) => event({ type: "error", error: errors[failure][1] }),
    };
  },
  errorAnswer: (failure) => {
    const [status, error] = errors[failure];
    return { status, body: JSON.stringify({ type: "error", error, request_id: "req_scripted" }) };
  },
};
