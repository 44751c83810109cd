import type { Role } from "#contract/conversation.ts";
import type { Price } from "./prices.ts";

export type ProviderName = "openai" | "anthropic" | "local" | "demo";

/**
 * What a model is asked: literal texts, oldest first. An `assistant` message at the end is to be continued.
 * `temperature`: 0 to 2; without it the model's own.
 */
export type Prompt = { system: string; messages: PromptMessage[]; temperature?: number };
export type PromptMessage = { role: Role; content: string };

/**
 * How a reply ended by the model's own doing: `length` may be continued, `refused` is the model's or provider's no.
 * Tokens are the provider's own count.
 */
export type ModelEnd = {
  reason: "complete" | "length" | "refused";
  usage?: { inputTokens?: number; outputTokens?: number };
};

/**
 * Called while a reply comes. Plain callbacks: an async iterator costs several times the CPU per word.
 * `onLife`: bytes of any kind came (pings and reasoning too), told before their text; `onText`: a piece of the reply,
 * never empty.
 */
export type ModelSink = { onText(text: string): void; onLife(): void };

export interface Model {
  /** As in the catalogue, e.g. `GPT:gpt-5-mini`. */
  readonly value: string;
  readonly provider: ProviderName;
  /** Most tokens of prompt and reply together. */
  readonly contextTokens: number;
  /** Most tokens that a reply may have: what a prompt leaves free. */
  readonly maxOutputTokens: number;
  /** None: nobody knows what it costs. */
  readonly price?: Price | undefined;
  /**
   * Makes one call to the provider; never a second one, never with a time limit of its own once connected.
   * Aborting closes the provider's connection at once and rejects with the signal's reason; a caller's time limit
   * aborts with `new ModelError("assistant-stalled")`, so that it counts against the provider.
   * @throws ModelError
   */
  stream(prompt: Prompt, sink: ModelSink, signal: AbortSignal): Promise<ModelEnd>;
}
