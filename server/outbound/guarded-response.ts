import type { Dispatcher } from "undici";
import type { AbortScope } from "../concurrency/abort-scope.ts";
import { boundedBody } from "./bounded-body.ts";
import type { GuardedRequest } from "./guarded-request.ts";
import { OutboundRefusal, toRefusal } from "./outbound-refusal.ts";

const NOT_PASSED = new Set(["content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive"]);

type ResponseDeps = {
  url: URL;
  answer: Dispatcher.ResponseData;
  pool: Dispatcher;
  scope: AbortScope;
  request: GuardedRequest;
  redirect: string | undefined;
};

/** Response to a guarded request. Its body is read once; disposing closes the connection. */
export class GuardedResponse implements AsyncDisposable {
  /** Address that answered, after all redirects, without its fragment. */
  readonly url: string;
  readonly status: number;
  /** Target of a redirect. */
  readonly redirect: string | undefined;
  readonly #deps: ResponseDeps;

  constructor(deps: ResponseDeps) {
    this.#deps = deps;
    this.url = deps.url.href;
    this.status = deps.answer.statusCode;
    this.redirect = deps.redirect;
    // A connection that is closed before the body is read is no failure.
    deps.answer.body.on("error", () => undefined);
  }

  /** Returns a header, of several the first. */
  header(name: string): string | undefined {
    const value = this.#deps.answer.headers[name.toLowerCase()];
    return Array.isArray(value) ? value[0] : value;
  }

  /** All headers but those of the encoding and the connection, which do not describe the decoded body. */
  get headers(): Headers {
    const headers = new Headers();
    for (const [name, value] of Object.entries(this.#deps.answer.headers)) {
      if (NOT_PASSED.has(name) || value === undefined) continue;
      for (const each of [value].flat()) headers.append(name, each);
    }
    return headers;
  }

  /** Media type in lower case, without parameters; empty without one. */
  get type(): string {
    return (this.header("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  }

  /** @throws OutboundRefusal unless the request wants this status and type */
  async accept(): Promise<this> {
    const { isAnyStatus = false, types } = this.#deps.request;
    const isOk = this.status >= 200 && this.status < 300;
    const isRefused = !isOk && !isAnyStatus;
    if (!isRefused && (!isOk || !types || types.includes(this.type))) return this;
    await this.close();
    throw isRefused ? new OutboundRefusal("bad-status", { status: this.status }) : new OutboundRefusal("wrong-type");
  }

  /** Yields the decoded body as it arrives. @throws OutboundRefusal; the reason of the request's signal */
  async *body(): AsyncGenerator<Uint8Array> {
    const { answer, request, scope } = this.#deps;
    try {
      yield* boundedBody(answer.body, this.header("content-encoding") ?? "", request.maxBytes);
    } catch (error) {
      request.signal?.throwIfAborted();
      throw scope.signal.aborted ? new OutboundRefusal("too-slow") : toRefusal(error);
    }
  }

  /** Returns the whole body. @throws as {@link body} */
  async bytes(): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    for await (const piece of this.body()) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  /** Closes the connection, but not the time limit, which the next request of a redirect shares. */
  async close(): Promise<void> {
    await this.#deps.pool.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#deps.scope[Symbol.dispose]();
    await this.close();
  }
}
