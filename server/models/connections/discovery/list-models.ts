import { CONNECTION_MODELS_MAX, type ConnectionKind, MODEL_NAME_MAX } from "#contract/administration/connections.ts";
import { SECOND } from "#contract/limits.ts";
import type { ModelFacts } from "#contract/models/model-facts.ts";
import { field, textField } from "../../../text/wire-json.ts";
import { ModelError } from "../../model-error.ts";
import type { ProviderConnection } from "../../providers/provider-connection.ts";
import { LIST_MAX_CHARS, readJson } from "../../providers/provider-json.ts";
import type { DiscoveredModel } from "../model-entry.ts";
import { azureFacts } from "./built-in-facts.ts";
import { type FactsByName, factsOfEntry, requiredList } from "./facts.ts";
import {
  anthropicFacts,
  geminiName,
  listAnthropic,
  listAzure,
  readGemini,
  readLiteLlm,
  readXai,
} from "./hosted-servers.ts";
import {
  describeLlamaCpp,
  describeOllama,
  isOllamaCloud,
  isUnloaded,
  listOllama,
  type OnFacts,
  readLmStudio,
} from "./local-servers.ts";
import { purposeOf } from "./purposes.ts";
import { isPrivateAddress, type ServerName, serverAt, serverOf } from "./server-name.ts";

/**
 * The models that a server lists. `none`: it has no list, so that names are entered. `describe`: reads further facts of
 * models, which the server reports one by one; it never throws. `refresh`: reads the facts of one model again that a
 * reply has just loaded.
 */
export type ModelList = {
  state: "there" | "none";
  server: ServerName;
  models: readonly DiscoveredModel[];
  describe?: OneByOne;
  refresh?: (name: string, onFacts: OnFacts) => Promise<void>;
};

type OneByOne = (names: readonly string[], onFacts: OnFacts) => Promise<void>;
type ListOptions = { kind: ConnectionKind; timeoutMs: number };
type Listed = { server: ServerName; entries: readonly unknown[] };

/** Time for the facts of a model that are read again. */
const REFRESH_MS = 2 * SECOND;
/** Host of Ollama's makers, who charge for calls. */
const OLLAMA_CLOUD = "ollama.com";
const FREE = { input: 0, output: 0 };
/** Statuses of a path that does not exist. */
const ABSENT: readonly (number | undefined)[] = [404, 405, 501];

/**
 * Reads the models that the server of a connection lists, 2,000 at most, with the facts that it reports of all of them at
 * once. Recognises the server by its list or its host.
 * @param options.timeoutMs limit of all requests together
 * @throws ModelError for an unreachable or slow server, a refused key, and a document that is no list
 */
export async function listModels(connection: ProviderConnection, options: ListOptions): Promise<ModelList> {
  const endsAt = performance.now() + options.timeoutMs;
  const timeLeft = () => Math.max(1, endsAt - performance.now());
  let listed: Listed;
  try {
    listed = await listEntries(connection, options.kind, timeLeft);
  } catch (error) {
    if (!isAbsent(error)) throw error;
    return { state: "none", server: serverAt(options.kind, connection.url("")), models: [] };
  }
  const { server, entries } = listed;
  // The list is good without these facts.
  const facts = await moreFacts(connection, server, timeLeft).catch((): FactsByName => new Map());
  const models = modelsOf(connection, listed, facts);
  const hasList = server !== "azure" || models.length > 0;
  return { state: hasList ? "there" : "none", server, models, ...describers(connection, server, entries) };
}

const isAbsent = (error: unknown) => error instanceof ModelError && ABSENT.includes(error.status);

