import { textOf, toPromptMessage } from "../content-parts.ts";
import { problemOfCalls, problemOfTools } from "../tool-rules.ts";
import {
  type AnswerEncoder,
  type Charges,
  DEFAULT_TOKENS,
  type Wire,
  type WireCall,
  type WireEnd,
  type WireFailure,
  type WireMessage,
  type WireTokens,
} from "../wire.ts";
import { fieldRefusal, googleErrorAnswer, openAiErrorAnswer, openAiErrors } from "./openai-errors.ts";
import { refuseChatCompletion } from "./openai-limits.ts";

const CREATED = 1_760_000_000;
/** Differences between the servers that imitate OpenAI's chat completions. */
type Dialect = {
  /** Field of a delta, or form of its content, in which reasoning is sent. */
  reasoning: "reasoning_content" | "reasoning" | "content-array" | "think-tag" | "thought-tag";
  /** Position of the token counts. `own-chunk`: a chunk without choices after the last choice. */
  usage: "own-chunk" | "last-choice" | "within-choice" | "x_groq";
  cachedTokens: "prompt_tokens_details" | "prompt_cache_hit_tokens" | "cached_tokens";
  /** Whether `completion_tokens` include reasoning. */
  countsReasoning: boolean;
  /** Whether the counts name reasoning. */
  namesReasoning: boolean;
  /** The delta of the last choice. */
  lastDelta: object;
  refusedReason: string;
  /**
   * Form of calls. `pieces`: arguments in several deltas; `empty-ids`: their later deltas have an empty id and name;
   * `whole`: one delta for each; `no-index`: without its index; `index-0`: all with the same index, and with a signature.
   */
  calls: "pieces" | "empty-ids" | "whole" | "no-index" | "index-0";
  /** Reason of an end with calls. */
  callsReason: "tool_calls" | "stop";
  errors: "openai" | "google";
};

const plain: Dialect = {
  reasoning: "reasoning_content",
  usage: "own-chunk",
  cachedTokens: "prompt_tokens_details",
  countsReasoning: true,
  namesReasoning: true,
  lastDelta: {},
  refusedReason: "content_filter",
  calls: "pieces",
  callsReason: "tool_calls",
  errors: "openai",
};

const dialects = {
  openai: plain,
  deepseek: { ...plain, usage: "last-choice", cachedTokens: "prompt_cache_hit_tokens", calls: "empty-ids" },
  groq: { ...plain, reasoning: "reasoning", usage: "x_groq", calls: "whole" },
  /** Also vLLM. */
  ollama: { ...plain, reasoning: "reasoning", calls: "no-index", callsReason: "stop" },
  kimi: { ...plain, usage: "within-choice", cachedTokens: "cached_tokens" },
  mistral: { ...plain, reasoning: "content-array", usage: "last-choice", calls: "whole" },
  xai: { ...plain, countsReasoning: false, calls: "whole" },
  gemini: {
    ...plain,
    reasoning: "thought-tag",
    usage: "last-choice",
    countsReasoning: false,
    namesReasoning: false,
    lastDelta: { content: null, extra_content: { google: { thought_signature: "EqQBCqEBAdHtim8x" } } },
    refusedReason: "content_filter: PROHIBITED_CONTENT",
    calls: "index-0",
    callsReason: "stop",
    errors: "google",
  },
  /** A local server without a parser of reasoning. */
  "llama-cpp": { ...plain, reasoning: "think-tag", usage: "last-choice" },
} as const satisfies Record<string, Dialect>;

export type ChatDialect = keyof typeof dialects;
export const chatDialects: readonly ChatDialect[] = [
  "openai",
  "deepseek",
  "groq",
  "ollama",
  "kimi",
  "mistral",
  "xai",
  "gemini",
  "llama-cpp",
];

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

const deltaChunk = (delta: object) => chunk([{ index: 0, delta, finish_reason: null }]);

/** `mark`: further fields of the deltas of reasoning. */
const tags = {
  "think-tag": { opening: "<think>\n", closing: "\n</think>\n\n", mark: {} },
  "thought-tag": {
    opening: "<thought>",
    closing: "</thought>",
    mark: { extra_content: { google: { thought: true } } },
  },
};

