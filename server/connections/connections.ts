import type { ModelFacts } from "#contract/models/model-facts.ts";
import { type Bus, topics } from "../bus/bus.ts";
import { Reloading } from "../bus/reloading.ts";
import { ConfigError } from "../config/config.ts";
import { type SecretCipher, unreadableSentence } from "../config/secret-cipher.ts";
import type { Database } from "../database/schema.ts";
import type { ConnectionRow } from "../database/tables/connection-tables.ts";
import { listSettingsNamed } from "../installation/setting-store.ts";
import type { Log } from "../log.ts";
import { isFixedSlug } from "../models/connections/connection-settings.ts";
import type { DiscoveredModel } from "../models/connections/model-entry.ts";
import type { Models } from "../models/open-models.ts";
import { AUTOMATIC_SETTING, readAutomatic } from "./automatic-models.ts";
import { decryptSecrets, encryptHeaders, encryptKey } from "./connection-secrets.ts";
import { listConnectionModels, listConnections, updateConnection } from "./connection-store.ts";
import { saveFacts, saveList } from "./save-list.ts";
import { toConnectionSettings, toDiscoveredModel } from "./to-settings.ts";
import { listUnreadable } from "./unreadable-secrets.ts";

export type ConnectionsDeps = {
  cipher: SecretCipher;
  database: Database;
  bus: Bus;
  log: Log;
  models: Pick<Models, "connect">;
  /** Whether other processes may write to the database. */
  isShared: boolean;
};

/**
 * Applies the stored connections to the models, so that no request needs a query for them. Every process reads them
 * again after a notification; without Redis it polls.
 */
export class Connections implements AsyncDisposable {
  readonly #deps: ConnectionsDeps;
  readonly #reloading: Reloading;
  /** Values of the rows that are applied, to leave the models alone while nothing changes. */
  #applied = "";

  private constructor(deps: ConnectionsDeps) {
    this.#deps = deps;
    this.#reloading = new Reloading(deps, {
      topic: topics.connections,
      read: () => this.#read(),
      failure: "connections could not be read yet",
    });
  }

  /**
   * Reads the connections, and encrypts credentials of the previous key again.
   * @param acceptsNewSecret leaves out connections whose credentials do not open
   * @throws ConfigError
   */
  static async open(deps: ConnectionsDeps, { acceptsNewSecret }: { acceptsNewSecret: boolean }): Promise<Connections> {
    const rows = await listConnections(deps.database);
    const closed = await listUnreadable(deps.database, deps.cipher);
    if (closed.length > 0 && !acceptsNewSecret) {
      const names = closed.map(({ name }) => name);
      throw new ConfigError([unreadableSentence(names, "start with --accept-new-secret")]);
    }
    for (const { slug } of closed)
      deps.log.warn({ connection: slug }, "the secret key does not open a connection's key");
    for (const row of rows) await encryptAgain(deps, row);
    const connections = new Connections(deps);
    await connections.#read();
    return connections;
  }

  /** Makes a committed change take effect: here when this settles, on other processes within seconds. */
  publish(): Promise<void> {
    return this.#reloading.publish();
  }

  /** Stores a list of models that a server has answered, if it differs from the stored one. Never rejects. */
  async save(slug: string, models: readonly DiscoveredModel[]): Promise<void> {
    const { database, log } = this.#deps;
    if (isFixedSlug(slug)) return;
    try {
      if (await saveList(database, slug, models)) await this.publish();
    } catch (error) {
      log.debug({ err: error }, "a list of models could not be stored");
    }
  }

  /** Stores facts of a model that a call has shown, if it has a row. Never rejects. */
  async saveFacts(slug: string, name: string, facts: ModelFacts): Promise<void> {
    const { database, log } = this.#deps;
    try {
      if (await saveFacts(database, { slug, name }, facts)) await this.publish();
    } catch (error) {
      log.debug({ err: error }, "facts of a model could not be stored");
    }
  }

  /** Reads the connections again. Keeps the last ones, and tries again later, if the database does not answer. */
  reload(): Promise<void> {
    return this.#reloading.reload();
  }

  async #read(): Promise<void> {
    const { cipher, database, models } = this.#deps;
    const rows = await listConnections(database);
    const modelRows = await listConnectionModels(database);
    const [automatic] = await listSettingsNamed(database, [AUTOMATIC_SETTING]);
    const read = JSON.stringify([rows, modelRows, automatic?.value]);
    if (read === this.#applied) return;
    const bySlug = Map.groupBy(modelRows, ({ slug }) => slug);
    const modelsOf = (slug: string) => (bySlug.get(slug) ?? []).map(toDiscoveredModel);
    const enabled = rows.filter(({ is_enabled }) => is_enabled === 1);
    models.connect({
      connections: enabled.flatMap((row) => {
        const secrets = decryptSecrets(cipher, row);
        return secrets ? [toConnectionSettings(row, secrets, modelsOf(row.slug))] : [];
      }),
      ownModels: new Map([...bySlug.keys()].map((slug) => [slug, modelsOf(slug)])),
      automatic: readAutomatic(automatic),
    });
    this.#applied = read;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#reloading[Symbol.asyncDispose]();
  }
}

async function encryptAgain({ cipher, database }: ConnectionsDeps, row: ConnectionRow): Promise<void> {
  const secrets = decryptSecrets(cipher, row);
  if (!secrets?.isOutdated) return;
  await updateConnection(database, row.id, {
    key_encrypted: encryptKey(cipher, row.id, secrets.apiKey),
    headers_encrypted: encryptHeaders(cipher, row.id, secrets.headers),
  });
}
