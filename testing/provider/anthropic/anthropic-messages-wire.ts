import { textOf, toPromptMessage } from "../content-parts.ts";
import { problemOfCalls, problemOfTools } from "../tool-rules.ts";
import {
  type Charges,
  DEFAULT_TOKENS,
  type PromptMessage,
  type Wire,
  type WireCall,
  type WireEnd,
  type WireMessage,
  type WireTokens,
} from "../wire.ts";
import { SIGNATURE } from "./anthropic-content.ts";
import { anthropicRefusal, refuseMessage } from "./anthropic-limits.ts";

const endReasons = { complete: "end_turn", length: "max_tokens", refused: "refusal", calls: "tool_use" } as const;

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
    const signature = { type: "signature_delta", signature: SIGNATURE };
    const last = this.#open === "thinking" ? event({ type: "content_block_delta", index, delta: signature }) : "";
    this.#open = undefined;
    return last + event({ type: "content_block_stop", index });
  }

  /** Arguments come in pieces, of which the first is empty. */
  call({ id, name, arguments: json }: WireCall): string {
    const closed = this.close();
    const index = ++this.#index;
    const half = Math.ceil(json.length / 2);
    const deltas = ["", json.slice(0, half), json.slice(half)].map((partial_json) =>
      event({ type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json } }),
    );
    const content_block = { type: "tool_use", id, name, input: {} };
    const start = event({ type: "content_block_start", index, content_block });
    return closed + start + deltas.join("") + event({ type: "content_block_stop", index });
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

/** Reads a message; each result of a call is one of its own. */
function readMessage(message: WireMessage): PromptMessage[] {
  const { role, content } = message;
  if (content === null || typeof content === "string") return [{ role, content: content ?? "" }];
  const results = content.flatMap(({ type, tool_use_id, content: text = "" }) =>
    type === "tool_result" ? [{ role: "tool", content: text, callId: tool_use_id ?? "" }] : [],
  );
  const calls = content.flatMap(({ type, id = "", name = "", input = {} }) =>
    type === "tool_use" ? [{ id, name, arguments: JSON.stringify(input) }] : [],
  );
  const others = content.filter(({ type }) => type !== "tool_result");
  if (others.length === 0) return results;
  return [...results, { ...toPromptMessage({ role, content: others }), ...(calls.length > 0 && { calls }) }];
}

/** Anthropic's messages. */
export const anthropicMessagesWire: Wire = {
  endpoint: "/messages",
  readPrompt: ({ system, messages = [] }) => ({
    system: textOf(system),
    messages: messages.flatMap(readMessage),
  }),
  refuse: (body) => {
    const problem = problemOfTools(body.tools) ?? problemOfCalls((body.messages ?? []).flatMap(readMessage));
    return refuseMessage(body) ?? (problem === undefined ? undefined : anthropicRefusal(problem));
  },
  encodeAnswer: (model, tokens = DEFAULT_TOKENS) => {
    const blocks = new BlockEncoder();
    return {
      charges: chargesOf(usageOf(tokens)),
      start: () => startEvents(model, tokens),
      text: (piece) => blocks.delta("text", piece),
      reasoning: (piece) => blocks.delta("thinking", piece),
      calls: (calls) => calls.map((call) => blocks.call(call)).join(""),
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
