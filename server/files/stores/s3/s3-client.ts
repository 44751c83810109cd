import type { LookupFunction } from "node:net";
import { setTimeout } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import type { Dispatcher } from "undici";
import { MINUTE, SECOND } from "#contract/limits.ts";
import { AbortScope } from "../../../concurrency/abort-scope.ts";
import { outsideRequests } from "../../../concurrency/outside-requests.ts";
import type { S3Credentials, S3Location } from "../../../config/files-url.ts";
import type { Outbound } from "../../../outbound/outbound.ts";
import { StoreFailure } from "../file-store.ts";
import { codeOfError, failureOfAnswer, failureOfConnection, failureOfForm, type Refused } from "./s3-failure.ts";

export type S3Access = { location: S3Location; credentials: S3Credentials; outbound: Outbound };

/** Times in ms, and the resolution of host names, which tests replace. */
export type S3Options = {
  attemptMs?: number;
  /** Pause before the second attempt; each further one is three times as long. */
  backoffMs?: number;
  lookup?: LookupFunction;
};

/**
 * `name`: of an object; without it the call is for the bucket. `sha256`: of the body, in hex. `isOnce`: whether it is
 * not repeated.
 */
export type S3Call = {
  method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  name?: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array | string;
  sha256?: string;
  isOnce?: boolean;
};

/** `text`: the body. */
export type S3Answer = { status: number; headers: Dispatcher.ResponseData["headers"]; text: string };

/** A successful answer whose body is not read yet. */
export type S3Stream = Pick<Dispatcher.ResponseData, "headers" | "body"> & { status: number };

const CONNECT_TIMEOUT_MS = 3 * SECOND;
/** Of one attempt, until its answer: a part of 5 MB is sent at 90 kB/s at least. */
const ATTEMPT_MS = MINUTE;
/** Between two pieces of a body that is read. */
const SILENCE_MS = 30 * SECOND;
const ATTEMPTS = 4;
const BACKOFF_MS = 100;
const BACKOFF_GROWTH = 3;
/** No attempt begins later than this after the first. */
const RETRIES_END_MS = 20 * SECOND;
/** Longest text of an answer: a page of 1,000 objects has 400 kB. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024;
const EMPTY_SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/**
 * Signed requests to a bucket. All calls are repeated after failures of the connection and of the server, because each
 * has the same result if it is done twice. Redirects are not followed.
 */
export class S3Client implements AsyncDisposable {
  readonly location: S3Location;
  readonly #credentials: S3Credentials;
  readonly #options: Required<Omit<S3Options, "lookup">> & Pick<S3Options, "lookup">;
  readonly #base: string;
  /** Signing keys, one for each day. */
  #signingKeys = { day: "", keys: new Map<string, ArrayBuffer>() };
  readonly #outbound: Outbound;
  #pool: Promise<Dispatcher> | undefined;
  #isClosed = false;

  constructor({ location, credentials, outbound }: S3Access, options: S3Options = {}) {
    this.location = location;
    this.#credentials = credentials;
    this.#options = { attemptMs: ATTEMPT_MS, backoffMs: BACKOFF_MS, ...options };
    this.#base = baseOf(location);
    this.#outbound = outbound;
  }

