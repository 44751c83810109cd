import type { Agent, Dispatcher } from "undici";
import { SECOND } from "#contract/limits.ts";

const CONNECT_TIMEOUT_MS = 10 * SECOND;

export type ProviderAddress = { baseUrl: string; apiKey?: string };

/** The connections to one provider. `undici` is loaded with the first call: it alone takes 30 MB. */
export class ProviderConnection implements AsyncDisposable {
  readonly apiKey: string | undefined;
  readonly headers: () => Record<string, string>;
  readonly #base: URL;
  #agent: Promise<Agent> | undefined;
  #isClosed = false;

  /** `headers`: sent along with each call for a reply. */
  constructor({ baseUrl, apiKey }: ProviderAddress, headers = (): Record<string, string> => ({})) {
    this.headers = headers;
    this.#base = new URL(baseUrl);
    this.apiKey = apiKey;
  }

  /** The address of a call; a query of the base address (gateways have one) stays. */
  url(path: string): URL {
    const url = new URL(this.#base);
    url.pathname = `${url.pathname.replace(/\/+$/, "")}/${path}`;
    return url;
  }

  dispatcher(): Promise<Dispatcher> {
    this.#agent ??= this.#open();
    return this.#agent;
  }

  /** Ends what still runs. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    const agent = await this.#agent;
    await agent?.destroy();
  }

  async #open(): Promise<Agent> {
    const { Agent } = await import("undici");
    const agent = new Agent({
      connect: { timeout: CONNECT_TIMEOUT_MS },
      // The caller owns all other time limits.
      headersTimeout: 0,
      bodyTimeout: 0,
      // One reply, one socket: an abort closes it, and none waits behind another.
      allowH2: false,
    });
    if (this.#isClosed) await agent.destroy();
    return agent;
  }
}
