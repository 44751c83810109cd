import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { createParser, type EventSourceParser } from "eventsource-parser";
import type { Dispatcher } from "undici";
import { SECOND } from "#contract/limits.ts";
import { ProxyFailure } from "../../outbound/proxy-failure.ts";
import { field } from "../../text/wire-json.ts";
import type { ModelEnd, ModelSink, OutputSink } from "../model.ts";
import { ModelError } from "../model-error.ts";
import type { ProviderSources } from "../sources/provider-sources.ts";
import type { StreamedBody } from "./file-slots.ts";
import { hasSecret, MaskedOutput, maskedEnd } from "./masked-output.ts";
import { errorFromResponse } from "./provider-errors.ts";

/** Parser of a provider's wire format: converts events to output. One instance reads one reply. */
export interface WireReader {
  /**
   * Reads the data of one event, and passes its output to `sink` in the order of the event; it may pass empty pieces.
   * Returns `ended` when the model has finished and only its token count may follow, and `closed` at the provider's end
   * mark.
   * @throws ModelError for an error that the provider reports, or data that is not in its format
   */
  read(data: string, sink: OutputSink): "open" | "ended" | "closed";
  /** Takes what is no text out of a piece of the stream, before it is split into events. Absent: there is nothing else. */
  lift?(piece: string): string;
  /** Passes output that was held back to `sink`. Called once, after a complete reply. Absent: nothing is held back. */
  finish?(sink: OutputSink): void;
  /** Returns the sources that the provider has named so far; undefined if there are none. Absent: it names none. */
  sources?(): ProviderSources | undefined;
  /** Number of changes of {@link sources} so far. */
  readonly sourceChanges?: number;
  /** Returns how the reply ended, or `undefined` while that is unknown. */
  end(): ModelEnd | undefined;
}

export type EventStreamRequest = {
  dispatcher: Dispatcher;
  url: URL;
  headers: Record<string, string>;
  body: string | StreamedBody;
  /** The provider's key and other secrets of the request, which are masked in the text and in the reasoning. */
  secrets?: readonly string[];
  reader: WireReader;
  sink: ModelSink;
  signal: AbortSignal;
};

const MAX_EVENT_CHARS = 1024 * 1024;
const MAX_ERROR_BODY_BYTES = 64 * 1024;
/** Bytes of a streamed body that are read ahead of the connection. */
const READ_AHEAD_BYTES = 64 * 1024;
/** Time in which the connection may end by itself (and be reused) after the reply is complete. */
const LINGER_MS = 2 * SECOND;

/**
 * Posts `body` and reads the response as server-sent events until the provider's end mark. Redirects are not followed,
 * and compressed responses are not decompressed. Memory is bounded for every response.
 * @throws ModelError, or the signal's reason
 */
export function callForEvents(request: EventStreamRequest): Promise<ModelEnd> {
  const { dispatcher, url, headers, body, signal } = request;
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const call = new EventStreamCall(request, resolve, reject);
    try {
      dispatcher.dispatch(
        {
          origin: url.origin,
          path: url.pathname + url.search,
          method: "POST",
          headers: {
            "content-type": "application/json",
            accept: "text/event-stream",
            "accept-encoding": "identity",
            "user-agent": "parley",
            ...(typeof body !== "string" && { "content-length": String(body.length) }),
            ...headers,
          },
          body: typeof body === "string" ? body : streamOf(body, call),
        },
        call,
      );
    } catch (error) {
      call.onResponseError(undefined, error instanceof Error ? error : new Error("The call could not be made"));
    }
  });
}

/** Returns a body as a stream. An error of its own fails the call with that error, not as one of the connection. */
function streamOf(body: StreamedBody, call: EventStreamCall): Readable {
  const pieces = async function* () {
    try {
      yield* body.open();
    } catch (error) {
      call.fail(error);
      throw error;
    }
  };
  return Readable.from(pieces(), { objectMode: false, highWaterMark: READ_AHEAD_BYTES });
}

class EventStreamCall implements Dispatcher.DispatchHandler {
  readonly #request: EventStreamRequest;
  readonly #resolve: (end: ModelEnd) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #output: MaskedOutput;
  readonly #decoder = new StringDecoder("utf8");
  readonly #parser: EventSourceParser;
  readonly #onAbort: () => void;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  /** Body of a response that is not an event stream. */
  #otherBody: Buffer[] | undefined;
  #otherBytes = 0;
  #state: "open" | "ended" | "closed" | "settled" = "open";
  #linger: NodeJS.Timeout | undefined;
  #hasResponseEnded = false;
  /** The changes of the sources that the sink has. */
  #passedChanges = 0;

