import { type Model, type ModelEnd, type ModelSink, type Prompt, withStream, withText } from "../models/model.ts";
import { ModelError } from "../models/model-error.ts";
import type { Price } from "../models/prices.ts";
import { approximateTokens, promptTokens, tokensOfBytes } from "../models/prompt-window.ts";

/** Usage of one call to a provider. Tokens are the provider's count, or our estimate (`isEstimate`). */
export type CallCount = {
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
    const onText = (text: string) => {
      bytes += Buffer.byteLength(text);
      sink.onText(text);
    };
    const note = (tokens: Tokens) => {
      const durationMs = Math.round(performance.now() - begunAt);
      onCount({ model: value, ...tokens, costNanoUsd: costOf(tokens, price), durationMs });
    };
    try {
      const end = await model.stream(prompt, withText(sink, onText), signal);
      note(tokensOf(prompt, tokensOfBytes(bytes), end.usage));
      return end;
    } catch (error) {
      note(bytes === 0 && isRefusal(error, signal) ? nothing : tokensOf(prompt, tokensOfBytes(bytes)));
      throw error;
    }
  };
  return withStream(model, stream);
}

/** Estimates a call whose process died, by the text that it stored. */
export function estimateCall(model: { value: string; price: Price | undefined }, prompt: Prompt, text: string) {
  const tokens = tokensOf(prompt, approximateTokens(text));
  return { model: model.value, ...tokens, costNanoUsd: costOf(tokens, model.price), durationMs: null };
}

type Tokens = Pick<CallCount, "inputTokens" | "outputTokens" | "isEstimate">;

/** A call that the provider refused, or that never reached it. */
const nothing: Tokens = { inputTokens: null, outputTokens: 0, isEstimate: true };

/** A call that we aborted (Stop, timeout) after the provider accepted it: its prompt is charged. */
function isRefusal(error: unknown, signal: AbortSignal): boolean {
  return !signal.aborted && error instanceof ModelError;
}

function tokensOf(prompt: Prompt, received: number, { inputTokens, outputTokens }: ModelEnd["usage"] = {}): Tokens {
  return {
    inputTokens: inputTokens ?? promptTokens(prompt),
    outputTokens: outputTokens ?? received,
    isEstimate: inputTokens === undefined || outputTokens === undefined,
  };
}

/** Prices are per million tokens: one dollar per million is 1000 nano-dollars per token. */
function costOf({ inputTokens, outputTokens }: Tokens, price: Price | undefined): number | null {
  if (!price) return null;
  const cost = Math.round(((inputTokens ?? 0) * price.input + outputTokens * price.output) * 1000);
  return Math.min(cost, Number.MAX_SAFE_INTEGER);
}
