import {
  type Model,
  type ModelEnd,
  type ModelSink,
  type Prompt,
  type TokenUsage,
  withStream,
} from "../models/model.ts";
import { ModelError } from "../models/model-error.ts";
import type { Price } from "../models/prices.ts";
import { approximateTokens, promptTokens, tokensOfBytes } from "../models/prompt-window.ts";
import { costOf, noShares, sharesOf, type TokenShares } from "./token-cost.ts";

/** Usage of one call to a provider. Tokens are the provider's count, or our estimate (`isEstimate`). */
export type CallCount = TokenShares & {
  model: string;
  /** Null if unknown. */
  inputTokens: number | null;
  outputTokens: number;
  isEstimate: boolean;
  /** In 1e-9 US dollars; null if the model has no price. */
  costNanoUsd: number | null;
  /** Null if the process died before the end. */
  durationMs: number | null;
};

/** Wraps a model so that `onCount` is called once at the end of each call, whatever its outcome. */
export function counted(model: Model, onCount: (count: CallCount) => void): Model {
  const { value, price } = model;
  const stream = async (prompt: Prompt, sink: ModelSink, signal: AbortSignal): Promise<ModelEnd> => {
    const begunAt = performance.now();
    let bytes = 0;
    const counting: ModelSink = {
      onText: (text) => {
        bytes += Buffer.byteLength(text);
        sink.onText(text);
      },
      // Reasoning is charged as output.
      onReasoning: (text) => {
        bytes += Buffer.byteLength(text);
        sink.onReasoning(text);
      },
      onLife: () => sink.onLife(),
    };
    const note = (tokens: Tokens) => {
      const durationMs = Math.round(performance.now() - begunAt);
      onCount({ model: value, ...tokens, costNanoUsd: costOf(tokens, price), durationMs });
    };
    try {
      const end = await model.stream(prompt, counting, signal);
      // Only if the provider has not counted it, because an estimate reads the whole prompt.
      const sent = end.usage?.inputTokens ?? promptTokens(prompt);
      note(tokensOf(sent, tokensOfBytes(bytes), end.usage));
      return end;
    } catch (error) {
      note(bytes === 0 && isRefusal(error, signal) ? nothing : tokensOf(promptTokens(prompt), tokensOfBytes(bytes)));
      throw error;
    }
  };
  return withStream(model, stream);
}

/** Estimates a call whose process died, by the text that it stored. @param inputTokens estimate of its prompt */
export function estimateCall(model: { value: string; price: Price | undefined }, inputTokens: number, text: string) {
  const tokens = tokensOf(inputTokens, approximateTokens(text));
  return { model: model.value, ...tokens, costNanoUsd: costOf(tokens, model.price), durationMs: null };
}

type Tokens = TokenShares & Pick<CallCount, "inputTokens" | "outputTokens" | "isEstimate">;

/** A call that the provider refused, or that never reached it. */
const nothing: Tokens = { inputTokens: null, outputTokens: 0, ...noShares, isEstimate: true };

/** A call that we aborted (Stop, timeout) after the provider accepted it: its prompt is charged. */
function isRefusal(error: unknown, signal: AbortSignal): boolean {
  return !signal.aborted && error instanceof ModelError;
}

/** @param sent estimate of the prompt's tokens; `received`: of the answer's */
function tokensOf(sent: number, received: number, usage: TokenUsage = {}): Tokens {
  const { inputTokens = sent, outputTokens = received } = usage;
  return {
    inputTokens,
    outputTokens,
    ...sharesOf(usage, inputTokens, outputTokens),
    isEstimate: usage.inputTokens === undefined || usage.outputTokens === undefined,
  };
}