  constructor(request: EventStreamRequest, resolve: (end: ModelEnd) => void, reject: (reason: unknown) => void) {
    this.#request = request;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#output = new MaskedOutput(request.sink, request.secrets);
    this.#parser = createParser({
      maxBufferSize: MAX_EVENT_CHARS,
      onEvent: ({ data }) => {
        if (this.#state !== "open" && this.#state !== "ended") return;
        this.#state = request.reader.read(data, this.#output);
      },
      onError: ({ type }) => {
        if (type === "max-buffer-size-exceeded") throw new ModelError("assistant-broken-off");
      },
    });
    this.#onAbort = () => this.fail(request.signal.reason);
    request.signal.addEventListener("abort", this.#onAbort);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#state === "settled") controller.abort(new Error("No longer wanted"));
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (this.#state === "settled" || status < 200) return;
    this.#status = status;
    this.#headers = headers;
    if (!isEventStream(status, headers)) this.#otherBody = [];
    this.#request.sink.onLife();
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    // Data after the end is ignored. The linger timeout bounds how long it may continue.
    if (this.#state === "settled") return;
    this.#request.sink.onLife();
    if (this.#otherBody) this.#collect(this.#otherBody, chunk);
    else this.#feed(this.#decoder.write(chunk));
  }

  onResponseEnd(): void {
    this.#hasResponseEnded = true;
    clearTimeout(this.#linger);
    if (this.#state === "settled") return;
    if (this.#otherBody) {
      this.#failByBody(this.#otherBody);
    } else {
      // Completes a last event whose blank line is missing.
      this.#feed(`${this.#decoder.end()}\n\n`);
      this.#finishOr("assistant-broken-off");
    }
  }

  onResponseError(_: unknown, error: Error): void {
    this.#hasResponseEnded = true;
    clearTimeout(this.#linger);
    if (this.#state === "settled") return;
    // The key or the address contains characters that cannot be sent.
    if (error instanceof ProxyFailure)
      this.fail(new ModelError("assistant-unreachable", { cause: error, providerCode: error.code }));
    else if (field(error, "code") === "UND_ERR_INVALID_ARG") this.fail(new ModelError("assistant-misconfigured"));
    else if (this.#otherBody) this.#failByBody(this.#otherBody);
    else this.#finishOr(this.#status === 0 ? "assistant-unreachable" : "assistant-broken-off", error);
  }

  /** Rejects the call, and closes the provider's connection. */
  fail(reason: unknown): void {
    if (this.#state === "settled") return;
    this.#output.end();
    this.#passSources();
    this.#settle();
    this.#controller?.abort(new Error("No longer wanted"));
    this.#reject(withFile(reason, this.#request.body));
  }

  /** Passes on the sources if they have changed. */
  #passSources(): void {
    const { reader, sink, secrets } = this.#request;
    const { sourceChanges = 0 } = reader;
    if (sourceChanges === this.#passedChanges) return;
    this.#passedChanges = sourceChanges;
    const sources = reader.sources?.();
    if (sources && !hasSecret(sources, secrets)) sink.onSources?.(sources);
  }

  #feed(text: string): void {
    try {
      const { reader } = this.#request;
      this.#parser.feed(reader.lift ? reader.lift(text) : text);
    } catch (error) {
      this.fail(error);
      return;
    }
    this.#output.flush();
    this.#passSources();
    if (this.#state === "closed") this.#finishOr("assistant-broken-off");
    // The token count and the end mark may follow. A complete reply does not fail if they are missing.
    else if (this.#state === "ended")
      this.#linger ??= setTimeout(() => this.#finishOr("assistant-broken-off"), LINGER_MS);
  }

  #finishOr(code: "assistant-unreachable" | "assistant-broken-off", cause?: Error): void {
    if (this.#state === "settled") return;
    const { reader } = this.#request;
    const end = reader.end();
    if (!end) {
      this.fail(new ModelError(code, { cause, ...(this.#status > 0 && { status: this.#status }) }));
      return;
    }
    reader.finish?.(this.#output);
    this.#output.end();
    this.#settle();
    this.#resolve(maskedEnd(end, this.#request.secrets));
    if (this.#hasResponseEnded) return;
    this.#linger = setTimeout(() => this.#controller?.abort(new Error("The reply is complete")), LINGER_MS).unref();
  }

  #settle(): void {
    this.#state = "settled";
    clearTimeout(this.#linger);
    this.#request.signal.removeEventListener("abort", this.#onAbort);
  }

  #collect(body: Buffer[], chunk: Buffer): void {
    body.push(chunk.subarray(0, MAX_ERROR_BODY_BYTES - this.#otherBytes));
    this.#otherBytes += chunk.length;
    if (this.#otherBytes >= MAX_ERROR_BODY_BYTES) this.#failByBody(body);
  }

  #failByBody(body: Buffer[]): void {
    this.fail(errorFromResponse(this.#status, this.#headers, Buffer.concat(body).toString("utf8")));
  }
}

/** Adds the file to a refusal of a part that has one. */
function withFile(reason: unknown, body: EventStreamRequest["body"]): unknown {
  if (!(reason instanceof ModelError) || reason.part === undefined || typeof body === "string") return reason;
  const file = body.fileAt(reason.part);
  return file === undefined ? reason : reason.withFile(file);
}

/** Whether a response is an uncompressed event stream. Nothing is decompressed, against decompression bombs. */
function isEventStream(status: number, headers: IncomingHttpHeaders): boolean {
  const isPlain = (headers["content-encoding"] ?? "identity") === "identity";
  return status === 200 && isPlain && /^text\/event-stream\b/i.test(headers["content-type"] ?? "");
}
