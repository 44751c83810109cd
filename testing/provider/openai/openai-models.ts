import { onTestFinished } from "vitest";
import type { Effort } from "#contract/models/effort.ts";
import type { Model } from "../../../server/models/model.ts";
import { OpenAiCompatibleModel } from "../../../server/models/providers/openai-compatible.ts";
import { OpenAiResponsesModel } from "../../../server/models/providers/openai-responses.ts";
import { ProviderConnection } from "../../../server/models/providers/provider-connection.ts";
import { Outbound } from "../../../server/outbound/outbound.ts";

export type OpenAiApi = "chat-completions" | "responses";
type Facts = {
  name?: string;
  efforts?: readonly Effort[];
  takesTemperature?: boolean;
  returnsReasoning?: boolean;
  labelsAnswers?: boolean;
};

/** Opens a model by one of OpenAI's APIs. Its connections are closed at the end of the test. */
export function openAiModel(api: OpenAiApi, baseUrl: string, facts: Facts = {}): Model {
  const { name = "gpt-5-mini", takesTemperature = false } = facts;
  const connection = new ProviderConnection({ baseUrl, apiKey: "sk-openai-canary" }, { outbound: new Outbound() });
  onTestFinished(() => connection[Symbol.asyncDispose]());
  const limits = { contextTokens: 300_000, maxOutputTokens: 32_768 };
  const settings = { value: `GPT:${name}`, provider: "openai", ...limits, ...facts, name, takesTemperature } as const;
  return api === "responses"
    ? new OpenAiResponsesModel({ ...settings, connection })
    : new OpenAiCompatibleModel({ ...settings, connection, sendsMaxCompletionTokens: true });
}
