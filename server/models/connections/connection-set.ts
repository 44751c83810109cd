import { type CatalogueModel, parseModelValue } from "../catalogue.ts";
import type { ConnectionSettings } from "./connection-settings.ts";
import type { Now } from "./discovered-models.ts";
import { type CallHeaders, OpenConnection } from "./open-connection.ts";

type ConnectionSetDeps = { now: Now; localHeaders: CallHeaders };

/** The open connections in their order, by slug. */
export class ConnectionSet implements AsyncDisposable {
  readonly #deps: ConnectionSetDeps;
  #bySlug: ReadonlyMap<string, OpenConnection> = new Map();

  constructor(deps: ConnectionSetDeps, settings: readonly ConnectionSettings[]) {
    this.#deps = deps;
    this.#bySlug = new Map(settings.map((each) => [each.slug, new OpenConnection(each, this.#deps)]));
  }

  get all(): readonly OpenConnection[] {
    return [...this.#bySlug.values()];
  }

  get size(): number {
    return this.#bySlug.size;
  }

  /** Returns the connection of a model's value, if it is configured. */
  of(value: string): OpenConnection | undefined {
    const slug = parseModelValue(value)?.slug;
    return slug === undefined ? undefined : this.#bySlug.get(slug);
  }

  byId(id: string): OpenConnection | undefined {
    return this.all.find(({ settings }) => settings.id === id);
  }

  /** Whether the server of a model's connection does not answer now. */
  isAway(value: string): boolean {
    return this.of(value)?.models?.isThere === false;
  }

  /** Returns the entry of a model that its server has listed. */
  listed(value: string): CatalogueModel | undefined {
    return this.of(value)?.models?.lastKnown.find((model) => model.value === value);
  }

  /** Waits for lists of models, two seconds at most. */
  async list(): Promise<void> {
    await Promise.all(this.all.map(({ models }) => models?.list()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.all.map((connection) => connection[Symbol.asyncDispose]()));
  }
}
