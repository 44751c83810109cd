import type { MessageContent, SentFile } from "./content-parts.ts";

/** Reason for which a streamed answer ends. */
export type WireEnd = "complete" | "length" | "refused" | "calls";

/** Reason for which a provider refuses a request or breaks off an answer. */
export type WireFailure = "server" | "wrong-key" | "unknown-model" | "too-long" | "rate-limited" | "overloaded";

/**
 * Token counts of an answer. Shares are included: `cached` and `written` (to a cache) in `input`, `reasoning` in
 * `output`. `written` absent: 0; where a server may leave the count out, it does.
 */
export type WireTokens = { input: number; cached: number; written?: number; output: number; reasoning: number };

/**
 * Tokens that a provider charges for an answer. Each token is in one count, except that `reasoning` is a share of
 * `output`, and 0 if the provider does not name it.
 */
export type Charges = { input: number; cacheRead: number; cacheWrite: number; output: number; reasoning: number };

export const DEFAULT_TOKENS: WireTokens = { input: 21, cached: 0, output: 12, reasoning: 0 };

/** Status and JSON body of an answer that fails before its stream begins. */
export type ErrorAnswer = { status: number; body: string };

/** A call of a tool. `arguments`: JSON as it is sent. */
export type WireCall = { id: string; name: string; arguments: string };

/** A call as a request has it; `callId`: of a result, whose role is `tool`. Absent if there are none. */
export type PromptMessage = {
  role: string;
  content: string;
  files?: SentFile[];
  calls?: WireCall[];
  callId?: string;
};

/** System prompt and messages of a request. `messages` never holds the system prompt. */
export type WirePrompt = { system: string; messages: PromptMessage[] };

/** Message of a chat completion, or of Anthropic's. */
export type WireMessage = {
  role: string;
  content: MessageContent;
  tool_calls?: { id: string; type: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
  [name: string]: unknown;
};

/** Message of OpenAI's Responses API; or, without a role, one of its other items. */
export type InputItem = {
  role: string;
  phase?: string;
  content: MessageContent;
  type?: string;
  id?: string;
  call_id?: string;
  name?: string;
  arguments?: string;
  output?: string;
  encrypted_content?: string;
};

/** Parsed JSON body of a request, in any wire format. */
export type RequestBody = {
  model?: string;
  system?: string;
  messages?: WireMessage[];
  /** System prompt, messages and reasoning of OpenAI's Responses API. */
  instructions?: string;
  input?: string | InputItem[];
  reasoning?: { effort?: string; summary?: string };
  stream_options?: Record<string, unknown>;
  [name: string]: unknown;
};

/**
 * A wire format of LLM providers: reads requests and encodes answers. Answers contain every field of the real API,
 * including those that Parley ignores.
 */
export interface Wire {
  /** Last segments of the path of its endpoint, such as `/chat/completions`. */
  readonly endpoint: string;
  readPrompt(body: RequestBody): WirePrompt;
  /** Returns the answer to a request that the real API refuses because of its fields; `undefined` for a valid one. */
  refuse?(body: RequestBody): ErrorAnswer | undefined;
  /** Returns an encoder for one answer of `model`, by default with `DEFAULT_TOKENS`. */
  encodeAnswer(model: string, tokens?: WireTokens): AnswerEncoder;
  errorAnswer(failure: WireFailure): ErrorAnswer;
}

/** Encodes one streamed answer. Each method returns the bytes of one or more server-sent events. */
export interface AnswerEncoder {
  /** By the counts that `finish` or `endMark` sends, as the provider's documentation reads them. */
  readonly charges: Charges;
  /** The events that precede the first word. */
  start(): string;
  text(piece: string): string;
  reasoning(piece: string): string;
  /** Calls of tools, after the text; `finish` has the reason `calls`. */
  calls(calls: readonly WireCall[]): string;
  /** A picture as a data URL. Absent: the format has none in answers. */
  picture?(url: string): string;
  ping(): string;
  /** End reason and token counts, without the end mark. */
  finish(reason: WireEnd): string;
  /** The last event of a stream. */
  endMark(): string;
  /** An error in the middle of a stream. */
  errorEvent(failure: WireFailure): string;
}