/** Encodes deltas of text and reasoning. A tag stays open from the first reasoning to the next text. */
function deltasOf({ reasoning: form }: Dialect): Pick<AnswerEncoder, "text" | "reasoning"> {
  let isTagOpen = false;
  const plainText = (piece: string) => deltaChunk({ content: piece });
  if (form === "content-array") {
    const thinking = (text: string) => [{ type: "thinking", thinking: [{ type: "text", text }] }];
    return { text: plainText, reasoning: (piece) => deltaChunk({ content: thinking(piece) }) };
  }
  if (form !== "think-tag" && form !== "thought-tag") {
    return { text: plainText, reasoning: (piece) => deltaChunk({ [form]: piece }) };
  }
  const { opening, closing, mark } = tags[form];
  return {
    text: (piece) => {
      const close = isTagOpen ? closing : "";
      isTagOpen = false;
      return plainText(close + piece);
    },
    reasoning: (piece) => {
      const open = isTagOpen ? "" : opening;
      isTagOpen = true;
      return deltaChunk({ content: open + piece, ...mark });
    },
  };
}

/** The signature that Gemini requires back with a call. */
export const GEMINI_SIGNATURE = "CiQBjz1rXzVhWmVydA==";

function callDeltas({ calls: form }: Dialect, calls: readonly WireCall[]): string {
  const delta = (call: object) => deltaChunk({ tool_calls: [call] });
  return calls
    .map(({ id, name, arguments: json }, index) => {
      const whole = { id, type: "function", function: { name, arguments: json } };
      if (form === "whole") return delta({ index, ...whole });
      if (form === "no-index") return delta(whole);
      if (form === "index-0") {
        return delta({ index: 0, ...whole, extra_content: { google: { thought_signature: GEMINI_SIGNATURE } } });
      }
      const rest = form === "empty-ids" ? { id: "", type: "function" } : {};
      const restName = form === "empty-ids" ? { name: "" } : {};
      const half = Math.ceil(json.length / 2);
      const pieces = [json.slice(0, half), json.slice(half)].map((piece) =>
        delta({ index, ...rest, function: { ...restName, arguments: piece } }),
      );
      return delta({ index, ...whole, function: { name, arguments: "" } }) + pieces.join("");
    })
    .join("");
}

function usageOf(dialect: Dialect, { input, cached, written, output, reasoning }: WireTokens) {
  const { cachedTokens, countsReasoning, namesReasoning } = dialect;
  return {
    prompt_tokens: input,
    completion_tokens: countsReasoning ? output : output - reasoning,
    total_tokens: input + output,
    ...(cachedTokens === "prompt_tokens_details" && {
      prompt_tokens_details: {
        cached_tokens: cached,
        audio_tokens: 0,
        ...(written !== undefined && { cache_write_tokens: written }),
      },
    }),
    ...(cachedTokens === "prompt_cache_hit_tokens" && {
      prompt_cache_hit_tokens: cached,
      prompt_cache_miss_tokens: input - cached,
    }),
    ...(cachedTokens === "cached_tokens" && { cached_tokens: cached }),
    ...(namesReasoning && {
      completion_tokens_details: {
        reasoning_tokens: reasoning,
        audio_tokens: 0,
        accepted_prediction_tokens: 0,
        rejected_prediction_tokens: 0,
      },
    }),
  };
}

/** A server that leaves reasoning out of `completion_tokens` charges it in addition: by its count, or as the rest. */
function chargesOf({ countsReasoning }: Dialect, usage: ReturnType<typeof usageOf>): Charges {
  const { prompt_tokens, completion_tokens, total_tokens, prompt_tokens_details: details } = usage;
  const cacheRead = details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cached_tokens ?? 0;
  const cacheWrite = details?.cache_write_tokens ?? 0;
  const reasoning = usage.completion_tokens_details?.reasoning_tokens;
  const uncounted = countsReasoning ? 0 : (reasoning ?? total_tokens - prompt_tokens - completion_tokens);
  return {
    input: usage.prompt_cache_miss_tokens ?? prompt_tokens - cacheRead - cacheWrite,
    cacheRead,
    cacheWrite,
    output: completion_tokens + uncounted,
    reasoning: reasoning ?? 0,
  };
}

