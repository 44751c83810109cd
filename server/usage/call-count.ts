import type { PromptTokens } from "../models/attachments/prompt-files.ts";
import {
  type Model,
  type ModelEnd,
  type ModelSink,
  outputLimit,
  type Prompt,
  type TokenUsage,
  withStream,
} from "../models/model.ts";
import { ModelError } from "../models/model-error.ts";
import { mostBrokenOutput, mostPromptTokens } from "../models/most-tokens.ts";
import { likelyPromptTokens, likelyTokens, likelyTokensOfBytes } from "../models/prompt-window.ts";
import { costOf, mostCost, noShares, sharesOf, type TokenShares } from "./token-cost.ts";

/** Usage of one call to a provider. Tokens are the provider's count, or our estimate (`isEstimate`). */
export type CallCount = TokenShares & {
  model: string;
  /** Null if unknown. */
  inputTokens: number | null;
  outputTokens: number;
  isEstimate: boolean;
  /** In 1e-9 US dollars; null if the model has no price. Of an estimate, the most that the call can have cost. */
  costNanoUsd: number | null;
  /** Null if the process died before the end. */
  durationMs: number | null;
  /** Unix time in ms; undefined if only its end is known. */
  begunAt?: number | undefined;
  /** Scopes of the budgets in which money was reserved for it. */
  budgets?: readonly string[] | undefined;
};

/** A picture is charged as output: as 1,290 tokens by Gemini 2.5 Flash Image, which a text of this length has too. */
const PICTURE_BYTES = 5 * 1024;

/** Wraps a model so that `onCount` is called once at the end of each call, whatever its outcome. */
export function counted(model: Model, onCount: (count: CallCount) => void): Model {
  const { value } = model;
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
      onTakeBack: () => sink.onTakeBack(),
      onCall: (name) => {
        bytes += Buffer.byteLength(name);
        sink.onCall(name);
      },
      onPicture: (picture) => {
        bytes += PICTURE_BYTES;
        sink.onPicture(picture);
      },
      onLife: () => sink.onLife(),
      onSources: (sources) => sink.onSources?.(sources),
    };
    const note = (count: Tokens & Pick<CallCount, "costNanoUsd">) => {
      const durationMs = Math.round(performance.now() - begunAt);
      onCount({ model: value, ...count, durationMs });
    };
    try {
      const end = await model.stream(prompt, counting, signal);
      for (const call of end.tools?.calls ?? []) bytes += Buffer.byteLength(call.arguments);
      note(countOf({ model, prompt, bytes, isBroken: false }, end.usage));
      return end;
    } catch (error) {
      note(bytes === 0 && isRefusal(error, signal) ? nothing : countOf({ model, prompt, bytes, isBroken: true }));
      throw error;
    }
  };
  return withStream(model, stream);
}

/** `bytes`: of text and reasoning that have arrived. `isBroken`: before the end of the answer. */
type Ended = { model: Model; prompt: Prompt; bytes: number; isBroken: boolean };

/** Estimates only what the provider has not counted, because an estimate reads the whole prompt. */
function countOf({ model, prompt, bytes, isBroken }: Ended, usage: TokenUsage = {}) {
  const sent = usage.inputTokens ?? likelyPromptTokens(prompt);
  const tokens = tokensOf(sent, likelyTokensOfBytes(bytes), usage);
  const { price } = model;
  if (!price || !tokens.isEstimate) return { ...tokens, costNanoUsd: costOf(tokens, price) };
  const most = usage.inputTokens === undefined ? mostPromptTokens(prompt) : { most: usage.inputTokens };
  const limit = outputLimit(model, prompt);
  const isUnseen = isBroken || model.efforts !== undefined;
  const received = isUnseen ? mostBrokenOutput(model, bytes, limit) : { most: Math.min(bytes, limit) };
  const output = usage.outputTokens === undefined ? received : { most: usage.outputTokens };
  return { ...tokens, costNanoUsd: mostCost(price, most, output) };
}

/** `sent`: tokens of the prompt of a call whose process died; `text`: that it has stored of the answer. */
export type DeadCall = {
  model: Pick<Model, "value" | "price" | "maxOutputTokens"> & { efforts?: Model["efforts"] };
  sent: PromptTokens;
  text: string;
};

/** Estimates a call whose process died. Its cost is the most that it can be. */
export function estimateCall({ model, sent, text }: DeadCall): CallCount {
  const { value, price, maxOutputTokens } = model;
  const received = mostBrokenOutput(model, Buffer.byteLength(text), maxOutputTokens);
  const costNanoUsd = price ? mostCost(price, sent, received) : null;
  return { model: value, ...tokensOf(sent.likely, likelyTokens(text)), costNanoUsd, durationMs: null };
}

type Tokens = TokenShares & Pick<CallCount, "inputTokens" | "outputTokens" | "isEstimate">;

/** A call that the provider refused, or that never reached it. */
const nothing = { inputTokens: null, outputTokens: 0, ...noShares, isEstimate: true, costNanoUsd: 0 };

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
