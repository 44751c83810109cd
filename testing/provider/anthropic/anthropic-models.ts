import { onTestFinished } from "vitest";
import { AnthropicModel } from "../../../server/models/providers/anthropic.ts";
import type { MessagesFacts } from "../../../server/models/providers/anthropic-request.ts";
import { ProviderConnection } from "../../../server/models/providers/provider-connection.ts";
import { Outbound } from "../../../server/outbound/outbound.ts";

/** A model with a budget of reasoning, which continues an answer at the end of a prompt. */
export const olderClaude: MessagesFacts = {
  name: "claude-sonnet-4-5-20250929",
  maxOutputTokens: 16_384,
  takesTemperature: true,
  prefill: true,
  reasoning: "budget",
  returnsReasoning: true,
  cacheMinTokens: 1024,
};

/** A model with adaptive reasoning. */
export const newerClaude: MessagesFacts = {
  ...olderClaude,
  name: "claude-opus-5-5",
  takesTemperature: false,
  prefill: false,
  reasoning: "adaptive",
};

/** Opens a model behind Anthropic's API. Its connections are closed at the end of the test. */
export function anthropicModel(facts: MessagesFacts, baseUrl: string): AnthropicModel {
  const connection = new ProviderConnection({ baseUrl, apiKey: "sk-ant-canary" }, { outbound: new Outbound() });
  onTestFinished(() => connection[Symbol.asyncDispose]());
  return new AnthropicModel({ ...facts, value: "CLAUDE:x", provider: "anthropic", contextTokens: 200_000, connection });
}
