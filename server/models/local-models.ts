import { SECOND } from "#contract/limits.ts";
import type { CatalogueModel } from "./catalogue.ts";
import { describeModels, type LocalFacts, serverOf } from "./local-capabilities.ts";
import type { Model } from "./model.ts";
import { ModelError } from "./model-error.ts";
import type { ProviderConnection } from "./providers/provider-connection.ts";
import { readJson } from "./providers/provider-json.ts";
import { countField, field, textField } from "./providers/wire-json.ts";

const FRESH_MS = 60 * SECOND;
/** Time after which an unreachable server is asked again. */
const RETRY_MS = 5 * SECOND;
const TIMEOUT_MS = 2 * SECOND;
const MAX_MODELS = 500;

/**
 * Default context window. Few servers report theirs; Ollama and others have a small one unless configured otherwise.
 */
const DEFAULT_CONTEXT_TOKENS = 16_384;
const MAX_OUTPUT_TOKENS = 8192;

export type Now = () => number;

/**
 * Cache of the models of a local server. A cached list is returned at once and refreshed in the background
 * (stale-while-revalidate). An unreachable server has no models to call, and is asked again later. The facts of models that the
 * server reports are read once each, behind the list: no caller waits for them.
 */
export class LocalModels {
  readonly #connection: ProviderConnection;
  readonly #now: Now;
  readonly #timeoutMs: number;
  #models: CatalogueModel[] = [];
  #lastKnown: CatalogueModel[] = [];
  readonly #facts = new Map<string, LocalFacts>();
  #isDescribing = false;
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

  /** Returns the models of the last request that succeeded: those of an unreachable server may be the same still. */
  get lastKnown(): readonly CatalogueModel[] {
    return this.#state === "there" ? this.#models : this.#lastKnown;
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
      const list = field(await readJson(this.#connection, { path: "models", timeoutMs: this.#timeoutMs }), "data");
      if (!Array.isArray(list)) throw new Error("That is no list of models");
      this.#models = readModels(list).map((model) => this.#withFacts(model));
      this.#state = "there";
      void this.#describe(list);
    } catch {
      this.#lastKnown = this.lastKnown.slice();
      this.#models = [];
      this.#state = "away";
    }
  }

  /** Reads the facts of the models whose facts are not known yet. */
  async #describe(list: readonly unknown[]): Promise<void> {
    const server = serverOf(list);
    if (!server || this.#isDescribing) return;
    this.#isDescribing = true;
    const listed = new Set(this.#models.map(({ label }) => label));
    for (const name of this.#facts.keys()) if (!listed.has(name)) this.#facts.delete(name);
    const unknown = [...listed].filter((name) => !this.#facts.has(name));
    await describeModels(this.#connection, server, unknown, (name, facts) => {
      this.#facts.set(name, facts);
      this.#models = this.#models.map((model) => (model.label === name ? this.#withFacts(model) : model));
    });
    this.#isDescribing = false;
  }

  #withFacts(model: CatalogueModel): CatalogueModel {
    const { contextTokens = model.contextTokens, ...facts } = this.#facts.get(model.label) ?? {};
    return { ...model, ...facts, ...windowOf(contextTokens) };
  }
}

function readModels(list: readonly unknown[]): CatalogueModel[] {
  const byName = new Map<string, CatalogueModel>();
  for (const entry of list.slice(0, MAX_MODELS)) {
    const name = textField(entry, "id").trim();
    if (name === "" || name.length > 190) continue;
    byName.set(name, { label: name, value: `LOCAL:${name}`, ...windowOf(contextTokensOf(entry)) });
  }
  return [...byName.values()];
}

/** Reads the context window, which vLLM, several gateways and llama.cpp report in different fields. */
function contextTokensOf(entry: unknown): number {
  return (
    countField(entry, "max_model_len") ??
    countField(entry, "context_length") ??
    countField(entry, "context_window") ??
    countField(field(entry, "meta"), "n_ctx") ??
    DEFAULT_CONTEXT_TOKENS
  );
}

/** Returns the limits of a model with a window. A window that cannot be true is replaced by the default one. */
function windowOf(reportedTokens: number): Pick<CatalogueModel, "contextTokens" | "maxOutputTokens"> {
  const contextTokens = reportedTokens >= 512 ? reportedTokens : DEFAULT_CONTEXT_TOKENS;
  return { contextTokens, maxOutputTokens: Math.min(MAX_OUTPUT_TOKENS, Math.floor(contextTokens / 4)) };
}

/**
 * Defaults for a model of an unreachable local server. Its value is arbitrary user input, so metrics use this label.
 */
export const unlisted = { label: "LOCAL:unlisted", contextTokens: 16_384, maxOutputTokens: 4096 };

/** Placeholder for the models of an unreachable local server, if no other provider is configured. */
export const absentLocalServer: Model = {
  value: "LOCAL:unknown",
  provider: "local",
  contextTokens: 16_384,
  maxOutputTokens: 4096,
  stream: () => Promise.reject(new ModelError("assistant-unreachable")),
};