  /**
   * Sends a call and reads its answer, a success or one of the given statuses.
   * @throws StoreFailure
   */
  call(call: S3Call, accepted: readonly number[] = []): Promise<S3Answer & { code: string }> {
    return this.#retry(call, async (signal) => {
      const { statusCode: status, headers, body } = await this.#send(call, signal);
      const text = await this.#read(body);
      // S3 begins to answer before it has combined the parts of an upload, and may end with an error.
      const code = status >= 300 || call.method === "POST" ? codeOfError(text) : "";
      const isRefused = status >= 300 || code !== "";
      if (isRefused && !accepted.includes(status)) throw failureOfAnswer(this.location, { status, code });
      return { status, code, headers, text };
    });
  }

  /**
   * Sends a call and returns its answer when its body begins. The caller must read or destroy the body.
   * @returns the answer, or what the server has refused it with if that is one of the given statuses
   * @throws StoreFailure
   */
  stream(call: S3Call, accepted: readonly number[] = []): Promise<S3Stream | Refused> {
    return this.#retry(call, async (signal) => {
      const { statusCode: status, headers, body } = await this.#send(call, signal);
      if (status < 300) return { status, headers, body };
      const refused = { status, code: codeOfError(await this.#read(body)) };
      if (!accepted.includes(status)) throw failureOfAnswer(this.location, refused);
      return refused;
    });
  }

  /** Aborts all running calls, and closes all connections. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    const pool = await this.#pool;
    await pool?.destroy();
  }

  async #retry<Result>({ isOnce = false }: S3Call, attempt: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const attempts = isOnce ? 1 : ATTEMPTS;
    // Loading its module is no part of an attempt.
    await this.#connect();
    const begunAt = performance.now();
    let pauseMs = this.#options.backoffMs;
    for (let count = 1; ; count++) {
      try {
        // Ends with the answer: a body may take any time, and has a timeout of its own.
        using scope = new AbortScope({ ms: this.#options.attemptMs });
        return await attempt(scope.signal);
      } catch (error) {
        const failure = error instanceof StoreFailure ? error : failureOfConnection(this.location, error);
        const isLate = performance.now() - begunAt > RETRIES_END_MS;
        if (!failure.isTemporary || this.#isClosed || isLate || count === attempts) throw failure;
      }
      // Jitter, so that several processes do not repeat at once.
      await setTimeout(pauseMs * (0.5 + Math.random() / 2));
      pauseMs *= BACKOFF_GROWTH;
    }
  }

  async #send(call: S3Call, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const pool = await this.#connect();
    const { method, body = null } = call;
    const { url, headers } = await this.#sign(call);
    return pool.request({ origin: url.origin, path: url.pathname + url.search, method, headers, signal, body });
  }

  /** Signs as https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
  async #sign({ method, name = "", query = {}, headers = {}, sha256 = EMPTY_SHA256 }: S3Call) {
    const url = new URL(this.#base + name);
    for (const [parameter, value] of Object.entries(query)) url.searchParams.set(parameter, value);
    const { region } = this.location;
    const signer = new AwsV4Signer({
      ...{ method, url: url.href, region, service: "s3", ...this.#credentials, cache: this.#keysOfToday() },
      headers: { ...headers, "x-amz-content-sha256": sha256 },
    });
    const signed = await signer.sign();
    // Not signed, because proxies change them.
    const unsigned = { "accept-encoding": "identity", "user-agent": "parley" };
    return { url: signed.url, headers: { ...Object.fromEntries(signed.headers), ...unsigned } };
  }

  #keysOfToday(): Map<string, ArrayBuffer> {
    const day = new Date().toISOString().slice(0, "2026-01-01".length);
    if (this.#signingKeys.day !== day) this.#signingKeys = { day, keys: new Map() };
    return this.#signingKeys.keys;
  }

  async #read(body: Dispatcher.ResponseData["body"]): Promise<string> {
    const pieces: Buffer[] = [];
    let length = 0;
    for await (const piece of body) {
      pieces.push(piece);
      length += piece.length;
      if (length > MAX_TEXT_BYTES) throw failureOfForm(this.location, "a text that is too long");
    }
    return Buffer.concat(pieces).toString("utf8");
  }

  #connect() {
    this.#pool ??= outsideRequests(() => this.#open());
    return this.#pool;
  }

  async #open(): Promise<Dispatcher> {
    const { lookup } = this.#options;
    const options = { connectMs: CONNECT_TIMEOUT_MS, bodyMs: SILENCE_MS, ...(lookup && { lookup }) };
    const pool = await this.#outbound.open(new URL(this.#base), options);
    if (this.#isClosed) await pool.destroy();
    return pool;
  }
}

/** Returns the URL of a bucket's objects, which ends with the prefix of their names. */
function baseOf({ endpoint, bucket, isPathStyle }: S3Location): string {
  if (isPathStyle) return `${endpoint}/${bucket}/`;
  const url = new URL(`${endpoint}/`);
  url.hostname = `${bucket}.${url.hostname}`;
  return url.href;
}
