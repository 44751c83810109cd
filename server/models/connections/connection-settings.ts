import { type PersonField, personFieldsOf } from "#contract/administration/connection-headers.ts";
import {
  type ConnectionHeader,
  type ConnectionKind,
  type ConnectionSettingValues,
  type FixedSlug,
  fixedSlugs,
} from "#contract/administration/connections.ts";
import type { ProviderName } from "../model.ts";
import type { DiscoveredModel } from "./model-entry.ts";

/** A connection to a provider of models. */
export type ConnectionSettings = {
  /** Prefix of the values of its models. */
  slug: string;
  /** Key of its health: the slug, or the provider of a connection that the environment sets. */
  id: string;
  /** Label of the group of its models. */
  name: string;
  kind: ConnectionKind;
  baseUrl: string;
  apiKey?: string | undefined;
  headers?: readonly ConnectionHeader[] | undefined;
  settings?: ConnectionSettingValues | undefined;
  /** Models of the last list, with what an owner has entered. Absent: the list is requested when it is needed. */
  models?: readonly DiscoveredModel[] | undefined;
};

/** Address and key that the environment sets. */
export type EnvironmentAddress = { baseUrl: string; apiKey?: string };

/** Addresses of the connections that the environment sets. */
export type EnvironmentAddresses = {
  openai?: EnvironmentAddress & { apiKey: string };
  anthropic?: EnvironmentAddress & { apiKey: string };
  local?: EnvironmentAddress;
};

/** Returns whether the environment sets a connection. */
export const isFixedSlug = (slug: string): slug is FixedSlug => fixedSlugs.some((each) => each === slug);

/** Slug of the local server of the environment. */
export const LOCAL_SLUG = "LOCAL";

/** Returns the connections that the environment sets. */
export function environmentConnections({ openai, anthropic, local }: EnvironmentAddresses): ConnectionSettings[] {
  return [
    ...(openai ? [{ slug: "GPT", id: "openai", name: "OpenAI", kind: "openai" as const, ...openai }] : []),
    ...(anthropic
      ? [{ slug: "CLAUDE", id: "anthropic", name: "Anthropic", kind: "anthropic" as const, ...anthropic }]
      : []),
    ...(local ? [{ slug: LOCAL_SLUG, id: "local", name: "Local", kind: "openai" as const, ...local }] : []),
  ];
}

/** Returns what a server receives of the person with each call. */
export function receivedBy({
  headers = [],
  settings,
}: Pick<ConnectionSettings, "headers" | "settings">): PersonField[] {
  return settings?.sendsPerson ? [...new Set(headers.flatMap(personFieldsOf))].sort() : [];
}

const OPENAI_HOST = /^(?:[a-z0-9-]+\.)?api\.openai\.com$/;

/** Whether a base URL is that of OpenAI itself. */
export const isOpenAiItself = (baseUrl: string): boolean => OPENAI_HOST.test(new URL(baseUrl).hostname);

/** Returns whose dialect of its API a connection speaks. A local server is any other server with OpenAI's API. */
export function providerOf({ id, kind, baseUrl }: Pick<ConnectionSettings, "id" | "kind" | "baseUrl">): ProviderName {
  if (kind === "anthropic") return "anthropic";
  return id === "openai" || kind === "azure" || (id !== "local" && isOpenAiItself(baseUrl)) ? "openai" : "local";
}

/**
 * `ownModels`: what owners have entered about models of the environment's connections, by slug. `automatic`: values of
 * automatic choice; null: the order of the catalogue.
 */
export type StoredConnections = {
  connections: readonly ConnectionSettings[];
  ownModels: ReadonlyMap<string, readonly DiscoveredModel[]>;
  automatic: readonly string[] | null;
};
