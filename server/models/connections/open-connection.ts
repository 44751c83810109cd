import type { ProviderName } from "../model.ts";
import { type KeyHeader, ProviderConnection } from "../providers/provider-connection.ts";
import { type ConnectionSettings, LOCAL_SLUG, providerOf } from "./connection-settings.ts";
import { DiscoveredModels, type Now } from "./discovered-models.ts";

export type CallHeaders = ProviderConnection["headers"];

/** A connection with its pool of sockets and the models that its server lists. */
export class OpenConnection implements AsyncDisposable {
  readonly settings: ConnectionSettings;
  readonly provider: ProviderName;
  readonly pool: ProviderConnection;
  /** Absent: its models are those of the catalogue. */
  readonly models: DiscoveredModels | undefined;

  /** @param localHeaders additional headers of each call for a reply to the local server */
  constructor(settings: ConnectionSettings, { now, localHeaders }: { now: Now; localHeaders: CallHeaders }) {
    const { id, slug, baseUrl, apiKey } = settings;
    this.settings = settings;
    this.provider = providerOf(settings);
    const address = {
      id,
      baseUrl,
      apiKey,
      keyHeader: keyHeaderOf(settings),
      apiVersion: settings.settings?.apiVersion ?? undefined,
    };
    this.pool = new ProviderConnection(address, slug === LOCAL_SLUG ? localHeaders : undefined);
    this.models = isListed(settings) ? new DiscoveredModels(this.pool, { slug, now }) : undefined;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.pool[Symbol.asyncDispose]();
  }
}

/** The environment's keys of OpenAI and Anthropic open the models of the catalogue, whose list is the product's. */
const isListed = ({ slug }: ConnectionSettings) => slug !== "GPT" && slug !== "CLAUDE";

function keyHeaderOf({ kind }: ConnectionSettings): KeyHeader {
  if (kind === "anthropic") return "x-api-key";
  return kind === "azure" ? "api-key" : "authorization";
}
