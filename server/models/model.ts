import type { Role } from "#contract/conversation.ts";
import type { Price } from "./prices.ts";

export type ProviderName = "openai" | "anthropic" | "local" | "demo";

/**
 * Input of a model: literal texts, oldest first. An `assistant` message at the end is to be continued.
 * `temperature`: 0 to 2; by default the model's own.
 */
export type Prompt = { system: string; messages: PromptMessage[]; temperature?: number };
export type PromptMessage = { role: Role; content: string };

/**
 * Regular end of a reply. `length`: the token limit was reached, and the reply may be continued. `refused`: the model
 * or the provider refused to answer. `usage`: the provider's own token counts.
 */
export type ModelEnd = {
  reason: "complete" | "length" | "refused";
  usage?: { inputTokens?: number; outputTokens?: number };
};

/**
 * Receives a reply while it is streamed. Plain callbacks, because an async iterator costs several times the CPU per
 * word. `onLife`: bytes of any kind have arrived (pings and reasoning too); called before their text. `onText`: a piece
 * of the reply, never empty.
 */
export type ModelSink = { onText(text: string): void; onLife(): void };

export interface Model {
  /** As in the catalogue, e.g. `GPT:gpt-5-mini`. */
  readonly value: string;
  readonly provider: ProviderName;
  /** Context window: limit of tokens of prompt and reply together. */
  readonly contextTokens: number;
  /** Limit of tokens of a reply, for which a prompt leaves room. */
  readonly maxOutputTokens: number;
  /** Undefined if the price is unknown. */
  readonly price?: Price | undefined;
  /**
   * Makes exactly one call to the provider: no retries, and no timeout of its own once connected. Aborting closes the
   * provider's connection at once and rejects with the signal's reason. A caller's timeout aborts with
   * `new ModelError("assistant-stalled")`, so that it counts against the provider.
   * @throws ModelError
   */
  stream(prompt: Prompt, sink: ModelSink, signal: AbortSignal): Promise<ModelEnd>;
}
