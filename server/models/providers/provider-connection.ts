import type { Agent, Dispatcher } from "undici";
import { SECOND } from "#contract/limits.ts";

const CONNECT_TIMEOUT_MS = 10 * SECOND;

export type ProviderAddress = { baseUrl: string; apiKey?: string };

/** Connection pool of one provider. `undici` is loaded lazily by the first call, because it alone takes 30 MB. */
export class ProviderConnection implements AsyncDisposable {
  readonly apiKey: string | undefined;
  readonly headers: () => Record<string, string>;
  readonly #base: URL;
  #agent: Promise<Agent> | undefined;
  #isClosed = false;

  /** `headers`: additional headers of each call for a reply. */
  constructor({ baseUrl, apiKey }: ProviderAddress, headers = (): Record<string, string> => ({})) {
    this.headers = headers;
    this.#base = new URL(baseUrl);
    this.apiKey = apiKey;
  }

  /** Returns the URL of a call. A query of the base URL, which gateways have, is retained. */
  url(path: string): URL {
    const url = new URL(this.#base);
    url.pathname = `${url.pathname.replace(/\/+$/, "")}/${path}`;
    return url;
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
