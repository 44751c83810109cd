import { SECOND } from "#contract/limits.ts";
import { AbortScope } from "../concurrency/abort-scope.ts";
import type { CatalogueModel } from "./catalogue.ts";
import type { ProviderConnection } from "./providers/provider-connection.ts";
import { countField, field, parseJson, textField } from "./providers/wire-json.ts";

const FRESH_MS = 60 * SECOND;
/** How soon a server that was away is asked again. */
const RETRY_MS = 5 * SECOND;
const TIMEOUT_MS = 2 * SECOND;
const MAX_BODY_CHARS = 1024 * 1024;
const MAX_MODELS = 500;

/** Few servers tell their window; Ollama and others have a modest one unless told otherwise. */
const DEFAULT_CONTEXT_TOKENS = 16_384;
const MAX_OUTPUT_TOKENS = 8192;

export type Now = () => number;

/**
 * The models that a local server has. A known list is given at once and renewed in the background; a server that is
 * away has none, and is asked again.
 */
export class LocalModels {
  readonly #connection: ProviderConnection;
  readonly #now: Now;
  readonly #timeoutMs: number;
  #models: CatalogueModel[] = [];
  #state: "unknown" | "there" | "away" = "unknown";
  #askedAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;

  constructor(connection: ProviderConnection, now: Now, timeoutMs = TIMEOUT_MS) {
    this.#connection = connection;
    this.#now = now;
    this.#timeoutMs = timeoutMs;
  }

  /** What is known without asking; asks in the background where that is old. */
  known(): CatalogueModel[] {
    this.#renew();
    return this.#models;
  }

  /** The list, waited for up to two seconds where none is known. */
  async list(): Promise<CatalogueModel[]> {
    this.#renew();
    if (this.#state !== "there") await this.#asking;
    return this.#models;
  }

  /** Whether the server has answered lately: what is not in its list then does not exist. */
  get isThere(): boolean {
    return this.#state === "there";
  }

  #renew(): void {
    const age = this.#now() - this.#askedAt;
    if (this.#asking || age < (this.#state === "away" ? RETRY_MS : FRESH_MS)) return;
    this.#askedAt = this.#now();
    this.#asking = this.#ask().finally(() => {
      this.#asking = undefined;
    });
  }

  async #ask(): Promise<void> {
    try {
      this.#models = await askForModels(this.#connection, this.#timeoutMs);
      this.#state = "there";
    } catch {
      this.#models = [];
      this.#state = "away";
    }
  }
}

async function askForModels(connection: ProviderConnection, timeoutMs: number): Promise<CatalogueModel[]> {
  using scope = new AbortScope({ ms: timeoutMs });
  const tooLate = scope.signal;
  // A connection that hangs while it opens does not see the signal.
  const lateness = new Promise<never>((_, reject) => {
    tooLate.addEventListener("abort", () => reject(tooLate.reason));
  });
  return readModels(parseJson(await Promise.race([fetchList(connection, tooLate), lateness])));
}

async function fetchList(connection: ProviderConnection, signal: AbortSignal): Promise<string> {
  const url = connection.url("models");
  const dispatcher = await connection.dispatcher();
  const { statusCode, body } = await dispatcher.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: "GET",
    headers: {
      accept: "application/json",
      ...(connection.apiKey !== undefined && { authorization: `Bearer ${connection.apiKey}` }),
    },
    signal,
  });
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_BODY_CHARS) throw new Error("The list of models is too long");
  }
  if (statusCode !== 200) throw new Error(`The list of models came with status ${statusCode}`);
  return text;
}

function readModels(body: unknown): CatalogueModel[] {
  const data = field(body, "data");
  if (!Array.isArray(data)) throw new Error("That is no list of models");
  const byName = new Map<string, CatalogueModel>();
  for (const entry of data.slice(0, MAX_MODELS)) {
    const name = textField(entry, "id").trim();
    if (name === "" || name.length > 190) continue;
    const contextTokens = contextTokensOf(entry);
    const maxOutputTokens = Math.min(MAX_OUTPUT_TOKENS, Math.floor(contextTokens / 4));
    byName.set(name, { label: name, value: `LOCAL:${name}`, contextTokens, maxOutputTokens });
  }
  return [...byName.values()];
}

/** vLLM, several gateways and llama.cpp tell the window, each in its own place. */
function contextTokensOf(entry: unknown): number {
  const tokens =
    countField(entry, "max_model_len") ??
    countField(entry, "context_length") ??
    countField(entry, "context_window") ??
    countField(field(entry, "meta"), "n_ctx") ??
    DEFAULT_CONTEXT_TOKENS;
  return tokens >= 512 ? tokens : DEFAULT_CONTEXT_TOKENS;
}
