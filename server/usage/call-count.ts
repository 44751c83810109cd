import type { Model, ModelEnd, ModelSink, Prompt } from "../models/model.ts";
import { ModelError } from "../models/model-error.ts";
import type { Price } from "../models/prices.ts";
import { approximateTokens, promptTokens, tokensOfBytes } from "../models/prompt-window.ts";

/** What a call to a provider came to. Tokens are the provider's own count, else (`isEstimate`) ours. */
export type CallCount = {
  model: string;
  /** None: nothing is known of it. */
  inputTokens: number | null;
  outputTokens: number;
  isEstimate: boolean;
  /** In 1e-9 US dollars; none where the model has no price. */
  costNanoUsd: number | null;
  /** None: its process was gone at its end. */
  durationMs: number | null;
};

/** The same model, its calls counted: `onCount` is told once of each, at its end, however it ended. */
export function counted(model: Model, onCount: (count: CallCount) => void): Model {
  const { value, provider, contextTokens, maxOutputTokens, price } = model;
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
      const end = await model.stream(prompt, { onText, onLife: () => sink.onLife() }, signal);
      note(tokensOf(prompt, tokensOfBytes(bytes), end.usage));
      return end;
    } catch (error) {
      note(bytes === 0 && isRefusal(error, signal) ? nothing : tokensOf(prompt, tokensOfBytes(bytes)));
      throw error;
    }
  };
  return { value, provider, contextTokens, maxOutputTokens, price, stream };
}

/** What is known of a call whose process died: the text that it left behind. */
export function estimateCall(model: { value: string; price: Price | undefined }, prompt: Prompt, text: string) {
  const tokens = tokensOf(prompt, approximateTokens(text));
  return { model: model.value, ...tokens, costNanoUsd: costOf(tokens, model.price), durationMs: null };
}

type Tokens = Pick<CallCount, "inputTokens" | "outputTokens" | "isEstimate">;

/** A call that a provider turned away, or that never got to it. */
const nothing: Tokens = { inputTokens: null, outputTokens: 0, isEstimate: true };

/** One that the provider took and we ended, by Stop or a time limit, has its prompt to be paid. */
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

/** A price is for a million tokens: a dollar of it is 1000 nano-dollars for one. */
function costOf({ inputTokens, outputTokens }: Tokens, price: Price | undefined): number | null {
  if (!price) return null;
  const cost = Math.round(((inputTokens ?? 0) * price.input + outputTokens * price.output) * 1000);
  return Math.min(cost, Number.MAX_SAFE_INTEGER);
}
