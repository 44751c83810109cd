import { SECOND } from "#contract/limits.ts";
import { type Effort, efforts } from "#contract/models/effort.ts";
import type { ModelFacts } from "#contract/models/model-facts.ts";
import { countField, field, isRecord, textField } from "../../../text/wire-json.ts";
import type { ProviderConnection } from "../../providers/provider-connection.ts";
import { LIST_MAX_CHARS, readJson } from "../../providers/provider-json.ts";
import { type FactsByName, requiredList, validFacts } from "./facts.ts";
import { purposeOf } from "./purposes.ts";

/** Passes on facts of a model, which complete the earlier ones. */
export type OnFacts = (name: string, facts: ModelFacts) => void;

/** Time for each document. */
const TIMEOUT_MS = 2 * SECOND;
const MAX_DESCRIBED = 200;
/** Requests at the same time. */
const CONCURRENCY = 4;

/** Returns a path beside OpenAI's API, which a base URL may end with. */
export function pathBeside(connection: ProviderConnection, path: string): string {
  return /\/v1\/*$/.test(connection.url("").pathname) ? `../${path}` : path;
}

/** Reads the names of the models that Ollama has. */
export async function listOllama(connection: ProviderConnection, timeoutMs: number): Promise<unknown[]> {
  const path = pathBeside(connection, "api/tags");
  const document = await readJson(connection, { path, timeoutMs, maxChars: LIST_MAX_CHARS });
  const models = requiredList(field(document, "models")).filter(isRecord);
  return models.map((model) => ({ ...model, id: textField(model, "model") || textField(model, "name") }));
}

/** Reads the facts of models from Ollama, with the windows of all models that it has loaded. Never throws. */
export async function describeOllama(
  connection: ProviderConnection,
  names: readonly string[],
  onFacts: OnFacts,
): Promise<void> {
  const loaded = await loadedWindows(connection);
  for (const [name, contextTokens] of loaded) if (!names.includes(name)) onFacts(name, { contextTokens });
  await forEach(names, async (name) => {
    const path = pathBeside(connection, "api/show");
    const facts = ollamaFacts(name, await readJson(connection, { path, body: { model: name }, timeoutMs: TIMEOUT_MS }));
    const contextTokens = loaded.get(name) ?? facts.contextTokens;
    onFacts(name, { ...facts, ...(contextTokens !== undefined && { contextTokens }) });
  });
}

/** Whether a model of Ollama is called at its makers' servers, which charge for it. */
export function isOllamaCloud(name: string, entry: unknown): boolean {
  return /[-:]cloud$/.test(name) || textField(entry, "remote_host") !== "";
}

async function loadedWindows(connection: ProviderConnection): Promise<Map<string, number>> {
  const path = pathBeside(connection, "api/ps");
  const document = await readJson(connection, { path, timeoutMs: TIMEOUT_MS }).catch(() => undefined);
  const models = field(document, "models");
  const list = Array.isArray(models) ? models : [];
  return new Map(
    list.flatMap((model): [string, number][] => {
      const { contextTokens } = validFacts({ contextTokens: countField(model, "context_length") });
      const name = textField(model, "model") || textField(model, "name");
      return contextTokens === undefined ? [] : [[name, contextTokens]];
    }),
  );
}

function ollamaFacts(name: string, model: unknown): ModelFacts {
  const capabilities = field(model, "capabilities");
  if (!Array.isArray(capabilities)) return {};
  const has = (capability: string) => capabilities.includes(capability);
  // The window of a model's training is not that of the running server, unless the model's own settings set it.
  const window = /^num_ctx\s+(\d{1,9})$/m.exec(textField(model, "parameters"))?.[1];
  const facts = validFacts({
    images: has("vision"),
    audio: has("audio"),
    tools: has("tools"),
    reasoning: has("thinking"),
    efforts: has("thinking") ? ollamaEfforts(model) : [],
    contextTokens: window === undefined ? undefined : Number(window),
  });
  return { ...facts, purpose: purposeOf(name, model) };
}

/** Reads the values of Ollama's setting `think`. Without them, gpt-oss has named efforts, and others are on or off. */
function ollamaEfforts(model: unknown): Effort[] {
  const reported = field(field(model, "thinking"), "values");
  const isGptOss = textField(field(model, "details"), "family") === "gptoss";
  const values: unknown[] = Array.isArray(reported) ? reported : isGptOss ? ["low", "medium", "high"] : [false, true];
  // `medium` is also the name of reasoning that is on.
  return efforts.filter(
    (effort) =>
      values.includes(effort) ||
      (effort === "off" && values.includes(false)) ||
      (effort === "medium" && values.includes(true)),
  );
}

/**
 * Reads the facts of the models of LM Studio, from the first version of its own API or else the second. The window of a
 * model that is not loaded is unknown.
 */
export async function readLmStudio(connection: ProviderConnection, timeLeft: () => number): Promise<FactsByName> {
  const read = async (version: string) =>
    readJson(connection, {
      path: pathBeside(connection, `api/${version}/models`),
      timeoutMs: timeLeft(),
      maxChars: LIST_MAX_CHARS,
    });
  const data = field(await read("v0").catch(() => undefined), "data");
  const list = requiredList(Array.isArray(data) ? data : field(await read("v1"), "models"));
  return new Map(
    list.map((model) => {
      const name = textField(model, "id") || textField(model, "key");
      return [name, { ...lmStudioFacts(model), purpose: purposeOf(name, model) }];
    }),
  );
}

function lmStudioFacts(model: unknown): ModelFacts {
  const capabilities = field(model, "capabilities");
  const instances = field(model, "loaded_instances");
  const [instance] = Array.isArray(instances) ? instances : [];
  const hasVision = field(capabilities, "vision");
  const tools = field(capabilities, "trained_for_tool_use");
  return validFacts({
    label: textField(model, "display_name"),
    images: typeof hasVision === "boolean" ? hasVision : textField(model, "type") === "vlm",
    tools:
      typeof tools === "boolean" ? tools : Array.isArray(capabilities) ? capabilities.includes("tool_use") : undefined,
    contextTokens:
      countField(model, "loaded_context_length") ?? countField(field(instance, "config"), "context_length"),
  });
}

/** Reads the facts of models from llama.cpp. A router is asked for loaded ones only, and loads none. Never throws. */
export async function describeLlamaCpp(
  connection: ProviderConnection,
  list: readonly unknown[],
  names: readonly string[],
  onFacts: OnFacts,
): Promise<void> {
  const isRouter = list.some((entry) => field(entry, "status") !== undefined);
  const path = pathBeside(connection, "props");
  await forEach(names, async (name) => {
    const query = isRouter ? { model: name, autoload: "false" } : undefined;
    const props = await readJson(connection, { path, timeoutMs: TIMEOUT_MS, ...(query && { query }) });
    onFacts(name, llamaCppFacts(props));
  });
}

function llamaCppFacts(props: unknown): ModelFacts {
  const modalities = field(props, "modalities");
  return validFacts({
    contextTokens: countField(field(props, "default_generation_settings"), "n_ctx"),
    images: field(modalities, "vision") === true,
    audio: field(modalities, "audio") === true,
    tools: field(field(props, "chat_template_caps"), "supports_tools") === true,
  });
}

/** Whether a router of llama.cpp has not loaded a model, so that it knows little of it. */
export function isUnloaded(entry: unknown): boolean {
  const status = textField(field(entry, "status"), "value");
  return status !== "" && status !== "loaded";
}

/** Reads facts of models with few requests at the same time. A model whose facts cannot be read has none. */
async function forEach(names: readonly string[], read: (name: string) => Promise<void>): Promise<void> {
  const waiting = names.slice(0, MAX_DESCRIBED).values();
  const readWaiting = async () => {
    for (const name of waiting) await read(name).catch(() => undefined);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, readWaiting));
}
