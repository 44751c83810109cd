import { openAiErrorAnswer, openAiErrors } from "./openai-errors.ts";
import { refuseChatCompletion } from "./openai-limits.ts";
import { type AnswerEncoder, DEFAULT_TOKENS, type Wire, type WireEnd, type WireTokens } from "./wire.ts";

const CREATED = 1_760_000_000;
const endReasons = { complete: "stop", length: "length", refused: "content_filter" } as const;

/** Differences between the servers that imitate OpenAI's chat completions. */
type Dialect = {
  /** Field of a delta, or form of its content, in which reasoning is sent. */
  reasoning: "reasoning_content" | "reasoning" | "content-array" | "think-tag";
  /** Position of the token counts. `own-chunk`: a chunk without choices after the last choice. */
  usage: "own-chunk" | "last-choice" | "within-choice" | "x_groq";
  cachedTokens: "prompt_tokens_details" | "prompt_cache_hit_tokens" | "cached_tokens";
  /** Whether `completion_tokens` include reasoning. */
  countsReasoning: boolean;
};

const plain: Dialect = {
  reasoning: "reasoning_content",
  usage: "own-chunk",
  cachedTokens: "prompt_tokens_details",
  countsReasoning: true,
};

const dialects = {
  openai: plain,
  deepseek: { ...plain, usage: "last-choice", cachedTokens: "prompt_cache_hit_tokens" },
  groq: { ...plain, reasoning: "reasoning", usage: "x_groq" },
  /** Also vLLM. */
  ollama: { ...plain, reasoning: "reasoning" },
  kimi: { ...plain, usage: "within-choice", cachedTokens: "cached_tokens" },
  mistral: { ...plain, reasoning: "content-array", usage: "last-choice" },
  xai: { ...plain, countsReasoning: false },
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

/** Encodes deltas of text and reasoning. A tag stays open from the first reasoning to the next text. */
function deltasOf({ reasoning: form }: Dialect): Pick<AnswerEncoder, "text" | "reasoning"> {
  let isTagOpen = false;
  const plainText = (piece: string) => deltaChunk({ content: piece });
  if (form === "content-array") {
    const thinking = (text: string) => [{ type: "thinking", thinking: [{ type: "text", text }] }];
    return { text: plainText, reasoning: (piece) => deltaChunk({ content: thinking(piece) }) };
  }
  if (form !== "think-tag") return { text: plainText, reasoning: (piece) => deltaChunk({ [form]: piece }) };
  return {
    text: (piece) => {
      const close = isTagOpen ? "\n</think>\n\n" : "";
      isTagOpen = false;
      return plainText(close + piece);
    },
    reasoning: (piece) => {
      const open = isTagOpen ? "" : "<think>\n";
      isTagOpen = true;
      return plainText(open + piece);
    },
  };
}

function usageOf({ cachedTokens, countsReasoning }: Dialect, { input, cached, output, reasoning }: WireTokens): object {
  const details = cachedTokens === "prompt_tokens_details";
  return {
    prompt_tokens: input,
    completion_tokens: countsReasoning ? output : output - reasoning,
    total_tokens: input + output,
    ...(details ? { prompt_tokens_details: { cached_tokens: cached, audio_tokens: 0 } } : { [cachedTokens]: cached }),
    completion_tokens_details: {
      reasoning_tokens: reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

function finishChunks(dialect: Dialect, reason: WireEnd, tokens: WireTokens): string {
  const usage = usageOf(dialect, tokens);
  const last = { index: 0, delta: {}, finish_reason: endReasons[reason] };
  if (dialect.usage === "within-choice") return chunk([{ ...last, usage }]);
  if (dialect.usage === "last-choice") return chunk([last], { usage });
  if (dialect.usage === "x_groq") return chunk([last], { x_groq: { id: "req_scripted", usage } });
  return chunk([last]) + chunk([], { usage });
}

/** Chat completions as a server sends them. The chunks name a dated model, as OpenAI answers to an alias. */
function chatWire(dialect: Dialect): Wire {
  return {
    endpoint: "/chat/completions",
    readPrompt: ({ messages = [] }) => ({
      system: messages.find(({ role }) => role === "system")?.content ?? "",
      messages: messages.filter(({ role }) => role !== "system"),
    }),
    refuse: refuseChatCompletion,
    encodeAnswer: (_model, tokens = DEFAULT_TOKENS) => ({
      start: () => deltaChunk({ role: "assistant", content: "", refusal: null }),
      ...deltasOf(dialect),
      ping: () => ": ping\n\n",
      finish: (reason) => finishChunks(dialect, reason, tokens),
      endMark: () => "data: [DONE]\n\n",
      errorEvent: (failure) => `data: ${JSON.stringify({ error: openAiErrors[failure][1] })}\n\n`,
    }),
    errorAnswer: openAiErrorAnswer,
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
