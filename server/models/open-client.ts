import { type Api, CACHE_MIN_TOKENS, type CatalogueModel, parseModelValue } from "./catalogue.ts";
import { isOpenAiItself } from "./connections/connection-settings.ts";
import type { DiscoveredModels } from "./connections/discovered-models.ts";
import type { OpenConnection } from "./connections/open-connection.ts";
import { type Model, withStream } from "./model.ts";
import type { Caller } from "./model-access.ts";
import { ModelError } from "./model-error.ts";
import type { Price } from "./prices.ts";
import { AnthropicModel } from "./providers/anthropic.ts";
import { OpenAiCompatibleModel } from "./providers/openai-compatible.ts";
import { OpenAiResponsesModel } from "./providers/openai-responses.ts";
import type { ProviderConnection } from "./providers/provider-connection.ts";

/** Returns the API of the models of a connection whose entries name none. */
export function apiOf({ provider, settings }: Pick<OpenConnection, "provider" | "settings">): Api {
  if (provider === "anthropic") return "messages";
  const chosen = settings.settings?.api;
  if (chosen) return chosen;
  // Gateways and imitators may have chat completions only.
  return isOpenAiItself(settings.baseUrl) ? "responses" : "chat-completions";
}

/** `caller`: the account for which it is called; absent: a call without one. */
export type ClientOptions = { price: Price | undefined; caller?: Caller | undefined };

/**
 * Opens a model of a connection. After a reply of a model with an assumed window its server is asked for the window,
 * which some servers know of a model in memory only.
 */
export function openClient(entry: CatalogueModel, connection: OpenConnection, options: ClientOptions): Model {
  const client = clientOf(entry, connection, options);
  const { models, pool } = connection;
  const known = rememberingRefusals(client, pool);
  if (!models) return known;
  const model = entry.triesPictures ? tryingPictures(known, models) : known;
  if (!entry.isWindowAssumed) return model;
  return withStream(model, async (prompt, sink, signal) => {
    const end = await model.stream(prompt, sink, signal);
    void models.refreshFacts(nameOf(entry));
    return end;
  });
}

/** Remembers that a model takes no tools, so that later replies do not offer them. */
function rememberingRefusals(client: Model, { toolRefusals }: ProviderConnection): Model {
  return withStream(client, async (prompt, sink, signal) => {
    try {
      return await client.stream(prompt, sink, signal);
    } catch (error) {
      if (error instanceof ModelError && error.refusesTools) toolRefusals.add(client.value);
      throw error;
    }
  });
}

const nameOf = ({ value }: Pick<CatalogueModel, "value">) => parseModelValue(value)?.name ?? "";

/** Sends pictures to a model whose vision is unknown, until its server refuses one as such. */
function tryingPictures(client: Model, models: DiscoveredModels): Model {
  const { value, accepts } = client;
  const name = nameOf(client);
  const stream: Model["stream"] = async (prompt, sink, signal) => {
    try {
      return await client.stream(prompt, sink, signal);
    } catch (error) {
      if (error instanceof ModelError && error.refusesPictures) models.notePictureRefusal(name);
      throw error;
    }
  };
  const refuses = () => models.find(value)?.images === false;
  return {
    ...withStream(client, stream),
    accepts: accepts && {
      ...{ pdf: accepts.pdf, limits: accepts.limits },
      get images() {
        return !refuses();
      },
      get refusesPictures() {
        return refuses();
      },
    },
  };
}

/** Creates the client of a model's API. */
function clientOf(entry: CatalogueModel, connection: OpenConnection, { price, caller }: ClientOptions): Model {
  const { value, contextTokens, maxOutputTokens, takesTemperature = true, efforts, images, pdf, tools } = entry;
  const { reasoning = "none", returnsReasoning = true, imageOutput } = entry;
  const { provider, pool } = connection;
  const target = { name: parseModelValue(value)?.name ?? "", provider, connection: pool };
  const facts = { value, contextTokens, maxOutputTokens, price, takesTemperature, efforts, images, pdf, tools };
  const settings = { ...target, ...facts, caller };
  switch (entry.api ?? apiOf(connection)) {
    case "messages": {
      const { prefill = false, cacheMinTokens = CACHE_MIN_TOKENS } = entry;
      return new AnthropicModel({ ...settings, prefill, reasoning, returnsReasoning, cacheMinTokens });
    }
    case "responses":
      return new OpenAiResponsesModel({ ...settings, returnsReasoning, labelsAnswers: entry.labelsAnswers });
    case "chat-completions":
      return new OpenAiCompatibleModel({ ...settings, sendsMaxCompletionTokens: provider === "openai", imageOutput });
  }
}
