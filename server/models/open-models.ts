import type { ModelGroup, ModelOption } from "#contract/models/models.ts";
import { Failure } from "../failure.ts";
import { Outbound } from "../outbound/outbound.ts";
import type { PromptModel } from "./attachments/prompt-files.ts";
import { type Catalogue, type CatalogueModel, isAutomatic, modelsOf, parseModelValue } from "./catalogue.ts";
import { ConnectionSet } from "./connections/connection-set.ts";
import {
  type ConnectionSettings,
  type EnvironmentAddresses,
  environmentConnections,
  LOCAL_SLUG,
  receivedBy,
  type StoredConnections,
} from "./connections/connection-settings.ts";
import type { ListState, Now } from "./connections/discovered-models.ts";
import type { OpenAiApi } from "./connections/discovery/probe-api.ts";
import type { DiscoveredModel } from "./connections/model-entry.ts";
import { optionOf } from "./connections/model-option.ts";
import type { CallHeaders, OpenConnection, OpenConnectionDeps } from "./connections/open-connection.ts";
import { CoolDowns, type NamedHealth } from "./cool-downs.ts";
import { catalogueWithFacts } from "./default-catalogue.ts";
import { DemoAssistant, type Pause } from "./demo-assistant.ts";
import type { Model, ModelChoice, WatchModel } from "./model.ts";
import { ALL_MODELS, isPermitted, type ModelAccess } from "./model-access.ts";
import { openClient } from "./open-client.ts";
import { type Price, priceOf } from "./prices.ts";
import { absentServer, unlisted } from "./unlisted-models.ts";

export type ModelSettings = EnvironmentAddresses & {
  /** Returns the current name. */
  productName: () => string;
  catalogue: Catalogue;
};

export interface Models extends AsyncDisposable {
  /**
   * Lists the models to choose from, without groups that have none left. Waits for lists of servers for two seconds at
   * most; while a server does not answer, its last models are listed as unreachable.
   */
  list(access?: ModelAccess): Promise<ModelGroup[]>;
  /**
   * Returns the model or models for the choice of a request: a value, or nothing (`auto`) for automatic choice.
   * @param access models that the account may use: others do not exist for it
   * @throws Failure `model-unknown`; `model-unavailable`, also if automatic choice has no permitted model
   */
  choose(value: string | undefined, access?: ModelAccess): Promise<ModelChoice>;
  /** Returns the price of a model, if known. */
  priceOf(value: string): Price | undefined;
  /** Returns the facts of a model that decide on its prompts, if known. */
  windowOf(value: string): PromptModel | undefined;
  /**
   * Returns a model for a test of a connection, by default the first one of automatic choice; undefined if the connection
   * has none.
   * @param id of the connection
   * @throws Failure `model-unavailable` if the connection is not configured; `model-unknown` if it has no model `value`
   */
  testTarget(id: string, value?: string): Promise<TestTarget>;
  /** Returns the health of each connection; empty if the demo assistant answers. */
  health(): NamedHealth[];
  /**
   * Replaces the stored connections, which follow those of the environment, and what owners have entered about models.
   * Running replies keep the connection with which they began.
   */
  connect(stored: StoredConnections): void;
  /** Returns the state of the list of a connection, and its models; undefined without such a list. */
  describe(slug: string): { list: ListState; models: DiscoveredModel[]; offered: number } | undefined;
  /** Requests the list of a connection now, and waits for it up to ten seconds. */
  refresh(slug: string): Promise<void>;
  /** Requests the list of a connection that seemed not to answer: a call has succeeded. Waits up to two seconds. */
  recheck(id: string): Promise<void>;
  /** Finds the wire format of a server with OpenAI's API; undefined if it does not answer, or has none. */
  probe(slug: string): Promise<OpenAiApi | undefined>;
}

/** `host`: of the connection's address, with its port. */
export type TestTarget = { host: string; model: Model | undefined };

/** `localHeaders`: additional headers of each call for a reply to the local server. */
type Overrides = {
  now?: Now;
  demoPause?: Pause;
  watch?: WatchModel;
  localHeaders?: CallHeaders;
  onList?: OpenConnectionDeps["onList"];
  onFacts?: OpenConnectionDeps["onFacts"];
  outbound?: Outbound;
};

