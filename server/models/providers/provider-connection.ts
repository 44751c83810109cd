import type { Dispatcher } from "undici";
import { SECOND } from "#contract/limits.ts";
import { lookupOthers } from "../../outbound/metadata-hosts.ts";
import type { Outbound } from "../../outbound/outbound.ts";
import { type Caller, NO_CALLER } from "../model-access.ts";

/** Less than the time for a list of models, which then names this cause. */
const CONNECT_TIMEOUT_MS = 8 * SECOND;

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
  /** Absent: true. */
  usesProxy?: boolean | undefined;
};

type Headers = (caller: Caller) => Promise<Record<string, string>>;

/** `headers`: additional headers of each call. `secrets`: further texts that are masked in replies, like the key. */
type ConnectionDeps = { outbound: Outbound; headers?: Headers; secrets?: readonly string[] };

/** Pool of sockets of one connection, opened by the first call. */
export class ProviderConnection implements AsyncDisposable {
  readonly id: string;
  readonly apiKey: string | undefined;
  /** Texts that are masked in replies. */
  readonly secrets: readonly string[];
  /** Names of the models whose templates open a thought in the prompt, as their replies to this process have shown. */
  readonly thoughtsInPrompt = new Set<string>();
  /** Models (values) whose requests with tools were refused. */
  readonly toolRefusals = new Set<string>();
  readonly #base: URL;
  readonly #outbound: Outbound;
  readonly #headers: Headers;
  readonly #keyHeader: KeyHeader;
  readonly #apiVersion: string | undefined;
  readonly #usesProxy: boolean;
  #pool: Promise<Dispatcher> | undefined;
  #isClosed = false;

  constructor(address: ProviderAddress, { outbound, headers = async () => ({}), secrets = [] }: ConnectionDeps) {
    const { baseUrl, apiKey, id = baseUrl, keyHeader = "authorization", apiVersion, usesProxy = true } = address;
    this.#headers = headers;
    this.secrets = [...(apiKey === undefined ? [] : [apiKey]), ...secrets];
    this.#outbound = outbound;
    this.id = id;
    this.apiKey = apiKey;
    this.#base = new URL(baseUrl);
    this.#keyHeader = keyHeader;
    this.#apiVersion = apiVersion;
    this.#usesProxy = usesProxy;
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

  /** Returns the additional headers of a call. @param caller account for which it is; absent: a call without one */
  headers(caller: Caller = NO_CALLER): Promise<Record<string, string>> {
    return this.#headers(caller);
  }

  /** Returns the header with the key; empty without one. */
  keyHeaders(): Record<string, string> {
    if (this.apiKey === undefined) return {};
    if (this.#keyHeader === "authorization") return { authorization: `Bearer ${this.apiKey}` };
    return { [this.#keyHeader]: this.apiKey };
  }

  dispatcher(): Promise<Dispatcher> {
    this.#pool ??= this.#open();
    return this.#pool;
  }

  /** Aborts all running calls, and closes all connections. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    const pool = await this.#pool;
    await pool?.destroy();
  }

  async #open(): Promise<Dispatcher> {
    const pool = await this.#outbound.open(this.#base, {
      connectMs: CONNECT_TIMEOUT_MS,
      lookup: lookupOthers,
      isDirect: !this.#usesProxy,
    });
    if (this.#isClosed) await pool.destroy();
    return pool;
  }
}
