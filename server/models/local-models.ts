import { SECOND } from "#contract/limits.ts";
import { AbortScope } from "../concurrency/abort-scope.ts";
import type { CatalogueModel } from "./catalogue.ts";
import type { ProviderConnection } from "./providers/provider-connection.ts";
import { countField, field, parseJson, textField } from "./providers/wire-json.ts";

const FRESH_MS = 60 * SECOND;
/** Time after which an unreachable server is asked again. */
const RETRY_MS = 5 * SECOND;
const TIMEOUT_MS = 2 * SECOND;
const MAX_BODY_CHARS = 1024 * 1024;
const MAX_MODELS = 500;

/**
 * Default context window. Few servers report theirs; Ollama and others have a small one unless configured otherwise.
 */
const DEFAULT_CONTEXT_TOKENS = 16_384;
const MAX_OUTPUT_TOKENS = 8192;

export type Now = () => number;

/**
 * Cache of the models of a local server. A cached list is returned at once and refreshed in the background
 * (stale-while-revalidate). An unreachable server has no models, and is asked again later.
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

  /** Returns the cached list, and refreshes it in the background if it is stale. */
  known(): CatalogueModel[] {
    this.#renew();
    return this.#models;
  }

  /** Returns the list. Waits for the server, up to two seconds, if no list is cached. */
  async list(): Promise<CatalogueModel[]> {
    this.#renew();
    if (this.#state !== "there") await this.#asking;
    return this.#models;
  }

  /** Whether the last request succeeded. A model that is not in the list then does not exist. */
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
  // The signal has no effect on a connection that hangs while it is being opened.
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

/** Reads the context window, which vLLM, several gateways and llama.cpp report in different fields. */
function contextTokensOf(entry: unknown): number {
  const tokens =
    countField(entry, "max_model_len") ??
    countField(entry, "context_length") ??
    countField(entry, "context_window") ??
    countField(field(entry, "meta"), "n_ctx") ??
    DEFAULT_CONTEXT_TOKENS;
  return tokens >= 512 ? tokens : DEFAULT_CONTEXT_TOKENS;
}