/** Creates the models of the settings. Connections are opened only by the first calls. */
export function openModels(settings: ModelSettings, overrides: Overrides = {}): Models {
  const { now = Date.now, demoPause, watch = (model: Model) => model, localHeaders = () => ({}) } = overrides;
  const { outbound = new Outbound(), onList, onFacts } = overrides;
  const deps = { now, localHeaders, onList, onFacts, outbound };
  const demo = new DemoAssistant(settings.productName, demoPause);
  return new ConfiguredModels(settings, { ...deps, demo: watch(demo, demo.value), watch });
}

class ConfiguredModels implements Models {
  readonly #catalogue: Catalogue;
  readonly #environment: readonly ConnectionSettings[];
  #automatic: readonly string[];
  readonly #connections: ConnectionSet;
  readonly #coolDowns: CoolDowns;
  readonly #demo: Model;
  readonly #watch: WatchModel;

  constructor(
    settings: ModelSettings,
    { demo, watch, ...deps }: { demo: Model; watch: WatchModel } & OpenConnectionDeps,
  ) {
    this.#catalogue = catalogueWithFacts(settings.catalogue);
    this.#environment = environmentConnections(settings);
    this.#connections = new ConnectionSet(deps, this.#environment);
    this.#automatic = this.#catalogue.automatic;
    this.#coolDowns = new CoolDowns(deps.now);
    this.#demo = demo;
    this.#watch = watch;
  }

  connect({ connections, ownModels, automatic }: StoredConnections): void {
    const fixed = this.#environment.map((each) => ({ ...each, models: ownModels.get(each.slug) }));
    this.#connections.replace([...fixed, ...connections]);
    this.#automatic = automatic ?? this.#catalogue.automatic;
  }

  describe(slug: string) {
    const models = this.#connections.bySlug(slug)?.models;
    return models && { list: models.state, models: models.all(), offered: models.lastKnown.length };
  }

  async refresh(slug: string): Promise<void> {
    await this.#connections.bySlug(slug)?.models?.refresh();
  }

  async recheck(id: string): Promise<void> {
    await this.#connections.byId(id)?.models?.recheck();
  }

  async probe(slug: string): Promise<OpenAiApi | undefined> {
    return this.#connections.bySlug(slug)?.probe();
  }

