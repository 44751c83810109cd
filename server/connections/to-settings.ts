import {
  type ConnectionKind,
  type ConnectionSettingValues,
  connectionKinds,
  connectionSettingsSchema,
  defaultConnectionSettings,
} from "#contract/administration/connections.ts";
import { modelFactsSchema, modelOverridesSchema } from "#contract/models/model-facts.ts";
import type { ConnectionModelRow, ConnectionRow } from "../database/tables/connection-tables.ts";
import type { ConnectionSettings } from "../models/connections/connection-settings.ts";
import type { DiscoveredModel } from "../models/connections/model-entry.ts";
import type { ConnectionSecrets } from "./connection-secrets.ts";

/** Returns the settings of a row; those that a version of other rules stored have their defaults. */
export function storedSettings({ settings }: Pick<ConnectionRow, "settings">): ConnectionSettingValues {
  const stored: unknown = JSON.parse(settings);
  const parsed = connectionSettingsSchema.safeParse({ ...defaultConnectionSettings, ...(stored as object) });
  return parsed.success ? parsed.data : defaultConnectionSettings;
}

export function kindOf({ kind }: Pick<ConnectionRow, "kind">): ConnectionKind {
  return connectionKinds.find((each) => each === kind) ?? "openai";
}

/** Returns a stored connection as models are called through it. */
export function toConnectionSettings(
  row: ConnectionRow,
  { apiKey, headers }: ConnectionSecrets,
  models: readonly DiscoveredModel[],
): ConnectionSettings {
  return {
    slug: row.slug,
    id: row.slug,
    name: row.name,
    kind: kindOf(row),
    baseUrl: row.base_url,
    ...(apiKey !== null && { apiKey }),
    headers,
    settings: storedSettings(row),
    models,
  };
}

/** Returns a stored model. Facts or overrides of other rules are left out. */
export function toDiscoveredModel(row: ConnectionModelRow): DiscoveredModel {
  const overrides = row.overrides === null ? undefined : modelOverridesSchema.safeParse(JSON.parse(row.overrides)).data;
  return {
    name: row.name,
    facts: modelFactsSchema.safeParse(JSON.parse(row.facts)).data ?? {},
    ...(overrides && { overrides }),
    isOffered: row.is_offered === 1,
    isListed: row.is_listed === 1,
  };
}
