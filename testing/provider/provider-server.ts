import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { AnswerWriter } from "./answer-writer.ts";
import { type ProviderRequest, readProviderRequest } from "./provider-request.ts";

/**
 * Answers one request. The writer rejects when the client has disconnected; any other error closes the connection and
 * is thrown again when the server is disposed of.
 */
export type AnswerFunction = (request: ProviderRequest, answer: AnswerWriter) => Promise<void> | void;

/** An HTTP server on a free port of 127.0.0.1 that imitates an LLM provider: parses requests and runs a script. */
export class ProviderServer implements AsyncDisposable {
  readonly #server = createServer((request, response) => void this.#handle(request, response));
  readonly #answer: AnswerFunction;
  readonly #errors: unknown[] = [];

  /** @param answer the script; an answer that it does not end stays open */
  constructor(answer: AnswerFunction) {
    this.#answer = answer;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Value for OPENAI_BASE_URL, ANTHROPIC_BASE_URL and LOCAL_BASE_URL. */
  get baseUrl(): string {
    return `${this.url}/v1`;
  }

  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject).listen(0, "127.0.0.1", resolve);
    });
  }

  /**
   * Closes all connections and refuses new ones, also in the middle of a test to simulate an outage.
   * @throws AggregateError with the script's own errors, which Parley took for a provider that broke off
   */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#server.listening) {
      await new Promise((resolve) => {
        this.#server.close(resolve);
        this.#server.closeAllConnections();
      });
    }
    const errors = this.#errors.splice(0);
    if (errors.length > 0) throw new AggregateError(errors, "The script of a provider failed");
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const parsed = await readProviderRequest(request, response);
      await this.#answer(parsed, new AnswerWriter(response, parsed.signal));
    } catch (error) {
      // After a disconnect, the rejection is how the script ends.
      if (!response.destroyed) this.#errors.push(error);
      response.destroy();
    }
  }
}

/** Starts a provider whose answers are written by `answer`. */
export async function startProvider(answer: AnswerFunction): Promise<ProviderServer> {
  const provider = new ProviderServer(answer);
  await provider.listen();
  return provider;
}