  async list(access: ModelAccess = ALL_MODELS): Promise<ModelGroup[]> {
    const all = await this.#listAll();
    const automatic = (this.#isDemo ? [] : await this.#automaticEntries(access)).map(({ value }) => value);
    const { permitted } = access;
    const mayHaveMore = ({ unreachable }: ModelGroup) =>
      unreachable !== undefined && [...(permitted ?? [unreachable])].some((value) => value.startsWith(unreachable));
    const marked = (option: ModelOption): ModelOption => ({
      ...option,
      ...(option.value === access.first && { default: true }),
      ...(automatic.includes(option.value) && { automatic: automatic.indexOf(option.value) }),
    });
    return all
      .map((group) => ({
        ...group,
        models: group.models.filter(({ value }) => isPermitted(access, value)).map(marked),
      }))
      .filter((group) => group.models.length > 0 || mayHaveMore(group));
  }

  async #listAll(): Promise<ModelGroup[]> {
    await this.#connections.list();
    const groups = this.#catalogue.groups.map(({ label, models, further = [] }) => ({
      label,
      models: [...models, ...further.filter(({ value }) => this.#isConfigured(value))].map((entry) =>
        this.#toOption(entry),
      ),
    }));
    const listed = new Set(groups.flatMap(({ models }) => models.map(({ value }) => value)));
    return [...groups, ...this.#connections.all.flatMap((connection) => this.#groupOf(connection, listed))];
  }

  /** Returns the group of a connection whose server lists its models, but for those that are listed already. */
  #groupOf({ settings, models }: OpenConnection, listed: ReadonlySet<string>): ModelGroup[] {
    if (models === undefined) return [];
    const options = models.lastKnown.filter(({ value }) => !listed.has(value)).map((entry) => this.#toOption(entry));
    if (options.length === 0 && !models.isAway) return [];
    const receives = receivedBy(settings);
    return [
      {
        label: settings.name,
        ...(models.isAway && { unreachable: `${settings.slug}:` }),
        ...(receives.length > 0 && { receives }),
        models: options,
      },
    ];
  }

  #availability(value: string): Pick<ModelOption, "available" | "unreachable"> {
    return this.#connections.isAway(value)
      ? { available: false, unreachable: true }
      : { available: this.#isConfigured(value) };
  }

  #toOption(entry: CatalogueModel): ModelOption {
    return { ...optionOf(entry), ...this.#availability(entry.value) };
  }

  async choose(value: string | undefined, access: ModelAccess = ALL_MODELS): Promise<ModelChoice> {
    if (isAutomatic(value)) return this.#chooseAutomatically(access);
    if (!isPermitted(access, value)) throw new Failure("model-unknown");
    const entry = this.#entry(value);
    const isLocal = parseModelValue(value)?.slug === LOCAL_SLUG;
    if (!entry && !isLocal && this.#connections.of(value)?.models === undefined) throw new Failure("model-unknown");
    if (this.#isDemo) return { kind: "specific", model: this.#demo };
    if (!this.#isConfigured(value)) throw new Failure("model-unavailable");
    return { kind: "specific", model: this.#open(entry ?? (await this.#listedEntry(value)), access) };
  }

  priceOf(value: string): Price | undefined {
    return value === this.#demo.value ? this.#demo.price : priceOf(this.#knownEntry(value) ?? { value });
  }

  windowOf(value: string): PromptModel | undefined {
    if (value === this.#demo.value) return this.#demo;
    const entry = this.#knownEntry(value);
    return entry && this.#isConfigured(value) ? this.#open(entry) : entry;
  }

  async testTarget(id: string, value?: string): Promise<TestTarget> {
    const connection = this.#connections.byId(id);
    if (!connection) throw new Failure("model-unavailable");
    const { host } = connection.pool.url("");
    if (value === undefined) return { host, model: await this.#firstOf(connection) };
    if (this.#connections.of(value) !== connection) throw new Failure("model-unknown");
    const entry = this.#entry(value) ?? (connection.models && (await this.#listedEntry(value)));
    if (!entry) throw new Failure("model-unknown");
    return { host, model: this.#open(entry) };
  }

  /** Returns the first model of a connection in the order of automatic choice, else the cheapest one. */
  async #firstOf(connection: OpenConnection): Promise<Model | undefined> {
    const { models, settings } = connection;
    const [listed] = (await models?.list()) ?? [];
    if (listed) return this.#open(this.#entry(listed.value) ?? listed);
    const isOwn = ({ value }: CatalogueModel) => this.#connections.of(value) === connection;
    const [named] = this.#automatic.flatMap((value) => this.#knownEntry(value) ?? []).filter(isOwn);
    const priceOfOutput = ({ value }: CatalogueModel) => this.priceOf(value)?.output ?? Number.MAX_VALUE;
    const byPrice = modelsOf(this.#catalogue)
      .filter(isOwn)
      .sort((a, b) => priceOfOutput(a) - priceOfOutput(b));
    const entry = named ?? byPrice[0];
    if (entry) return this.#openCurrent(entry, ALL_MODELS);
    // An unreachable server, or one that refuses the key, may have models: a call shows which of the two it is.
    return models && !models.isThere ? this.#open({ ...unlisted, value: `${settings.slug}:unknown` }) : undefined;
  }

  health(): NamedHealth[] {
    return this.#connections.all.map(({ settings: { id, name, apiKey } }) => ({
      ...this.#coolDowns.health(id),
      name,
      isPaid: apiKey !== undefined && id !== "local",
    }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connections[Symbol.asyncDispose]();
  }

  get #isDemo(): boolean {
    return this.#connections.size === 0;
  }

  async #chooseAutomatically(access: ModelAccess): Promise<ModelChoice> {
    if (this.#isDemo) return { kind: "specific", model: this.#demo };
    const entries = await this.#automaticEntries(access);
    const candidates = entries.map((entry) => this.#openCurrent(entry, access));
    if (candidates.length === 0) {
      if (access.permitted !== null) throw new Failure("model-unavailable");
      return { kind: "automatic", candidates: [this.#watch(this.#coolDowns.watch(absentServer), unlisted.label)] };
    }
    const rested = candidates.filter((model) => !this.#coolDowns.isCooling(model));
    return { kind: "automatic", candidates: rested.length > 0 ? rested : candidates };
  }

  /** Lists the entries of automatic choice, best first: the group's default, then those of the catalogue. */
  async #automaticEntries(access: ModelAccess): Promise<CatalogueModel[]> {
    const isUsable = ({ value }: CatalogueModel) => isPermitted(access, value) && this.#isConfigured(value);
    const ready = (value: string) => (this.#connections.isAway(value) ? undefined : this.#connections.listed(value));
    const named = this.#automatic.flatMap((value) => this.#entry(value) ?? ready(value) ?? []).filter(isUsable);
    // If there are other models, do not wait for lists of servers.
    const firstModels = access.first === null ? undefined : this.#connections.of(access.first)?.models;
    if (named.length > 0) await firstModels?.list();
    else await this.#connections.list();
    const lists = this.#connections.all.flatMap(({ models }) => (models ? [models.known().filter(isUsable)] : []));
    const isListedNamed = named.some(({ value }) => this.#connections.of(value)?.models !== undefined);
    const found = [...named, ...(isListedNamed ? [] : lists.flat().slice(0, 1))];
    const others = found.length > 0 ? found : modelsOf(this.#catalogue).filter(isUsable);
    const first = access.first === null ? undefined : this.#firstEntry(access.first);
    if (!first || !isUsable(first)) return others;
    return [first, ...others.filter(({ value }) => value !== first.value)];
  }

  #firstEntry(value: string): CatalogueModel | undefined {
    const isAway = this.#connections.isAway(value);
    const known = this.#entry(value) ?? (isAway ? undefined : this.#connections.listed(value));
    // The default of a group stays the first candidate: its failed call, and a notice, precede another model.
    return known ?? (isAway ? { ...unlisted, value } : undefined);
  }

  #entry(value: string): CatalogueModel | undefined {
    return modelsOf(this.#catalogue).find((model) => model.value === value);
  }

  /** Returns the entry of the catalogue, else that of the last list of its server. */
  #knownEntry(value: string): CatalogueModel | undefined {
    return this.#entry(value) ?? this.#connections.listed(value);
  }

  /**
   * Returns the entry of a model that its server lists. An unreachable server may have the model; the call itself then
   * succeeds or fails.
   * @throws Failure `model-unknown`
   */
  async #listedEntry(value: string): Promise<CatalogueModel> {
    const models = this.#connections.of(value)?.models;
    await models?.list();
    const entry = this.#connections.listed(value);
    if (!entry && models?.isThere) throw new Failure("model-unknown");
    return entry ?? { ...unlisted, value };
  }

  #isConfigured(value: string): boolean {
    return this.#connections.of(value) !== undefined;
  }

  /**
   * Opens a model with its successor, if that is permitted; the successor itself while the provider is known not to have
   * the model.
   */
  #openCurrent(entry: CatalogueModel, access: ModelAccess): Model {
    const next = entry.successor === undefined ? undefined : this.#entry(entry.successor);
    const successor = next && isPermitted(access, next.value) ? this.#open(next, access) : undefined;
    const model = this.#open(entry, access, successor);
    return successor && this.#coolDowns.isAbsent(model) ? successor : model;
  }

  #open(entry: CatalogueModel, { caller }: ModelAccess = ALL_MODELS, successor?: Model): Model {
    const { label, value } = entry;
    const connection = this.#connections.of(value);
    if (!connection) throw new Failure("model-unavailable");
    const client = openClient(entry, connection, { price: this.priceOf(value), caller });
    const model = this.#watch(this.#coolDowns.watch(client), label === unlisted.label ? label : value);
    return successor ? { ...model, successor } : model;
  }
}
