import { type Api, CACHE_MIN_TOKENS, type CatalogueModel, parseModelValue } from "./catalogue.ts";
import { isOpenAiItself } from "./connections/connection-settings.ts";
import type { OpenConnection } from "./connections/open-connection.ts";
import type { Model } from "./model.ts";
import type { Price } from "./prices.ts";
import { AnthropicModel } from "./providers/anthropic.ts";
import { OpenAiCompatibleModel } from "./providers/openai-compatible.ts";
import { OpenAiResponsesModel } from "./providers/openai-responses.ts";

/** Returns the API of the models of a connection whose entries name none. */
export function apiOf({ provider, settings }: Pick<OpenConnection, "provider" | "settings">): Api {
  if (provider === "anthropic") return "messages";
  const chosen = settings.settings?.api;
  if (chosen) return chosen;
  // Gateways and imitators may have chat completions only.
  return isOpenAiItself(settings.baseUrl) ? "responses" : "chat-completions";
}

/** Creates the client of a model's API. */
export function openClient(entry: CatalogueModel, connection: OpenConnection, price: Price | undefined): Model {
  const { value, contextTokens, maxOutputTokens, takesTemperature = true, efforts, images, pdf } = entry;
  const { reasoning = "none", returnsReasoning = true } = entry;
  const { provider, pool } = connection;
  const target = { name: parseModelValue(value)?.name ?? "", provider, connection: pool };
  const settings = { ...target, value, contextTokens, maxOutputTokens, price, takesTemperature, efforts, images, pdf };
  switch (entry.api ?? apiOf(connection)) {
    case "messages": {
      const { prefill = false, cacheMinTokens = CACHE_MIN_TOKENS } = entry;
      return new AnthropicModel({ ...settings, prefill, reasoning, returnsReasoning, cacheMinTokens });
    }
    case "responses":
      return new OpenAiResponsesModel({ ...settings, returnsReasoning, labelsAnswers: entry.labelsAnswers });
    case "chat-completions":
      return new OpenAiCompatibleModel({ ...settings, sendsMaxCompletionTokens: provider === "openai" });
  }
}
