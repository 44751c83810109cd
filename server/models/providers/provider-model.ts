import type { Effort } from "#contract/models/effort.ts";
import type { FileLimits } from "../attachments/file-limits.ts";
import type { AcceptedFiles, Model, ModelEnd, ModelSink, Prompt, ProviderName } from "../model.ts";
import type { Caller } from "../model-access.ts";
import type { Price } from "../prices.ts";
import type { ProviderConnection } from "./provider-connection.ts";

/** Facts and connection of a model, which the clients of all wire formats need. */
export type ProviderModelSettings = {
  value: string;
  provider: ProviderName;
  contextTokens: number;
  maxOutputTokens: number;
  price?: Price | undefined;
  efforts?: readonly Effort[] | undefined;
  /** Whether it receives pictures and PDF files as they are. Absent: it does not. */
  images?: boolean | undefined;
  pdf?: boolean | undefined;
  /** Whether it takes tools; undefined if that is not known. */
  tools?: boolean | undefined;
  connection: ProviderConnection;
  /** The account for which it is called, whose ids its headers may have; absent: a call without one. */
  caller?: Caller | undefined;
};

/** A model with its settings. Subclasses make the calls in the provider's wire format. */
export abstract class ProviderModel<Settings extends ProviderModelSettings> implements Model {
  readonly value: string;
  readonly provider: ProviderName;
  readonly connectionId: string;
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  readonly price: Price | undefined;
  readonly efforts: readonly Effort[] | undefined;
  readonly accepts: AcceptedFiles;
  readonly callsTools: boolean | undefined;
  readonly #settings: Settings;

  /** @param limits of the API for files */
  constructor(settings: Settings, limits: FileLimits) {
    this.value = settings.value;
    this.provider = settings.provider;
    this.connectionId = settings.connection.id;
    this.contextTokens = settings.contextTokens;
    this.maxOutputTokens = settings.maxOutputTokens;
    this.price = settings.price;
    this.efforts = settings.efforts;
    this.accepts = { images: settings.images ?? false, pdf: settings.pdf ?? false, limits };
    const { tools, connection, value } = settings;
    this.callsTools = connection.toolRefusals.has(value) ? false : tools;
    this.#settings = settings;
  }

  /** Not a property of the object, because the connection has the provider's key, which nothing must serialise. */
  protected get settings(): Settings {
    return this.#settings;
  }

  abstract stream(prompt: Prompt, sink: ModelSink, signal: AbortSignal): Promise<ModelEnd>;
}
