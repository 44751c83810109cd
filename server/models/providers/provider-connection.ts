import type { Agent, Dispatcher } from "undici";
import { SECOND } from "#contract/limits.ts";

const CONNECT_TIMEOUT_MS = 10 * SECOND;

/** Header in which a server expects the key: `authorization` as a bearer token, or one of its own. */
export type KeyHeader = "authorization" | "x-api-key" | "api-key";

export type ProviderAddress = {
  baseUrl: string;
  apiKey?: string | undefined;
  /** Id of the connection, by which failures are counted. */
  id?: string;
  /** Absent: `authorization`. */
  keyHeader?: KeyHeader;
  /** `api-version` of a classic deployment of Azure OpenAI, whose URLs name the model. */
  apiVersion?: string | undefined;
};

/** Connection pool of one connection. `undici` is loaded lazily by the first call, because it alone takes 30 MB. */
export class ProviderConnection implements AsyncDisposable {
  readonly id: string;
  readonly apiKey: string | undefined;
  readonly headers: () => Record<string, string>;
  readonly #base: URL;
  readonly #keyHeader: KeyHeader;
  readonly #apiVersion: string | undefined;
  #agent: Promise<Agent> | undefined;
  #isClosed = false;

  /** `headers`: additional headers of each call for a reply. */
  constructor(address: ProviderAddress, headers = (): Record<string, string> => ({})) {
    const { baseUrl, apiKey, id = baseUrl, keyHeader = "authorization", apiVersion } = address;
    this.headers = headers;
    this.id = id;
    this.apiKey = apiKey;
    this.#base = new URL(baseUrl);
    this.#keyHeader = keyHeader;
    this.#apiVersion = apiVersion;
  }

  /**
   * Returns the URL of a call. A query of the base URL, which gateways have, is retained.
   * @param model whose call it is; classic deployments of Azure have a path for each
   */
  url(path: string, model?: string): URL {
    const url = new URL(this.#base);
    const base = url.pathname.replace(/\/+$/, "");
    if (this.#apiVersion === undefined) {
      url.pathname = `${base}/${path}`;
      return url;
    }
    const deployment = model === undefined ? "" : `/deployments/${encodeURIComponent(model)}`;
    url.pathname = `${base}/openai${deployment}/${path}`;
    url.searchParams.set("api-version", this.#apiVersion);
    return url;
  }

  /** Returns the header with the key; empty without one. */
  keyHeaders(): Record<string, string> {
    if (this.apiKey === undefined) return {};
    if (this.#keyHeader === "authorization") return { authorization: `Bearer ${this.apiKey}` };
    return { [this.#keyHeader]: this.apiKey };
  }

  dispatcher(): Promise<Dispatcher> {
    this.#agent ??= this.#open();
    return this.#agent;
  }

  /** Aborts all running calls, and closes all connections. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    const agent = await this.#agent;
    await agent?.destroy();
  }

  async #open(): Promise<Agent> {
    const { Agent } = await import("undici");
    const agent = new Agent({
      connect: { timeout: CONNECT_TIMEOUT_MS },
      // All other timeouts belong to the caller.
      headersTimeout: 0,
      bodyTimeout: 0,
      // One socket per reply: an abort closes it, and there is no head-of-line blocking.
      allowH2: false,
    });
    if (this.#isClosed) await agent.destroy();
    return agent;
  }
}
