import { SECOND } from "#contract/limits.ts";
import { type Effort, efforts } from "#contract/models/effort.ts";
import type { ModelFacts } from "#contract/models/model-facts.ts";
import type { ProviderConnection } from "../providers/provider-connection.ts";
import { readJson } from "../providers/provider-json.ts";
import { countField, field, textField } from "../providers/wire-json.ts";

/** Time for each model. */
const TIMEOUT_MS = 2 * SECOND;
const MAX_MODELS = 100;

/** Server that a list of models comes from, where it reports more than their names. */
export type LocalServer = "ollama" | "llama-cpp";

/** Recognises a server by the owner that its list of models names. */
export function serverOf(list: readonly unknown[]): LocalServer | undefined {
  const owners = list.map((entry) => textField(entry, "owned_by"));
  if (owners.includes("library")) return "ollama";
  // llama.cpp describes its only model.
  return owners.length === 1 && owners[0] === "llamacpp" ? "llama-cpp" : undefined;
}

/**
 * Reads the facts of models one after the other, and passes on those of each that the server reports. Never throws.
 */
export async function describeModels(
  connection: ProviderConnection,
  server: LocalServer,
  names: readonly string[],
  onFacts: (name: string, facts: ModelFacts) => void,
): Promise<void> {
  for (const name of names.slice(0, MAX_MODELS)) {
    try {
      onFacts(name, await readFacts(connection, server, name));
    } catch {
      // A model without facts is assumed to take text only.
    }
  }
}

async function readFacts(connection: ProviderConnection, server: LocalServer, name: string): Promise<ModelFacts> {
  if (server === "llama-cpp") {
    return llamaCppFacts(await readJson(connection, { path: "../props", timeoutMs: TIMEOUT_MS }));
  }
  return ollamaFacts(await readJson(connection, { path: "../api/show", body: { model: name }, timeoutMs: TIMEOUT_MS }));
}

function ollamaFacts(model: unknown): ModelFacts {
  const capabilities = field(model, "capabilities");
  if (!Array.isArray(capabilities)) return {};
  const has = (name: string) => capabilities.includes(name);
  // The window of a model's training is not that of the running server, unless the model's own settings set it.
  const window = /^num_ctx\s+(\d{1,9})$/m.exec(textField(model, "parameters"))?.[1];
  return {
    images: has("vision"),
    audio: has("audio"),
    tools: has("tools"),
    ...(has("thinking") && { reasoning: true, efforts: ollamaEfforts(model) }),
    ...(window !== undefined && { contextTokens: Number(window) }),
  };
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

function llamaCppFacts(props: unknown): ModelFacts {
  const contextTokens = countField(field(props, "default_generation_settings"), "n_ctx");
  const modalities = field(props, "modalities");
  const tools = field(field(props, "chat_template_caps"), "supports_tools");
  return {
    images: field(modalities, "vision") === true,
    audio: field(modalities, "audio") === true,
    tools: tools === true,
    ...(contextTokens !== undefined && { contextTokens }),
  };
}
