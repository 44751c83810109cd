import { SECOND } from "#contract/limits.ts";
import type { ModelFacts } from "#contract/models/model-facts.ts";
import type { CatalogueModel } from "../catalogue.ts";
import type { ProviderConnection } from "../providers/provider-connection.ts";
import { readJson } from "../providers/provider-json.ts";
import { countField, field, textField } from "../providers/wire-json.ts";
import { describeModels, serverOf } from "./local-capabilities.ts";
import { entryOf } from "./model-entry.ts";

const FRESH_MS = 60 * SECOND;
/** Time after which an unreachable server is asked again. */
const RETRY_MS = 5 * SECOND;
const TIMEOUT_MS = 2 * SECOND;
const MAX_MODELS = 2000;

export type Now = () => number;

type DiscoveredModelsSettings = { slug: string; now: Now; timeoutMs?: number | undefined };

/**
 * Cache of the models that a server lists. A cached list is returned at once and refreshed in the background
 * (stale-while-revalidate). An unreachable server has no models to call, and is asked again later. The facts of models that the
 * server reports are read once each, behind the list: no caller waits for them.
 */
export class DiscoveredModels {
  readonly #connection: ProviderConnection;
  readonly #slug: string;
  readonly #now: Now;
  readonly #timeoutMs: number;
  #names: readonly string[] = [];
  #models: CatalogueModel[] = [];
  #lastKnown: CatalogueModel[] = [];
  #listedFacts = new Map<string, ModelFacts>();
  readonly #describedFacts = new Map<string, ModelFacts>();
  #isDescribing = false;
  #state: "unknown" | "there" | "away" = "unknown";
  #askedAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;

  constructor(connection: ProviderConnection, { slug, now, timeoutMs = TIMEOUT_MS }: DiscoveredModelsSettings) {
    this.#connection = connection;
    this.#slug = slug;
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
      this.#listedFacts = readModels(list);
      this.#names = [...this.#listedFacts.keys()];
      this.#models = this.#entries();
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
    for (const name of this.#describedFacts.keys()) if (!this.#listedFacts.has(name)) this.#describedFacts.delete(name);
    const unknown = this.#names.filter((name) => !this.#describedFacts.has(name));
    await describeModels(this.#connection, server, unknown, (name, facts) => {
      this.#describedFacts.set(name, facts);
      if (this.#state === "there") this.#models = this.#entries();
    });
    this.#isDescribing = false;
  }

  #entries(): CatalogueModel[] {
    return this.#names.map((name) => {
      const facts = { ...this.#listedFacts.get(name), ...this.#describedFacts.get(name) };
      return entryOf(this.#slug, { name, facts });
    });
  }
}

function readModels(list: readonly unknown[]): Map<string, ModelFacts> {
  const byName = new Map<string, ModelFacts>();
  for (const entry of list.slice(0, MAX_MODELS)) {
    const name = textField(entry, "id").trim();
    if (name === "" || name.length > 190) continue;
    const contextTokens = contextTokensOf(entry);
    byName.set(name, { ...(contextTokens !== undefined && { contextTokens }) });
  }
  return byName;
}

/** Reads the context window, which vLLM, several gateways and llama.cpp report in different fields. */
function contextTokensOf(entry: unknown): number | undefined {
  return (
    countField(entry, "max_model_len") ??
    countField(entry, "context_length") ??
    countField(entry, "context_window") ??
    countField(field(entry, "meta"), "n_ctx")
  );
}
