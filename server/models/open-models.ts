import type { ModelGroup, ModelOption } from "#contract/models/models.ts";
import { Failure } from "../failure.ts";
import type { PromptModel } from "./attachments/prompt-files.ts";
import {
  type Api,
  apiOfOpenAi,
  CACHE_MIN_TOKENS,
  type Catalogue,
  type CatalogueModel,
  isAutomatic,
  modelsOf,
  parseModelValue,
} from "./catalogue.ts";
import { CoolDowns, type ProviderHealth } from "./cool-downs.ts";
import { catalogueWithFacts } from "./default-catalogue.ts";
import { DemoAssistant, type Pause } from "./demo-assistant.ts";
import { absentLocalServer, LocalModels, type Now, unlisted } from "./local-models.ts";
import type { Model, ProviderName } from "./model.ts";
import { ALL_MODELS, isPermitted, type ModelAccess } from "./model-access.ts";
import { type Price, priceOf } from "./prices.ts";
import { AnthropicModel } from "./providers/anthropic.ts";
import { OpenAiCompatibleModel } from "./providers/openai-compatible.ts";
import { OpenAiResponsesModel } from "./providers/openai-responses.ts";
import { type ProviderAddress, ProviderConnection } from "./providers/provider-connection.ts";

export type ModelSettings = {
  /** Returns the current name. */
  productName: () => string;
  openai?: ProviderAddress & { apiKey: string };
  anthropic?: ProviderAddress & { apiKey: string };
  local?: ProviderAddress;
  catalogue: Catalogue;
};

/**
 * `candidates` is never empty, best first. The next one is tried only if the previous one failed before its first word.
 */
export type ModelChoice = { kind: "automatic"; candidates: Model[] } | { kind: "specific"; model: Model };

export interface Models extends AsyncDisposable {
  /**
   * Lists the models to choose from, without groups that have none left. Waits for a local server for two seconds at
   * most; while it does not answer, its last models are listed as unreachable.
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
   * Returns a model for a test of a provider, by default the first one of automatic choice; undefined if the provider
   * has none.
   * @throws Failure `model-unavailable` if the provider is not configured; `model-unknown` if it has no model `value`
   */
  testTarget(provider: ConfiguredProvider, value?: string): Promise<TestTarget>;
  /** Returns the health of each configured provider; empty if the demo assistant answers. */
  health(): ProviderHealth[];
}

/** `host`: of the provider's address, with its port. */
export type TestTarget = { host: string; model: Model | undefined };

/** Wraps a model to measure its calls. `label` is for metrics: the settings bound the number of labels. */
export type WatchModel = (model: Model, label: string) => Model;

/** `localHeaders`: additional headers of each call for a reply to the local server. */
type Overrides = { now?: Now; demoPause?: Pause; watch?: WatchModel; localHeaders?: ProviderConnection["headers"] };

/** Providers that settings can name. */
const configuredProviders = ["openai", "anthropic", "local"] as const satisfies readonly ProviderName[];
type ConfiguredProvider = (typeof configuredProviders)[number];

const LOCAL_GROUP = "Local";
/** Prefix of the values of local models. */
const LOCAL_VALUES = "LOCAL:";

/** Creates the models of the settings. Connections are opened only by the first calls. */
export function openModels(settings: ModelSettings, overrides: Overrides = {}): Models {
  const { now = Date.now, demoPause, watch = (model: Model) => model, localHeaders = () => ({}) } = overrides;
  const demo = new DemoAssistant(settings.productName, demoPause);
  return new ConfiguredModels(settings, { now, demo: watch(demo, demo.value), watch, localHeaders });
}

class ConfiguredModels implements Models {
  readonly #catalogue: Catalogue;
  /** API of OpenAI's models whose entries name none. */
  readonly #openAiApi: Api | undefined;
  readonly #connections: Partial<Record<ConfiguredProvider, ProviderConnection>>;
  readonly #local: LocalModels | undefined;
  readonly #coolDowns: CoolDowns;
  readonly #demo: Model;
  readonly #watch: WatchModel;