async function listEntries(
  connection: ProviderConnection,
  kind: ConnectionKind,
  timeLeft: () => number,
): Promise<Listed> {
  switch (kind) {
    case "anthropic":
      return { server: "anthropic", entries: await listAnthropic(connection, timeLeft) };
    case "azure":
      return { server: "azure", entries: await listAzure(connection, timeLeft) };
    case "ollama":
      // A proxy in front of it may pass on the compatible API only.
      return {
        server: "ollama",
        entries: await listOllama(connection, timeLeft()).catch((error: unknown) => {
          if (!isAbsent(error)) throw error;
          return listOpenAi(connection, timeLeft());
        }),
      };
    case "openai": {
      const entries = await listOpenAi(connection, timeLeft());
      return { server: serverOf(connection.url(""), entries), entries };
    }
  }
}

async function listOpenAi(connection: ProviderConnection, timeoutMs: number): Promise<unknown[]> {
  const document = await readJson(connection, { path: "models", timeoutMs, maxChars: LIST_MAX_CHARS });
  // Together's list is not in an object.
  const list = requiredList(Array.isArray(document) ? document : field(document, "data"));
  // Groq keeps models that it no longer answers with.
  return list.filter((entry) => field(entry, "active") !== false);
}

/** Reads the facts that a server reports of all models in a document beside the list. */
async function moreFacts(
  connection: ProviderConnection,
  server: ServerName,
  timeLeft: () => number,
): Promise<FactsByName> {
  switch (server) {
    case "lm-studio":
      return readLmStudio(connection, timeLeft);
    case "gemini":
      return readGemini(connection, timeLeft);
    case "xai":
      return readXai(connection, timeLeft);
    case "litellm":
      return readLiteLlm(connection, timeLeft);
    default:
      return new Map();
  }
}

function modelsOf(connection: ProviderConnection, { server, entries }: Listed, more: FactsByName): DiscoveredModel[] {
  const url = connection.url("");
  const byName = new Map<string, ModelFacts>();
  for (const entry of entries) {
    const name = textField(entry, "id").trim();
    if (name === "" || name.length > MODEL_NAME_MAX) continue;
    const facts = {
      ...entryFacts(server, entry),
      purpose: purposeOf(name, entry),
      ...more.get(server === "gemini" ? geminiName(name) : name),
    };
    byName.set(name, isFree(server, url, name, entry) ? { ...facts, price: FREE } : facts);
    if (byName.size === CONNECTION_MODELS_MAX) break;
  }
  return [...byName].map(([name, facts]) => ({ name, facts }));
}

function entryFacts(server: ServerName, entry: unknown): ModelFacts {
  if (server === "anthropic") return anthropicFacts(entry);
  return server === "azure" ? azureFacts(textField(entry, "model")) : factsOfEntry(entry);
}

/** A server of one's own costs nothing for each call. */
function isFree(server: ServerName, url: URL, name: string, entry: unknown): boolean {
  if (server === "ollama") return url.hostname !== OLLAMA_CLOUD && !isOllamaCloud(name, entry);
  if (server === "lm-studio" || server === "llama-cpp") return true;
  return server === "vllm" && isPrivateAddress(url);
}

function describers(
  connection: ProviderConnection,
  server: ServerName,
  entries: readonly unknown[],
): Pick<ModelList, "describe" | "refresh"> {
  if (server === "ollama") {
    return {
      describe: (names, onFacts) => describeOllama(connection, names, onFacts),
      refresh: (name, onFacts) => describeOllama(connection, [name], onFacts),
    };
  }
  if (server === "llama-cpp") {
    const readProps: OneByOne = (names, onFacts) => describeLlamaCpp(connection, entries, names, onFacts);
    const unloaded = new Set(entries.filter(isUnloaded).map((entry) => textField(entry, "id")));
    const isLoaded = (name: string) => !unloaded.has(name);
    return {
      describe: (names, onFacts) => readProps(names.filter(isLoaded), onFacts),
      refresh: (name, onFacts) => readProps([name], onFacts),
    };
  }
  if (server !== "lm-studio") return {};
  return {
    refresh: async (name, onFacts) => {
      const facts = await readLmStudio(connection, () => REFRESH_MS).catch(() => undefined);
      const known = facts?.get(name);
      if (known) onFacts(name, known);
    },
  };
}
