/** Reason for which a streamed answer ends. */
export type WireEnd = "complete" | "length" | "refused";

/** Reason for which a provider refuses a request or breaks off an answer. */
export type WireFailure = "server" | "wrong-key" | "unknown-model" | "too-long" | "rate-limited" | "overloaded";

export type PromptMessage = { role: string; content: string };

/** System prompt and messages of a request. `messages` never holds the system prompt. */
export type WirePrompt = { system: string; messages: PromptMessage[] };

/** Parsed JSON body of a request, in any wire format. */
export type RequestBody = {
  model?: string;
  system?: string;
  messages?: PromptMessage[];
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
  /** Returns an encoder for one answer of `model`. */
  encodeAnswer(model: string): AnswerEncoder;
  /** Returns status and JSON body of an answer that fails before its stream begins. */
  errorAnswer(failure: WireFailure): { status: number; body: string };
}

/** Encodes one streamed answer. Each method returns the bytes of one or more server-sent events. */
export interface AnswerEncoder {
  /** The events that precede the first word. */
  start(): string;
  text(piece: string): string;
  reasoning(piece: string): string;
  ping(): string;
  /** End reason and token counts, without the end mark. */
  finish(reason: WireEnd): string;
  /** The last event of a stream. */
  endMark(): string;
  /** An error in the middle of a stream. */
  errorEvent(failure: WireFailure): string;
}
