import type { ModelFacts } from "#contract/models/model-facts.ts";
import { countField, field, textField } from "../../../text/wire-json.ts";
import type { ProviderConnection } from "../../providers/provider-connection.ts";
import { type JsonRequest, LIST_MAX_CHARS, readJson } from "../../providers/provider-json.ts";
import {
  effortsNamed,
  type FactsByName,
  factsOfEntry,
  priceFrom,
  requiredList,
  textList,
  validFacts,
} from "./facts.ts";
import { purposeOf } from "./purposes.ts";

/** Limit of a list in pages; more than any API needs for its models. */
const MAX_PAGES = 20;
/** xAI's prices are in US cents per 100 million tokens. */
const XAI_UNIT = 1e-10;

type TimeLeft = () => number;
type PageReader = (query: Record<string, string>) => Promise<unknown>;

/** Reads the entries of Anthropic's list, page by page. */
export async function listAnthropic(connection: ProviderConnection, timeLeft: TimeLeft): Promise<unknown[]> {
  const headers = { "anthropic-version": "2023-06-01" };
  const read = pageReader(connection, { path: "models", headers }, timeLeft);
  const entries: unknown[] = [];
  let query: Record<string, string> = { limit: "1000" };
  for (let page = 0; page < MAX_PAGES; page++) {
    const document = await read(query);
    entries.push(...requiredList(field(document, "data")));
    const last = textField(document, "last_id");
    if (field(document, "has_more") !== true || last === "") break;
    query = { ...query, after_id: last };
  }
  return entries;
}

/** Reads Anthropic's limits and capabilities. The efforts are those of adaptive reasoning. */
export function anthropicFacts(entry: unknown): ModelFacts {
  const capabilities = field(entry, "capabilities");
  const can = (name: string, of = capabilities): boolean | undefined => {
    const supported = field(field(of, name), "supported");
    return typeof supported === "boolean" ? supported : undefined;
  };
  const effort = field(capabilities, "effort");
  const levels = ["low", "medium", "high", "xhigh", "max"].filter((level) => can(level, effort) === true);
  const isAdaptive = can("adaptive", field(field(capabilities, "thinking"), "types")) === true;
  return validFacts({
    ...factsOfEntry(entry),
    contextTokens: countField(entry, "max_input_tokens"),
    maxOutputTokens: countField(entry, "max_tokens"),
    images: can("image_input"),
    pdf: can("pdf_input"),
    reasoning: can("thinking"),
    efforts: isAdaptive ? effortsNamed(levels) : [],
  });
}

/**
 * Reads the deployments of Azure, which alone can be called, with the models behind them. Current versions of its API
 * have no list of them, so that the result may be empty.
 */
export async function listAzure(connection: ProviderConnection, timeLeft: TimeLeft): Promise<unknown[]> {
  // The list of models refuses a wrong key. It names models that could be deployed, not deployments.
  const base = await readJson(connection, { path: "models", timeoutMs: timeLeft(), maxChars: LIST_MAX_CHARS });
  requiredList(field(base, "data"));
  const path = connection.url("").pathname.replace(/\/+$/, "").endsWith("/openai/v1")
    ? "../deployments"
    : "deployments";
  // The last version of the API that lists them.
  const query = { "api-version": "2023-03-15-preview" };
  const document = await readJson(connection, { path, query, timeoutMs: timeLeft() }).catch(() => undefined);
  const data = field(document, "data");
  if (!Array.isArray(data)) return [];
  return data.filter((deployment) => textField(deployment, "status") === "succeeded");
}

/** Reads Gemini's own list, which is beside that of its imitation of OpenAI. */
export async function readGemini(connection: ProviderConnection, timeLeft: TimeLeft): Promise<FactsByName> {
  // The key is no bearer token there.
  const request = { path: "../models", keyHeader: "x-goog-api-key" };
  const read = pageReader(connection, request, timeLeft);
  const found: FactsByName = new Map();
  let query: Record<string, string> = { pageSize: "1000" };
  for (let page = 0; page < MAX_PAGES; page++) {
    const document = await read(query);
    const models = field(document, "models");
    for (const model of Array.isArray(models) ? models : []) {
      const name = geminiName(textField(model, "name"));
      found.set(name, geminiFacts(name, model));
    }
    const pageToken = textField(document, "nextPageToken");
    if (pageToken === "") break;
    query = { ...query, pageToken };
  }
  return found;
}

/** Returns a model's name without the prefix of Google's resources, with which the imitation of OpenAI lists it. */
export const geminiName = (id: string): string => id.replace(/^models\//, "");

function geminiFacts(name: string, model: unknown): ModelFacts {
  const purpose = purposeOf(name, model);
  const isThinking = field(model, "thinking") === true;
  const facts = validFacts({
    label: textField(model, "displayName"),
    contextTokens: countField(model, "inputTokenLimit"),
    maxOutputTokens: countField(model, "outputTokenLimit"),
    reasoning: isThinking,
    // The imitation of OpenAI has these for all models that reason.
    efforts: isThinking ? ["low", "medium", "high"] : [],
    // The list does not say so, but all models of this family take pictures.
    images: purpose === undefined && name.startsWith("gemini-") ? true : undefined,
  });
  return { ...facts, purpose };
}

/** Reads xAI's list of chat models, which has their modalities and prices. */
export async function readXai(connection: ProviderConnection, timeLeft: TimeLeft): Promise<FactsByName> {
  const path = "language-models";
  const document = await readJson(connection, { path, timeoutMs: timeLeft(), maxChars: LIST_MAX_CHARS });
  const models = field(document, "models");
  return new Map(
    (Array.isArray(models) ? models : []).flatMap((model): [string, ModelFacts][] => {
      const price = priceFrom(
        {
          input: field(model, "prompt_text_token_price"),
          output: field(model, "completion_text_token_price"),
          cacheRead: field(model, "cached_prompt_text_token_price"),
          cacheWrite: undefined,
        },
        XAI_UNIT,
      );
      const id = textField(model, "id");
      const facts = { ...validFacts({ ...factsOfEntry(model), price }), purpose: purposeOf(id, model) };
      return [id, ...textList(model, "aliases")].map((name) => [name, facts]);
    }),
  );
}

/** Reads what LiteLLM knows of its models. Of several deployments of one model, the first with a kind counts. */
export async function readLiteLlm(connection: ProviderConnection, timeLeft: TimeLeft): Promise<FactsByName> {
  const path = "model/info";
  const data = field(await readJson(connection, { path, timeoutMs: timeLeft(), maxChars: LIST_MAX_CHARS }), "data");
  const found: FactsByName = new Map();
  for (const model of Array.isArray(data) ? data : []) {
    const name = textField(model, "model_name");
    const info = field(model, "model_info");
    if (found.has(name)) continue;
    const price = priceFrom({
      input: field(info, "input_cost_per_token"),
      output: field(info, "output_cost_per_token"),
      cacheRead: field(info, "cache_read_input_token_cost"),
      cacheWrite: field(info, "cache_creation_input_token_cost"),
    });
    // A price of 0 is also that of a model that LiteLLM does not know.
    const isUnknown = price?.input === 0 && price.output === 0;
    const facts = validFacts({ ...factsOfEntry(info), price: isUnknown ? undefined : price });
    found.set(name, { ...facts, purpose: purposeOf(name, info) });
  }
  return found;
}

function pageReader(
  connection: ProviderConnection,
  request: Omit<JsonRequest, "timeoutMs">,
  timeLeft: TimeLeft,
): PageReader {
  return (query) => readJson(connection, { ...request, query, timeoutMs: timeLeft(), maxChars: LIST_MAX_CHARS });
}
