/** Servers of models that owners often connect. A template fills the form of a new connection, and nothing else. */

import type { ConnectionKind } from "./connections.ts";

/** Advice below the form, worded in the texts of the browser. */
export type TemplateHint = "own-machine" | "ollama" | "azure" | "many-models" | "any";

/** Part of an address that the owner replaces. */
export const ADDRESS_BLANK = "YOUR-RESOURCE";

export type ConnectionTemplate = {
  id: string;
  /** Proper name, the same in all languages; absent of the template for any other server. */
  name?: string;
  kind: ConnectionKind;
  /** May contain {@link ADDRESS_BLANK}; empty: the owner enters the whole address. */
  baseUrl: string;
  key: "required" | "optional" | "none";
  /** Page on which a key is created. */
  keyPage?: string;
  hint?: TemplateHint;
};

const hosted = (template: Omit<ConnectionTemplate, "kind" | "key">): ConnectionTemplate => ({
  kind: "openai",
  key: "required",
  ...template,
});

const own = (template: Omit<ConnectionTemplate, "kind" | "key">): ConnectionTemplate => ({
  kind: "openai",
  key: "optional",
  hint: "own-machine",
  ...template,
});

/** In the order in which they are offered: servers without a key first. Addresses are those of the vendors' documentation. */
export const connectionTemplates: readonly ConnectionTemplate[] = [
  { id: "ollama", name: "Ollama", kind: "ollama", baseUrl: "http://127.0.0.1:11434/v1", key: "none", hint: "ollama" },
  {
    id: "openai",
    name: "OpenAI",
    kind: "openai",
    baseUrl: "https://api.openai.com/v1",
    key: "required",
    keyPage: "https://platform.openai.com/api-keys",
  },
  {
    id: "anthropic",
    name: "Anthropic",
    kind: "anthropic",
    baseUrl: "https://api.anthropic.com/v1",
    key: "required",
    keyPage: "https://console.anthropic.com/settings/keys",
  },
  hosted({
    id: "gemini",
    name: "Google Gemini",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
    keyPage: "https://aistudio.google.com/apikey",
  }),
  hosted({
    id: "mistral",
    name: "Mistral",
    baseUrl: "https://api.mistral.ai/v1",
    keyPage: "https://console.mistral.ai/api-keys",
  }),
  hosted({
    id: "openrouter",
    name: "OpenRouter",
    baseUrl: "https://openrouter.ai/api/v1",
    keyPage: "https://openrouter.ai/settings/keys",
    hint: "many-models",
  }),
  {
    id: "azure",
    name: "Azure OpenAI",
    kind: "azure",
    baseUrl: `https://${ADDRESS_BLANK}.openai.azure.com/openai/v1`,
    key: "required",
    keyPage: "https://portal.azure.com",
    hint: "azure",
  },
  hosted({
    id: "deepseek",
    name: "DeepSeek",
    baseUrl: "https://api.deepseek.com/v1",
    keyPage: "https://platform.deepseek.com/api_keys",
  }),
  hosted({ id: "xai", name: "xAI", baseUrl: "https://api.x.ai/v1", keyPage: "https://console.x.ai" }),
  hosted({
    id: "groq",
    name: "Groq",
    baseUrl: "https://api.groq.com/openai/v1",
    keyPage: "https://console.groq.com/keys",
  }),
  hosted({
    id: "together",
    name: "Together",
    baseUrl: "https://api.together.xyz/v1",
    keyPage: "https://api.together.ai/settings/api-keys",
    hint: "many-models",
  }),
  own({ id: "lm-studio", name: "LM Studio", baseUrl: "http://127.0.0.1:1234/v1" }),
  own({ id: "llama-cpp", name: "llama.cpp", baseUrl: "http://127.0.0.1:8080/v1" }),
  own({ id: "vllm", name: "vLLM", baseUrl: "http://127.0.0.1:8000/v1" }),
  own({ id: "litellm", name: "LiteLLM", baseUrl: "http://127.0.0.1:4000/v1" }),
  { id: "other", kind: "openai", baseUrl: "", key: "optional", hint: "any" },
];
