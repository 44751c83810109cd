import { SECOND } from "#contract/limits.ts";
import type { ModelFacts } from "#contract/models/model-facts.ts";
import type { CatalogueModel } from "../catalogue.ts";
import type { ProviderConnection } from "../providers/provider-connection.ts";
import { readJson } from "../providers/provider-json.ts";
import { countField, field, textField } from "../providers/wire-json.ts";
import type { ConnectionSettings } from "./connection-settings.ts";
import { describeModels, serverOf } from "./local-capabilities.ts";
import { type DiscoveredModel, entryOf } from "./model-entry.ts";
import { isOffered } from "./offered-models.ts";

const FRESH_MS = 60 * SECOND;
/** Time after which an unreachable server is asked again. */
const RETRY_MS = 5 * SECOND;
const TIMEOUT_MS = 2 * SECOND;
/** Time for a list that an owner asks for. */
const ASKED_TIMEOUT_MS = 10 * SECOND;
const MAX_MODELS = 2000;

export type Now = () => number;

/** State of a list. `unknown`: not requested yet. `there`: the server has answered. `away`: it does not answer. */
export type ListState = { state: "unknown" | "there" | "away"; at?: number; error?: unknown };

export type DiscoveredModelsDeps = {
  now: Now;
  timeoutMs?: number | undefined;
  /** Is called with the models of each list, and again when their facts are known. */
  onList?: ((models: readonly DiscoveredModel[]) => void) | undefined;
};

/**
 * Cache of the models that a server lists. A cached list is returned at once and refreshed in the background
 * (stale-while-revalidate). An unreachable server has no models to call, and is asked again later. The facts of models that the
 * server reports are read once each, behind the list: no caller waits for them.
 */
export class DiscoveredModels {
  readonly #connection: ProviderConnection;
  readonly #deps: DiscoveredModelsDeps;
  #settings: ConnectionSettings;
  /** Models of the last list, in its order. */
  #listed: ReadonlyMap<string, ModelFacts> = new Map();
  readonly #described = new Map<string, ModelFacts>();
  #entries: readonly CatalogueModel[] = [];
  #byValue: ReadonlyMap<string, CatalogueModel> = new Map();
  #isDescribing = false;
  #state: ListState["state"] = "unknown";
  #error: unknown;
  #listedAt: number | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;

  constructor(connection: ProviderConnection, settings: ConnectionSettings, deps: DiscoveredModelsDeps) {
    this.#connection = connection;
    this.#deps = deps;
    this.#settings = settings;
    const stored = (settings.models ?? []).filter(({ isListed }) => isListed !== false);
    if (stored.length > 0) {
      this.#listed = new Map(stored.map(({ name, facts }) => [name, facts]));
      this.#state = "there";
    }
    this.#rebuild();
  }

  /** Replaces what an owner has entered about the models. */
  configure(settings: ConnectionSettings): void {
    this.#settings = settings;
    this.#rebuild();
  }

  /** Returns the cached list, and refreshes it in the background if it is stale. */
  known(): readonly CatalogueModel[] {
    this.#renew();
    return this.#current;
  }

  /** Returns the list. Waits for the server, up to two seconds, if no list is cached. */
  async list(): Promise<readonly CatalogueModel[]> {
    this.#renew();
    if (this.#state !== "there") await this.#asking;
    return this.#current;
  }

  /** Requests the list now, and waits for it up to ten seconds. */
  async refresh(): Promise<ListState> {
    await this.#asking;
    await this.#ask(ASKED_TIMEOUT_MS);
    return this.state;
  }

  /** Returns the models of the last request that succeeded: those of an unreachable server may be the same still. */
  get lastKnown(): readonly CatalogueModel[] {
    return this.#entries;
  }

  /** Returns a model of {@link lastKnown}. */
  find(value: string): CatalogueModel | undefined {
    return this.#byValue.get(value);
  }

  /** Whether the last request succeeded. A model that is not in the list then does not exist. */
  get isThere(): boolean {
    return this.#state === "there";
  }

  get state(): ListState {
    const at = this.#listedAt;
    return {
      state: this.#state,
      ...(at !== undefined && { at }),
      ...(this.#state === "away" && { error: this.#error }),
    };
  }

  /** Returns all models, also those that are not offered, with what an owner has entered. */
  all(): DiscoveredModel[] {
    const stored = new Map((this.#settings.models ?? []).map((model) => [model.name, model]));
    const listed = [...this.#listed].map(([name, facts]) => ({
      ...stored.get(name),
      name,
      facts: { ...stored.get(name)?.facts, ...facts, ...this.#described.get(name) },
      isListed: true,
    }));
    const others = [...stored.values()].filter(({ name }) => !this.#listed.has(name));
    return [...listed, ...others.map((model) => ({ ...model, isListed: false }))];
  }

  get #current(): readonly CatalogueModel[] {
    return this.#state === "there" ? this.#entries : [];
  }

  #renew(): void {
    const age = this.#deps.now() - this.#askedAt;
    if (this.#asking || age < (this.#state === "away" ? RETRY_MS : FRESH_MS)) return;
    void this.#ask(this.#deps.timeoutMs ?? TIMEOUT_MS);
  }

  #ask(timeoutMs: number): Promise<void> {
    this.#askedAt = this.#deps.now();
    this.#asking = this.#read(timeoutMs).finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #read(timeoutMs: number): Promise<void> {
    try {
      const list = field(await readJson(this.#connection, { path: "models", timeoutMs }), "data");
      if (!Array.isArray(list)) throw new Error("That is no list of models");
      this.#listed = readModels(list);
      this.#state = "there";
      this.#listedAt = this.#deps.now();
      this.#rebuild();
      void this.#describe(list);
      this.#deps.onList?.(this.all());
    } catch (error) {
      this.#state = "away";
      this.#error = error;
    }
  }

  /** Reads the facts of the models whose facts are not known yet. */
  async #describe(list: readonly unknown[]): Promise<void> {
    const server = serverOf(list);
    if (!server || this.#isDescribing) return;
    this.#isDescribing = true;
    for (const name of this.#described.keys()) if (!this.#listed.has(name)) this.#described.delete(name);
    const unknown = [...this.#listed.keys()].filter((name) => !this.#described.has(name));
    await describeModels(this.#connection, server, unknown, (name, facts) => {
      this.#described.set(name, facts);
      this.#rebuild();
    });
    this.#isDescribing = false;
    if (unknown.length > 0) this.#deps.onList?.(this.all());
  }

  #rebuild(): void {
    const { slug, settings } = this.#settings;
    const assumedTokens = settings?.unknownContextTokens ?? undefined;
    this.#entries = this.all()
      .filter((model) => isOffered(settings, model))
      .map((model) => entryOf(slug, model, { assumedTokens }));
    this.#byValue = new Map(this.#entries.map((entry) => [entry.value, entry]));
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