  constructor(
    { catalogue, openai, anthropic, local }: ModelSettings,
    { now, demo, watch, localHeaders }: { demo: Model } & Required<Omit<Overrides, "demoPause">>,
  ) {
    const localConnection = local && new ProviderConnection(local, localHeaders);
    this.#catalogue = catalogueWithFacts(catalogue);
    this.#openAiApi = openai && apiOfOpenAi(openai.baseUrl);
    this.#connections = {
      ...(openai && { openai: new ProviderConnection(openai) }),
      ...(anthropic && { anthropic: new ProviderConnection(anthropic) }),
      ...(localConnection && { local: localConnection }),
    };
    this.#local = localConnection && new LocalModels(localConnection, now);
    this.#coolDowns = new CoolDowns(now);
    this.#demo = demo;
    this.#watch = watch;
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
    await this.#local?.list();
    const groups = this.#catalogue.groups.map(({ label, models, further = [] }) => ({
      label,
      models: [...models, ...further.filter(({ value }) => this.#isConfigured(value))].map((entry) =>
        this.#toOption(entry),
      ),
    }));
    const listed = new Set(groups.flatMap(({ models }) => models.map(({ value }) => value)));
    const local = (this.#local?.lastKnown ?? []).filter(({ value }) => !listed.has(value));
    const isAway = this.#local?.isThere === false;
    if (local.length === 0 && !isAway) return groups;
    const models = local.map(({ label, value, efforts, images }) => ({
      label,
      value,
      ...this.#availability(value),
      ...(efforts && { efforts: [...efforts] }),
      ...(images && { images }),
    }));
    return [...groups, { label: LOCAL_GROUP, ...(isAway && { unreachable: LOCAL_VALUES }), models }];
  }

  #availability(value: string): Pick<ModelOption, "available" | "unreachable"> {
    const isAway = value.startsWith(LOCAL_VALUES) && this.#local?.isThere === false;
    return isAway ? { available: false, unreachable: true } : { available: this.#isConfigured(value) };
  }

  #toOption({ label, value, contextTokens, takesTemperature, efforts, images, pdf }: CatalogueModel): ModelOption {
    return {
      label,
      value,
      ...this.#availability(value),
      contextTokens,
      price: this.priceOf(value),
      ...(takesTemperature === false && { takesTemperature }),
      ...(efforts && { efforts: [...efforts] }),
      ...(images && { images }),
      ...(pdf && { pdf }),
    };
  }

  async choose(value: string | undefined, access: ModelAccess = ALL_MODELS): Promise<ModelChoice> {
    if (isAutomatic(value)) return this.#chooseAutomatically(access);
    if (!isPermitted(access, value)) throw new Failure("model-unknown");
    const entry = this.#entry(value);
    const provider = parseModelValue(value)?.provider;
    if (!entry && provider !== "local") throw new Failure("model-unknown");
    if (this.#isDemo) return { kind: "specific", model: this.#demo };
    if (!this.#isConfigured(value)) throw new Failure("model-unavailable");
    return { kind: "specific", model: this.#open(entry ?? (await this.#localEntry(value))) };
  }

  priceOf(value: string): Price | undefined {
    return value === this.#demo.value ? this.#demo.price : priceOf(this.#entry(value) ?? { value });
  }

  windowOf(value: string): PromptModel | undefined {
    if (value === this.#demo.value) return this.#demo;
    const entry = this.#entry(value);
    return entry && this.#isConfigured(value) ? this.#open(entry) : entry;
  }

  async testTarget(provider: ConfiguredProvider, value?: string): Promise<TestTarget> {
    const connection = this.#connections[provider];
    if (!connection) throw new Failure("model-unavailable");
    const { host } = connection.url("");
    if (value === undefined) return { host, model: await this.#firstOf(provider) };
    if (parseModelValue(value)?.provider !== provider) throw new Failure("model-unknown");
    const entry = this.#entry(value) ?? (provider === "local" ? await this.#localEntry(value) : undefined);
    if (!entry) throw new Failure("model-unknown");
    return { host, model: this.#open(entry) };
  }

  /** Returns the first model of a provider in the order of automatic choice, else the cheapest one. */
  async #firstOf(provider: ConfiguredProvider): Promise<Model | undefined> {
    const [listed] = provider === "local" ? ((await this.#local?.list()) ?? []) : [];
    if (listed) return this.#open(this.#entry(listed.value) ?? listed);
    const isOwn = ({ value }: CatalogueModel) => parseModelValue(value)?.provider === provider;
    const [named] = this.#catalogue.automatic.flatMap((value) => this.#entry(value) ?? []).filter(isOwn);
    const priceOfOutput = ({ value }: CatalogueModel) => this.priceOf(value)?.output ?? Number.MAX_VALUE;
    const byPrice = modelsOf(this.#catalogue)
      .filter(isOwn)
      .sort((a, b) => priceOfOutput(a) - priceOfOutput(b));
    const entry = named ?? byPrice[0];
    if (entry) return this.#openCurrent(entry, ALL_MODELS);
    // An unreachable server, or one that refuses the key, may have models: a call shows which of the two it is.
    return provider === "local" && !this.#local?.isThere
      ? this.#open({ ...unlisted, value: absentLocalServer.value })
      : undefined;
  }

  health(): ProviderHealth[] {
    return configuredProviders
      .filter((provider) => this.#connections[provider] !== undefined)
      .map((provider) => this.#coolDowns.health(provider));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(Object.values(this.#connections).map((connection) => connection[Symbol.asyncDispose]()));
  }

  get #isDemo(): boolean {
    return Object.keys(this.#connections).length === 0;
  }

  async #chooseAutomatically(access: ModelAccess): Promise<ModelChoice> {
    if (this.#isDemo) return { kind: "specific", model: this.#demo };
    const entries = await this.#automaticEntries(access);
    const candidates = entries.map((entry) => this.#openCurrent(entry, access));
    if (candidates.length === 0) {
      if (access.permitted !== null) throw new Failure("model-unavailable");
      return { kind: "automatic", candidates: [this.#watch(this.#coolDowns.watch(absentLocalServer), unlisted.label)] };
    }
    const rested = candidates.filter((model) => !this.#coolDowns.isCooling(model));
    return { kind: "automatic", candidates: rested.length > 0 ? rested : candidates };
  }

  /** Lists the entries of automatic choice, best first: the group's default, then those of the catalogue. */
  async #automaticEntries(access: ModelAccess): Promise<CatalogueModel[]> {
    const isUsable = ({ value }: CatalogueModel) => isPermitted(access, value) && this.#isConfigured(value);
    const named = this.#catalogue.automatic.flatMap((value) => this.#entry(value) ?? []).filter(isUsable);
    const isLocalFirst = access.first !== null && parseModelValue(access.first)?.provider === "local";
    // If there are other models, do not wait for the local server.
    const known = named.length > 0 && !isLocalFirst ? this.#local?.known() : await this.#local?.list();
    const locals = known?.filter(isUsable) ?? [];
    const isLocalNamed = named.some(({ value }) => parseModelValue(value)?.provider === "local");
    const found = [...named, ...(isLocalNamed ? [] : locals.slice(0, 1))];
    const others = found.length > 0 ? found : modelsOf(this.#catalogue).filter(isUsable);
    const first = access.first === null ? undefined : this.#firstEntry(access.first, locals);
    if (!first || !isUsable(first)) return others;
    return [first, ...others.filter(({ value }) => value !== first.value)];
  }

  #firstEntry(value: string, locals: readonly CatalogueModel[]): CatalogueModel | undefined {
    const known = this.#entry(value) ?? locals.find((model) => model.value === value);
    // The default of a group stays the first candidate: its failed call, and a notice, precede another model.
    const isAway = value.startsWith(LOCAL_VALUES) && this.#local?.isThere === false;
    return known ?? (isAway ? { ...unlisted, value } : undefined);
  }

  #entry(value: string): CatalogueModel | undefined {
    return modelsOf(this.#catalogue).find((model) => model.value === value);
  }

  /**
   * Returns the entry of a local model. An unreachable server may have the model; the call itself then succeeds or
   * fails.
   * @throws Failure `model-unknown`
   */
  async #localEntry(value: string): Promise<CatalogueModel> {
    const entry = (await this.#local?.list())?.find((model) => model.value === value);
    if (!entry && this.#local?.isThere) throw new Failure("model-unknown");
    return entry ?? { ...unlisted, value };
  }

  #isConfigured(value: string): boolean {
    const provider = parseModelValue(value)?.provider;
    return provider !== undefined && this.#connections[provider] !== undefined;
  }

  /**
   * Opens a model with its successor, if that is permitted; the successor itself while the provider is known not to have
   * the model.
   */
  #openCurrent(entry: CatalogueModel, access: ModelAccess): Model {
    const next = entry.successor === undefined ? undefined : this.#entry(entry.successor);
    const successor = next && isPermitted(access, next.value) ? this.#open(next) : undefined;
    const model = this.#open(entry, successor);
    return successor && this.#coolDowns.isAbsent(model) ? successor : model;
  }

  #open(entry: CatalogueModel, successor?: Model): Model {
    const { label, value } = entry;
    const { provider, name } = parseModelValue(value) ?? {};
    const connection = provider && this.#connections[provider];
    if (!connection || name === undefined) throw new Failure("model-unavailable");
    const client = this.#client(entry, { name, provider, connection });
    const model = this.#watch(this.#coolDowns.watch(client), label === unlisted.label ? label : value);
    return successor ? { ...model, successor } : model;
  }

  /** Creates the client of a model's API. */
  #client(
    entry: CatalogueModel,
    target: { name: string; provider: ConfiguredProvider; connection: ProviderConnection },
  ): Model {
    const { value, contextTokens, maxOutputTokens, takesTemperature = true, efforts, images, pdf } = entry;
    const { reasoning = "none", returnsReasoning = true } = entry;
    const price = this.priceOf(value);
    const limits = { contextTokens, maxOutputTokens, price };
    const settings = { ...target, value, ...limits, takesTemperature, efforts, images, pdf };
    switch (entry.api ?? this.#defaultApi(target.provider)) {
      case "messages": {
        const { prefill = false, cacheMinTokens = CACHE_MIN_TOKENS } = entry;
        return new AnthropicModel({ ...settings, prefill, reasoning, returnsReasoning, cacheMinTokens });
      }
      case "responses":
        return new OpenAiResponsesModel({ ...settings, returnsReasoning, labelsAnswers: entry.labelsAnswers });
      case "chat-completions":
        return new OpenAiCompatibleModel({ ...settings, sendsMaxCompletionTokens: target.provider === "openai" });
    }
  }

  #defaultApi(provider: ConfiguredProvider): Api {
    if (provider === "anthropic") return "messages";
    return (provider === "openai" && this.#openAiApi) || "chat-completions";
  }
}
