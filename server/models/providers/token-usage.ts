import { countField, field, isRecord } from "../../text/wire-json.ts";
import type { TokenUsage } from "../model.ts";

/** Returns the counts that are known. A share that exceeds its whole is a provider's error, and is cut to it. */
export function usageOf(counts: { [Name in keyof TokenUsage]: number | undefined }): TokenUsage {
  const { inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens, reasoningTokens } = counts;
  return {
    ...(inputTokens !== undefined && { inputTokens }),
    ...(cachedInputTokens !== undefined && { cachedInputTokens: shareOf(inputTokens, cachedInputTokens) }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens: shareOf(inputTokens, cacheWriteTokens) }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens: shareOf(outputTokens, reasoningTokens) }),
  };
}

function shareOf(whole: number | undefined, share: number): number {
  return whole === undefined ? share : Math.min(whole, share);
}

/** Reads the token counts of a chat completion, in the forms of OpenAI and its imitators. */
export function chatCompletionUsage(usage: unknown): TokenUsage {
  if (!isRecord(usage)) return {};
  const inputTokens = countField(usage, "prompt_tokens");
  const input = field(usage, "prompt_tokens_details");
  return usageOf({
    inputTokens,
    cachedInputTokens:
      countField(input, "cached_tokens") ??
      // DeepSeek, and Kimi.
      countField(usage, "prompt_cache_hit_tokens") ??
      countField(usage, "cached_tokens"),
    cacheWriteTokens: countField(input, "cache_write_tokens"),
    outputTokens: outputTokensOf(usage, inputTokens),
    reasoningTokens: countField(field(usage, "completion_tokens_details"), "reasoning_tokens"),
  });
}

/** xAI and Gemini leave reasoning out of `completion_tokens`, but count it in `total_tokens`. */
function outputTokensOf(usage: unknown, inputTokens: number | undefined): number | undefined {
  const completionTokens = countField(usage, "completion_tokens");
  const totalTokens = countField(usage, "total_tokens");
  if (totalTokens === undefined || inputTokens === undefined) return completionTokens;
  return Math.max(completionTokens ?? 0, totalTokens - inputTokens);
}

/** Reads the token counts of a response of OpenAI's Responses API. */
export function responseUsage(usage: unknown): TokenUsage {
  const input = field(usage, "input_tokens_details");
  return usageOf({
    inputTokens: countField(usage, "input_tokens"),
    cachedInputTokens: countField(input, "cached_tokens"),
    cacheWriteTokens: countField(input, "cache_write_tokens"),
    outputTokens: countField(usage, "output_tokens"),
    reasoningTokens: countField(field(usage, "output_tokens_details"), "reasoning_tokens"),
  });
}
