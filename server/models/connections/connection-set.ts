import { type CatalogueModel, parseModelValue } from "../catalogue.ts";
import type { ConnectionSettings } from "./connection-settings.ts";
import { OpenConnection, type OpenConnectionDeps } from "./open-connection.ts";

/** The open connections in their order, by slug. */
export class ConnectionSet implements AsyncDisposable {
  readonly #deps: OpenConnectionDeps;
  #bySlug: ReadonlyMap<string, OpenConnection> = new Map();
  /** Replaced connections: replies that began with one end with it. */
  readonly #replaced: OpenConnection[] = [];

  constructor(deps: OpenConnectionDeps, settings: readonly ConnectionSettings[]) {
    this.#deps = deps;
    this.replace(settings);
  }

  /** Replaces all connections. One with the same address and credentials keeps its sockets and its list. */
  replace(settings: readonly ConnectionSettings[]): void {
    const former = this.#bySlug;
    this.#bySlug = new Map(
      settings.map((each) => {
        const same = former.get(each.slug);
        if (!same?.isSameServer(each)) return [each.slug, new OpenConnection(each, this.#deps)];
        same.configure(each);
        return [each.slug, same];
      }),
    );
    for (const connection of former.values()) {
      if (this.#bySlug.get(connection.settings.slug) !== connection) this.#replaced.push(connection);
    }
  }

  get all(): readonly OpenConnection[] {
    return [...this.#bySlug.values()];
  }

  get size(): number {
    return this.#bySlug.size;
  }

  bySlug(slug: string): OpenConnection | undefined {
    return this.#bySlug.get(slug);
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
    return this.of(value)?.models?.isAway === true;
  }

  /** Returns the entry of a model that its server has listed. */
  listed(value: string): CatalogueModel | undefined {
    return this.of(value)?.models?.find(value);
  }

  /** Waits for lists of models, two seconds at most. */
  async list(): Promise<void> {
    await Promise.all(this.all.map(({ models }) => models?.list()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.all, ...this.#replaced].map((connection) => connection[Symbol.asyncDispose]()));
  }
}
