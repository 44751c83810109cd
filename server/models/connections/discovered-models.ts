import { SECOND } from "#contract/limits.ts";
import type { ModelFacts } from "#contract/models/model-facts.ts";
import { withTimeout } from "../../concurrency/with-timeout.ts";
import type { CatalogueModel } from "../catalogue.ts";
import type { ProviderConnection } from "../providers/provider-connection.ts";
import type { ConnectionSettings } from "./connection-settings.ts";
import { builtInFacts } from "./discovery/built-in-facts.ts";
import { listModels, type ModelList } from "./discovery/list-models.ts";
import { serverAt } from "./discovery/server-name.ts";
import { type DiscoveredModel, entryOf } from "./model-entry.ts";
import { isOffered } from "./offered-models.ts";

const FRESH_MS = 60 * SECOND;
/** Time after which an unreachable server is asked again. */
const RETRY_MS = 5 * SECOND;
/** Time that a caller waits for a list. */
const WAIT_MS = 2 * SECOND;
/** Time for a list, which may be long and its server far away. */
const TIMEOUT_MS = 10 * SECOND;

const NO_PICTURES: ModelFacts = { images: false };

export type Now = () => number;

/** State of a list, as in `listStates` of the contract, and why the last request failed. */
export type ListState = { state: "unknown" | "there" | "none" | "away"; at?: number; error?: unknown };

export type DiscoveredModelsDeps = {
  now: Now;
  /** Time that a caller waits for a list. */
  waitMs?: number | undefined;
  /** Is called with the models of each list, and again when their facts are known. */
  onList?: ((models: readonly DiscoveredModel[]) => void) | undefined;
  /** Is called with facts of one model that a call has shown. */
  onFacts?: ((name: string, facts: ModelFacts) => void) | undefined;
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
  #list: ModelList | undefined;
  /** Models of the last list, in its order. */
  #listed: ReadonlyMap<string, ModelFacts> = new Map();
  readonly #described = new Map<string, ModelFacts>();
  #entries: readonly CatalogueModel[] = [];
  #byValue: ReadonlyMap<string, CatalogueModel> = new Map();
  /** Names of models whose server has refused a picture as such. */
  readonly #withoutPictures = new Set<string>();
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
    if (this.#state !== "there" && this.#asking) await withTimeout(this.#asking, this.#deps.waitMs ?? WAIT_MS);
    return this.#current;
  }

  /** Requests the list now, and waits for it up to ten seconds. */
  async refresh(): Promise<ListState> {
    await this.#asking;
    await this.#ask();
    return this.state;
  }

  /** Requests the list now if the server seemed not to answer: another call has shown that it does. */
  async recheck(): Promise<void> {
    if (this.isAway) await withTimeout(this.refresh(), this.#deps.waitMs ?? WAIT_MS);
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

  /** Whether the server does not answer now. One without a list may have any model. */
  get isAway(): boolean {
    return this.#state === "away" || this.#state === "unknown";
  }

  /**
   * Reads the facts of a model again that only a server with the model in memory knows: its window at Ollama, LM Studio and
   * a router of llama.cpp. Call it after the first reply of a model whose window is assumed. Never throws.
   */
  async refreshFacts(name: string): Promise<void> {
    await this.#list?.refresh?.(name, (of, facts) => this.#addFacts(of, facts));
    this.#deps.onList?.(this.all());
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
      facts: { ...stored.get(name)?.facts, ...this.#refusedFacts(name), ...facts, ...this.#described.get(name) },
      isListed: true,
    }));
    const others = [...stored.values()].filter(({ name }) => !this.#listed.has(name));
    return [...listed, ...others.map((model) => this.#unlisted(model))];
  }

  /** Notes that the server has refused a picture for a model of which it does not report whether it sees pictures. */
  notePictureRefusal(name: string): void {
    if (this.#withoutPictures.has(name)) return;
    this.#withoutPictures.add(name);
    this.#rebuild();
    this.#deps.onFacts?.(name, NO_PICTURES);
  }

  #refusedFacts(name: string): ModelFacts {
    return this.#withoutPictures.has(name) ? NO_PICTURES : {};
  }

  #unlisted(model: DiscoveredModel): DiscoveredModel {
    return { ...model, facts: { ...model.facts, ...this.#refusedFacts(model.name) }, isListed: false };
  }

  get #current(): readonly CatalogueModel[] {
    return this.isAway ? [] : this.#entries;
  }

  #renew(): void {
    const age = this.#deps.now() - this.#askedAt;
    if (this.#asking || age < (this.#state === "away" ? RETRY_MS : FRESH_MS)) return;
    void this.#ask();
  }

  #ask(): Promise<void> {
    this.#askedAt = this.#deps.now();
    this.#asking = this.#read().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #read(): Promise<void> {
    try {
      const list = await listModels(this.#connection, { kind: this.#settings.kind, timeoutMs: TIMEOUT_MS });
      this.#list = list;
      // A proxy has no list while its server starts.
      if (list.state === "there") this.#listed = new Map(list.models.map(({ name, facts }) => [name, facts]));
      this.#state = list.state;
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
  async #describe(list: ModelList): Promise<void> {
    if (!list.describe || this.#isDescribing) return;
    this.#isDescribing = true;
    for (const name of this.#described.keys()) if (!this.#listed.has(name)) this.#described.delete(name);
    const unknown = [...this.#listed.keys()].filter((name) => !this.#described.has(name));
    await list.describe(unknown, (name, facts) => this.#addFacts(name, facts));
    this.#isDescribing = false;
    this.#deps.onList?.(this.all());
  }

  #addFacts(name: string, facts: ModelFacts): void {
    this.#described.set(name, { ...this.#described.get(name), ...facts });
    this.#rebuild();
  }

  #rebuild(): void {
    const { slug, kind, settings } = this.#settings;
    const server = serverAt(kind, this.#connection.url(""));
    const form = server === "anthropic" ? "adaptive" : "effort";
    const assumedTokens = settings?.unknownContextTokens ?? undefined;
    this.#entries = this.all()
      .filter((model) => isOffered(settings, model))
      .map((model) => {
        const known = builtInFacts(server, model.name);
        const { label } = model.facts;
        // Built-in limits are below the provider's for the sake of prices and rate limits.
        const facts = known ? { label } : model.facts;
        return entryOf(slug, { ...model, facts }, { known, form, assumedTokens });
      });
    this.#byValue = new Map(this.#entries.map((entry) => [entry.value, entry]));
  }
}
