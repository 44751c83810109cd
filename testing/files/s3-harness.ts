import { s3LocationOf } from "../../server/config/files-url.ts";
import { StoreFailure } from "../../server/files/stores/file-store.ts";
import type { S3Options } from "../../server/files/stores/s3/s3-client.ts";
import { S3FileStore } from "../../server/files/stores/s3/s3-store.ts";
import { Outbound } from "../../server/outbound/outbound.ts";
import { type S3Fault, type S3Request, S3Server } from "./s3-server.ts";

export type S3StoreSettings = S3Options & { url?: string; secretAccessKey?: string; accessKeyId?: string };

/** A server, and stores on it. */
export class S3Harness implements AsyncDisposable {
  readonly server = new S3Server();
  readonly #opened = new AsyncDisposableStack();

  async open(): Promise<void> {
    this.#opened.use(this.server);
    await this.server.listen();
  }

  openStore({ url, secretAccessKey, accessKeyId, ...options }: S3StoreSettings = {}): S3FileStore {
    const { keys } = this.server;
    const location = s3LocationOf(url ?? this.server.envFor().FILES_URL ?? "");
    const credentials = {
      accessKeyId: accessKeyId ?? keys.accessKeyId,
      secretAccessKey: secretAccessKey ?? keys.secretAccessKey,
    };
    return this.#opened.use(
      new S3FileStore({ location, credentials, outbound: new Outbound() }, { backoffMs: 1, ...options }),
    );
  }

  /** Gives the first `times` requests that match a fault. */
  fail(matches: (request: S3Request) => boolean, fault: S3Fault, times = Number.POSITIVE_INFINITY): void {
    let count = 0;
    this.server.faultOf = (request) => (matches(request) && count++ < times ? fault : undefined);
  }

  /** Methods of all requests. */
  get methods(): string[] {
    return this.server.requests.map(({ method }) => method);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened.disposeAsync();
  }
}

/** Yields bytes in pieces of 64 kB. */
export async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

export const anyRequest = () => true;
export const isMethod = (method: string) => (request: S3Request) => request.method === method;

/** Returns the failure of a store that work ends with. @throws Error if it ends otherwise */
export async function storeFailureOf(work: Promise<unknown>): Promise<StoreFailure> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof StoreFailure) return error;
  throw new Error("The work did not end with a failure of the store", { cause: error });
}
