import {
  type Connection,
  type ConnectionList,
  type ConnectionModel,
  defaultConnectionSettings,
} from "#contract/administration/connections.ts";
import type { Config } from "../config/config.ts";
import { endOfSecret, type SecretCipher } from "../config/secret-cipher.ts";
import type { Secrets } from "../config/secrets.ts";
import type { Database } from "../database/schema.ts";
import type { ConnectionRow } from "../database/tables/connection-tables.ts";
import { Failure } from "../failure.ts";
import { listSettingsNamed } from "../installation/setting-store.ts";
import {
  type ConnectionSettings,
  environmentConnections,
  isFixedSlug,
} from "../models/connections/connection-settings.ts";
import { isOffered } from "../models/connections/offered-models.ts";
import { describeRefusal } from "../models/connections/refusal-of.ts";
import { environmentAddresses } from "../models/environment-addresses.ts";
import type { Models } from "../models/open-models.ts";
import { AUTOMATIC_SETTING, readAutomatic } from "./automatic-models.ts";
import { decryptSecrets } from "./connection-secrets.ts";
import { findConnection, listConnections } from "./connection-store.ts";
import { storedSettings } from "./to-settings.ts";

export type DescribeDeps = {
  config: Config;
  secrets: Secrets;
  cipher: SecretCipher;
  database: Database;
  models: Pick<Models, "describe">;
};

/** Returns all connections, those of the environment first. */
export async function describeConnections(deps: DescribeDeps): Promise<ConnectionList> {
  const { config, secrets, database } = deps;
  const rows = await listConnections(database);
  const [automatic] = await listSettingsNamed(database, [AUTOMATIC_SETTING]);
  const fixed = environmentConnections(environmentAddresses(config, secrets));
  return {
    connections: [...fixed.map((each) => fixedConnection(deps, each)), ...rows.map((row) => toConnection(deps, row))],
    automatic: readAutomatic(automatic),
  };
}

/** Returns a stored connection. @throws Failure `not-found` */
export async function describeConnection(deps: DescribeDeps, slug: string): Promise<Connection> {
  const row = await findConnection(deps.database, slug);
  if (!row) throw new Failure("not-found");
  return toConnection(deps, row);
}

/** Returns the models of a connection, also those that people cannot choose. @throws Failure `not-found` */
export async function listModelsOf(deps: DescribeDeps, slug: string): Promise<ConnectionModel[]> {
  const row = isFixedSlug(slug) ? undefined : await findConnection(deps.database, slug);
  const described = deps.models.describe(slug);
  if (!row && !described) throw new Failure("not-found");
  const settings = row && storedSettings(row);
  return (described?.models ?? []).map((model) => ({
    name: model.name,
    value: `${slug}:${model.name}`,
    facts: model.facts,
    overrides: model.overrides ?? {},
    isListed: model.isListed ?? true,
    isOffered: isOffered(settings, model),
  }));
}

function fixedConnection(deps: DescribeDeps, settings: ConnectionSettings): Connection {
  const { slug, name, kind, baseUrl, apiKey } = settings;
  return {
    slug,
    name,
    kind,
    baseUrl,
    isFixed: true,
    isEnabled: true,
    keyEnd: apiKey === undefined ? null : endOfSecret(apiKey),
    isUnreadable: false,
    headers: [],
    settings: defaultConnectionSettings,
    list: listOf(deps, settings),
  };
}

function toConnection(deps: DescribeDeps, row: ConnectionRow): Connection {
  const opened = decryptSecrets(deps.cipher, row);
  const keyEnd = opened ? opened.apiKey && endOfSecret(opened.apiKey) : "";
  return {
    slug: row.slug,
    name: row.name,
    kind: row.kind,
    baseUrl: row.base_url,
    isFixed: false,
    isEnabled: row.is_enabled === 1,
    keyEnd: row.key_encrypted === null ? null : keyEnd,
    isUnreadable: opened === undefined,
    headers: opened?.headers.map(({ name }) => name) ?? [],
    settings: storedSettings(row),
    list: listOf(deps, { slug: row.slug, baseUrl: row.base_url }),
  };
}

type Address = Pick<ConnectionSettings, "slug" | "baseUrl">;

function listOf({ models, config }: DescribeDeps, { slug, baseUrl }: Address): Connection["list"] {
  const described = models.describe(slug);
  if (!described) return { state: "unknown", offered: 0, all: 0 };
  const { list, offered, models: all } = described;
  const { state, at, error } = list;
  const { isInContainer } = config;
  return {
    state,
    ...(at !== undefined && { at }),
    ...(state === "away" && describeRefusal(error, { hostname: new URL(baseUrl).hostname, isInContainer })),
    offered,
    all: all.length,
  };
}
