import { isDeepStrictEqual } from "node:util";
import { defaultConnectionSettings } from "#contract/administration/connections.ts";
import type { ModelFacts } from "#contract/models/model-facts.ts";
import type { Outbound } from "../../outbound/outbound.ts";
import type { ProviderName } from "../model.ts";
import { type KeyHeader, ProviderConnection } from "../providers/provider-connection.ts";
import { fillHeaders, secretsIn } from "./call-headers.ts";
import { type ConnectionSettings, LOCAL_SLUG, providerOf } from "./connection-settings.ts";
import { DiscoveredModels, type Now } from "./discovered-models.ts";
import { type OpenAiApi, probeApi } from "./discovery/probe-api.ts";
import type { DiscoveredModel } from "./model-entry.ts";

export type CallHeaders = () => Record<string, string>;

/** Is called with each list of a connection's models. */
export type OnList = (slug: string, models: readonly DiscoveredModel[]) => void;

/** Is called with facts of a model that a call has shown. */
export type OnModelFacts = (slug: string, name: string, facts: ModelFacts) => void;

export type OpenConnectionDeps = {
  outbound: Outbound;
  now: Now;
  /** Additional headers of each call for a reply to the local server. */
  localHeaders: CallHeaders;
  onList?: OnList | undefined;
  onFacts?: OnModelFacts | undefined;
};

/** A connection with its pool of sockets and the models that its server lists. */
export class OpenConnection implements AsyncDisposable {
  #settings: ConnectionSettings;
  readonly provider: ProviderName;
  readonly pool: ProviderConnection;
  /** Absent: its models are those of the catalogue. */
  readonly models: DiscoveredModels | undefined;

  constructor(settings: ConnectionSettings, deps: OpenConnectionDeps) {
    const { id, slug, baseUrl, apiKey } = settings;
    const { outbound, now, localHeaders, onList, onFacts } = deps;
    this.#settings = settings;
    this.provider = providerOf(settings);
    const { headers = [] } = settings;
    const { apiVersion, usesProxy, sendsPerson } = callSettingsOf(settings.settings);
    const templates = { headers, sendsPerson };
    this.pool = new ProviderConnection(
      {
        id,
        baseUrl,
        apiKey,
        keyHeader: keyHeaderOf(settings),
        apiVersion: apiVersion ?? undefined,
        usesProxy,
      },
      {
        outbound,
        headers: slug === LOCAL_SLUG ? async () => localHeaders() : (caller) => fillHeaders(templates, caller),
        secrets: secretsIn(headers),
      },
    );
    const listed = onList && ((models: readonly DiscoveredModel[]) => onList(slug, models));
    const shown = onFacts && ((name: string, facts: ModelFacts) => onFacts(slug, name, facts));
    this.models = hasList(settings)
      ? new DiscoveredModels(this.pool, settings, { now, onList: listed, onFacts: shown })
      : undefined;
  }

  get settings(): ConnectionSettings {
    return this.#settings;
  }

  /** Whether other settings name the same server with the same credentials. */
  isSameServer(other: ConnectionSettings): boolean {
    return isDeepStrictEqual(serverOf(this.#settings), serverOf(other));
  }

  /** Replaces settings that leave the server and the credentials as they are. */
  configure(settings: ConnectionSettings): void {
    this.#settings = settings;
    this.models?.configure(settings);
  }

  /** Finds the wire format of a server with OpenAI's API; undefined if it does not answer, or has none. */
  probe(): Promise<OpenAiApi | undefined> {
    return probeApi(this.pool).catch(() => undefined);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.pool[Symbol.asyncDispose]();
  }
}

/** The settings that a pool of sockets and a list depend on. */
const serverOf = ({ kind, baseUrl, apiKey, headers = [], settings }: ConnectionSettings) => ({
  kind,
  baseUrl,
  apiKey,
  headers,
  ...callSettingsOf(settings),
});

/** The settings of a connection that its calls depend on. */
function callSettingsOf(entered: ConnectionSettings["settings"]) {
  const { apiVersion, usesProxy, sendsPerson } = { ...defaultConnectionSettings, ...entered };
  return { apiVersion, usesProxy, sendsPerson };
}

/** The environment's keys of OpenAI and Anthropic open the models of the catalogue, whose list is the product's. */
const hasList = ({ slug }: ConnectionSettings) => slug !== "GPT" && slug !== "CLAUDE";

function keyHeaderOf({ kind }: ConnectionSettings): KeyHeader {
  if (kind === "anthropic") return "x-api-key";
  return kind === "azure" ? "api-key" : "authorization";
}
