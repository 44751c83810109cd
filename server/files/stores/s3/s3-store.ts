import { internalFlow } from "../../../concurrency/internal-flow.ts";
import { KeyedSemaphore } from "../../../concurrency/keyed-semaphore.ts";
import { type ByteRange, type FileStore, MissingObject, type StoredObject } from "../file-store.ts";
import { checkedKey } from "../store-key.ts";
import { abortUpload, MultipartUpload } from "./multipart-upload.ts";
import { type ObjectPart, partsOf } from "./object-parts.ts";
import { type S3Access, S3Client, type S3Options, type S3Stream } from "./s3-client.ts";
import { failureOfAnswer, failureOfForm, failureOfLoss } from "./s3-failure.ts";
import { listPending, listStored } from "./s3-lists.ts";

/** Puts at a time. Each holds a part of 5 MB in memory. */
const PUTS = { atOnce: 4, maxWaiting: Number.POSITIVE_INFINITY };
/** How often a download is continued after its connection was lost. */
const RESUMES = 3;
const NOT_FOUND = 404;
const PARTIAL_CONTENT = 206;
const RANGE_NOT_SATISFIABLE = 416;

/**
 * Complete files as objects of an S3-compatible server, named by prefix and key. A file of one part is stored by one
 * request, a larger one by a multipart upload: both are repeatable and signed with the hash of their bytes, so that the
 * server refuses bytes that were changed on the way.
 */
export class S3FileStore implements FileStore, AsyncDisposable {
  readonly #client: S3Client;
  readonly #puts = new KeyedSemaphore(PUTS);

  constructor(access: S3Access, options?: S3Options) {
    this.#client = new S3Client(access, options);
  }

  #nameOf(key: string): string {
    return this.#client.location.prefix + checkedKey(key);
  }

  /** @throws StoreFailure; what the iteration throws. Then nothing is visible */
  async put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
    const name = this.#nameOf(key);
    return this.#puts.run(internalFlow(name), () => this.#put(name, bytes));
  }

  async #put(name: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
    let upload: MultipartUpload | undefined;
    let size = 0;
    try {
      for await (const part of partsOf(bytes)) {
        size += part.bytes.length;
        if (part.isLast && !upload) {
          await this.#putWhole(name, part);
          return size;
        }
        upload ??= await MultipartUpload.begin(this.#client, name);
        await upload.add(part);
      }
      await upload?.complete(async () => (await this.#sizeOf(name)) === size);
      return size;
    } catch (error) {
      // A failure leaves the parts to `removeLeftovers`; the first error is the one to report.
      await upload?.abort().catch(() => undefined);
      throw error;
    }
  }

  async #putWhole(name: string, { bytes: body, sha256 }: ObjectPart): Promise<void> {
    await this.#client.call({ method: "PUT", name, body, sha256 });
  }

  /** Continues a download whose connection was lost: the bytes of a key never change. @throws MissingObject */
  async *open(key: string, range: ByteRange = { from: 0 }): AsyncGenerator<Uint8Array> {
    const name = this.#nameOf(key);
    const { from, to = Number.POSITIVE_INFINITY } = range;
    if (from >= to) {
      if ((await this.#sizeOf(name)) === undefined) throw new MissingObject(`No file is stored under ${key}`);
      return;
    }
    let at = from;
    for (let resumes = 0; resumes <= RESUMES; resumes++) {
      const opened = await this.#openAt(name, at, to);
      if (!opened) return;
      const pieces = opened.stream.body[Symbol.asyncIterator]();
      try {
        for (let piece = await nextOf(pieces); piece; piece = await nextOf(pieces)) {
          at += piece.length;
          yield piece;
        }
      } finally {
        abandon(opened.stream);
      }
      if (at >= opened.end) return;
    }
    throw failureOfLoss(this.#client.location);
  }

  /** Returns the bytes from a position on, and the position of their end; undefined if the file ends before it. */
  async #openAt(name: string, from: number, to: number): Promise<{ stream: S3Stream; end: number } | undefined> {
    const { location } = this.#client;
    const isWhole = from === 0 && to === Number.POSITIVE_INFINITY;
    const last = to === Number.POSITIVE_INFINITY ? "" : to - 1;
    const headers = isWhole ? {} : { range: `bytes=${from}-${last}` };
    const answer = await this.#client.stream({ method: "GET", name, headers }, [NOT_FOUND, RANGE_NOT_SATISFIABLE]);
    if ("code" in answer) {
      if (answer.status === RANGE_NOT_SATISFIABLE) return undefined;
      if (answer.code !== "NoSuchKey") throw failureOfAnswer(location, answer);
      throw new MissingObject(`No file is stored as ${name}`);
    }
    const length = lengthOf(answer.headers["content-length"]);
    const isRange = isWhole || isRangeFrom(answer, from);
    if (length !== undefined && isRange && from + length <= to) return { stream: answer, end: from + length };
    abandon(answer);
    throw failureOfForm(location, length === undefined ? "a file without a length" : "another range than asked for");
  }

  /** @throws StoreFailure */
  async delete(key: string): Promise<void> {
    await this.#client.call({ method: "DELETE", name: this.#nameOf(key) });
  }

  list(): AsyncIterable<StoredObject> {
    return listStored(this.#client);
  }

  /** Returns the size of a file in bytes; undefined if it is not there. @throws StoreFailure */
  async sizeOf(key: string): Promise<number | undefined> {
    return this.#sizeOf(this.#nameOf(key));
  }

  async #sizeOf(name: string): Promise<number | undefined> {
    const { status, headers } = await this.#client.call({ method: "HEAD", name }, [NOT_FOUND]);
    if (status === NOT_FOUND) return undefined;
    const length = lengthOf(headers["content-length"]);
    if (length === undefined) throw failureOfForm(this.#client.location, "a file without a length");
    return length;
  }

  /** Checks by one attempt that the server answers and accepts the credentials. @throws StoreFailure */
  async check(): Promise<void> {
    const { prefix } = this.#client.location;
    const query = { "list-type": "2", "max-keys": "1", prefix };
    await this.#client.call({ method: "GET", query, isOnce: true });
  }

  /** Removes the parts of puts that began before a time (Unix time in ms). @throws StoreFailure */
  async removeLeftovers(before: number): Promise<void> {
    for await (const upload of listPending(this.#client)) {
      if (upload.initiatedAt < before) await abortUpload(this.#client, upload);
    }
  }

  /** Ends running calls. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#puts[Symbol.dispose]();
    await this.#client[Symbol.asyncDispose]();
  }
}

/** Returns the next piece; undefined at the end, and where the connection was lost. */
async function nextOf(pieces: AsyncIterator<Buffer>): Promise<Buffer | undefined> {
  try {
    const { done, value } = await pieces.next();
    return done === true ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Closes the connection of an answer whose body is not read to its end. */
function abandon({ body }: S3Stream): void {
  body.on("error", () => undefined).destroy();
}

function lengthOf(header: string | string[] | undefined): number | undefined {
  return typeof header === "string" && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}

function isRangeFrom({ status, headers }: S3Stream, from: number): boolean {
  return status === PARTIAL_CONTENT && String(headers["content-range"]).startsWith(`bytes ${from}-`);
}
