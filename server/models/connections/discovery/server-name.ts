import ipaddr from "ipaddr.js";
import type { ConnectionKind } from "#contract/administration/connections.ts";
import { field, textField } from "../../../text/wire-json.ts";

/** Servers whose lists of models are read in their own form. `other`: any other server with OpenAI's API. */
export type ServerName =
  | "openai"
  | "anthropic"
  | "azure"
  | "ollama"
  | "lm-studio"
  | "llama-cpp"
  | "vllm"
  | "openrouter"
  | "mistral"
  | "groq"
  | "together"
  | "gemini"
  | "deepseek"
  | "xai"
  | "litellm"
  | "other";

const HOSTS: readonly (readonly [RegExp, ServerName])[] = [
  [/(?:^|\.)api\.openai\.com$/, "openai"],
  [/(?:^|\.)openrouter\.ai$/, "openrouter"],
  [/(?:^|\.)mistral\.ai$/, "mistral"],
  [/(?:^|\.)groq\.com$/, "groq"],
  [/(?:^|\.)together\.(?:xyz|ai)$/, "together"],
  [/^generativelanguage\.googleapis\.com$/, "gemini"],
  [/(?:^|\.)deepseek\.com$/, "deepseek"],
  [/(?:^|\.)x\.ai$/, "xai"],
  [/(?:^|\.)ollama\.com$/, "ollama"],
];

/** `owned_by` of every model of a server. */
const OWNERS: Readonly<Record<string, ServerName>> = {
  library: "ollama",
  organization_owner: "lm-studio",
  llamacpp: "llama-cpp",
  vllm: "vllm",
  mistralai: "mistral",
  deepseek: "deepseek",
  xai: "xai",
};

/** LiteLLM's constant for the time at which any model was created. */
const LITELLM_CREATED = 1_677_610_602;

/** Returns the server of a connection as far as its kind and its address show. */
export function serverAt(kind: ConnectionKind, url: URL): ServerName {
  return kind === "openai" ? serverOf(url, []) : kind;
}

/** Recognises the server with OpenAI's API at an address by its list of models, else by its host. */
export function serverOf({ hostname }: URL, list: readonly unknown[]): ServerName {
  const host = HOSTS.find(([pattern]) => pattern.test(hostname))?.[1];
  // A model of OpenAI itself was created at the time of LiteLLM's constant.
  return host === "openai" ? host : (serverOfList(list) ?? host ?? "other");
}

function serverOfList(list: readonly unknown[]): ServerName | undefined {
  if (list.length === 0) return undefined;
  const all = (has: (entry: unknown) => boolean) => list.every(has);
  const owners = new Set(list.map((entry) => textField(entry, "owned_by")));
  const [owner = ""] = owners;
  if (owners.has("library")) return "ollama";
  if (owners.size === 1 && Object.hasOwn(OWNERS, owner)) return OWNERS[owner];
  if (all((entry) => field(entry, "top_provider") !== undefined)) return "openrouter";
  if (all((entry) => textField(entry, "id").startsWith("models/"))) return "gemini";
  if (all((entry) => field(entry, "created") === LITELLM_CREATED)) return "litellm";
  return undefined;
}

/** Ranges of private networks. Overlay networks use the shared address space of carriers. */
const PRIVATE: readonly string[] = ["loopback", "private", "linkLocal", "uniqueLocal", "carrierGradeNat"];

/** Whether an address is in a private network, as far as its literal form shows. No name is resolved. */
export function isPrivateAddress({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  if (ipaddr.isValid(host)) return PRIVATE.includes(ipaddr.process(host).range());
  // Names without a dot are those of containers and of machines in the same network.
  return !host.includes(".") || /\.(?:localhost|local|lan|internal|home\.arpa)$/.test(host);
}