function finishChunks(dialect: Dialect, reason: WireEnd, usage: object): string {
  const endReasons = {
    complete: "stop",
    length: "length",
    refused: dialect.refusedReason,
    calls: dialect.callsReason,
  };
  const last = { index: 0, delta: dialect.lastDelta, finish_reason: endReasons[reason] };
  if (dialect.usage === "within-choice") return chunk([{ ...last, usage }]);
  if (dialect.usage === "last-choice") return chunk([last], { usage });
  if (dialect.usage === "x_groq") return chunk([last], { x_groq: { id: "req_scripted", usage } });
  return chunk([last]) + chunk([], { usage });
}

function readMessage({ tool_calls, tool_call_id, ...message }: WireMessage) {
  const calls = tool_calls?.map(({ id, function: { name, arguments: json } }) => ({ id, name, arguments: json }));
  return { ...toPromptMessage(message), ...(calls && { calls }), ...(tool_call_id && { callId: tool_call_id }) };
}

/** Gemini requires back the signatures of the calls after the last question. */
function problemOfSignatures({ calls: form }: Dialect, messages: readonly WireMessage[]): string | undefined {
  if (form !== "index-0") return undefined;
  const loop = messages.slice(messages.findLastIndex(({ role }) => role === "user") + 1);
  const isUnsigned = ({ tool_calls }: WireMessage) =>
    tool_calls !== undefined && !JSON.stringify(tool_calls).includes(GEMINI_SIGNATURE);
  return loop.some(isUnsigned) ? "Function call is missing a thought_signature." : undefined;
}

/** Chat completions as a server sends them. The chunks name a dated model, as OpenAI answers to an alias. */
function chatWire(dialect: Dialect): Wire {
  const isGoogle = dialect.errors === "google";
  const errorAnswer = isGoogle ? googleErrorAnswer : openAiErrorAnswer;
  const errorEvent = (failure: WireFailure) =>
    isGoogle ? googleErrorAnswer(failure).body : JSON.stringify({ error: openAiErrors[failure][1] });
  return {
    endpoint: "/chat/completions",
    readPrompt: ({ messages = [] }) => ({
      system: textOf(messages.find(({ role }) => role === "system")?.content),
      messages: messages.filter(({ role }) => role !== "system").map(readMessage),
    }),
    refuse: (body) => {
      const { messages = [], tools } = body;
      const problem =
        problemOfTools(tools) ?? problemOfCalls(messages.map(readMessage)) ?? problemOfSignatures(dialect, messages);
      return problem === undefined ? refuseChatCompletion(body) : fieldRefusal(null, "messages", problem);
    },
    encodeAnswer: (_model, tokens = DEFAULT_TOKENS) => {
      const usage = usageOf(dialect, tokens);
      return {
        charges: chargesOf(dialect, usage),
        start: () => deltaChunk({ role: "assistant", content: "", refusal: null }),
        ...deltasOf(dialect),
        calls: (calls) => callDeltas(dialect, calls),
        // As OpenRouter sends them.
        picture: (url) =>
          deltaChunk({ role: "assistant", content: "", images: [{ type: "image_url", image_url: { url }, index: 0 }] }),
        ping: () => ": ping\n\n",
        finish: (reason) => finishChunks(dialect, reason, usage),
        endMark: () => "data: [DONE]\n\n",
        errorEvent: (failure) => `data: ${errorEvent(failure)}\n\n`,
      };
    },
    errorAnswer,
  };
}

/** OpenAI's chat completions, with the reasoning that OpenAI itself does not send as most imitators do. */
export const openAiChatWire: Wire = chatWire(dialects.openai);

const wires = new Map(
  chatDialects.map((name) => [name, name === "openai" ? openAiChatWire : chatWire(dialects[name])]),
);

/** Returns chat completions as one of their imitators sends them. */
export function chatDialectWire(dialect: ChatDialect): Wire {
  return wires.get(dialect) ?? openAiChatWire;
}

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
