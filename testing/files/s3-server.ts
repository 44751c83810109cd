import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { Bucket, type BucketAnswer, errorOf } from "./s3-bucket.ts";
import { isSignedBody, problemOfSignature, type SigningKeys } from "./s3-signature.ts";

/**
 * A fault of the server: an error instead of an answer; no answer at all; the end of the connection after some bytes of
 * the request's body, of the answer's body, or after the request was carried out; or any other answer.
 */
export type S3Fault =
  | { status: number; code: string }
  | { isSilent: true }
  | { cutRequestAfter: number }
  | { cutAnswerAfter: number }
  | { isAnswerLost: true }
  | { answer: BucketAnswer };

/** A request that the server has received. `name` of an object; empty for the bucket. */
export type S3Request = { method: string; name: string; query: URLSearchParams; headers: IncomingHttpHeaders };

type Parsed = { bucket: string; name: string; query: URLSearchParams };

const keys = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" };

/** An S3-compatible server with one bucket in memory, which checks signatures and can fail in many ways. */
export class S3Server implements AsyncDisposable {
  readonly keys: SigningKeys = { ...keys, region: "eu-test-1" };
  readonly bucketName = "attached";
  readonly bucket = new Bucket(() => this.now());
  /** All requests, in the order of their arrival. */
  readonly requests: S3Request[] = [];
  /** The clock that signatures are compared with, in ms. */
  now = () => Date.now();
  /** Returns the fault of a request, if it has one. */
  faultOf: (request: S3Request) => S3Fault | undefined = () => undefined;
  readonly #server: Server = createServer((request, response) => void this.#take(request, response));
  #port = 0;

  /** Number of open connections. */
  async countConnections(): Promise<number> {
    return new Promise((resolve, reject) =>
      this.#server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  }

  async listen(): Promise<void> {
    this.#server.listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Stops listening and ends all connections. {@link listen} continues on the same port. */
  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get port(): number {
    return this.#port;
  }

  /** Environment of a server that stores its files here. */
  envFor(prefix = "files"): Record<string, string> {
    return {
      FILES_URL: `s3://${this.bucketName}/${prefix}?endpoint=${this.endpoint}&region=${this.keys.region}`,
      FILES_ACCESS_KEY_ID: this.keys.accessKeyId,
      FILES_SECRET_ACCESS_KEY: this.keys.secretAccessKey,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.on("error", () => undefined);
    response.on("error", () => undefined);
    const { method = "", socket } = request;
    const { bucket, name, query } = this.#parse(request);
    const received = { method, name, query, headers: request.headers };
    this.requests.push(received);
    const fault = this.faultOf(received);
    if (fault && "isSilent" in fault) return;
    const limit = fault && "cutRequestAfter" in fault ? fault.cutRequestAfter : Number.POSITIVE_INFINITY;
    const body = await readUpTo(request, limit).catch(() => undefined);
    if (!body || body.length >= limit) {
      socket.resetAndDestroy();
      return;
    }
    const answer = this.#answer(request, { bucket, name, query }, body, fault);
    if (fault && "isAnswerLost" in fault) socket.destroy();
    else send(response, answer, { method, cutAfter: fault && "cutAnswerAfter" in fault ? fault.cutAnswerAfter : null });
  }

  #answer(request: IncomingMessage, parsed: Parsed, body: Buffer, fault: S3Fault | undefined): BucketAnswer {
    const { method = "", url: target = "", headers } = request;
    if (fault && "status" in fault) return errorOf(fault.status, fault.code);
    if (fault && "answer" in fault) return fault.answer;
    const flat = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    const problem = problemOfSignature({ method, target, headers: flat }, this.keys, this.now());
    if (problem) return errorOf(problem.status, problem.code);
    const hasBody = method === "PUT" || method === "POST";
    if (hasBody && headers["content-length"] === undefined) return errorOf(411, "MissingContentLength");
    if (!isSignedBody(flat, body)) return errorOf(400, "XAmzContentSHA256Mismatch");
    if (parsed.bucket !== this.bucketName) return errorOf(404, "NoSuchBucket");
    return this.bucket.answer({ method, ...parsed, range: headers.range, body });
  }

  /** Reads the bucket from the host or from the path. */
  #parse({ url = "", headers }: IncomingMessage): Parsed {
    const { pathname, searchParams: query } = new URL(url, "http://s3");
    const path = decodeURIComponent(pathname.slice(1));
    const [label = ""] = (headers.host ?? "").split(".");
    if (label === this.bucketName) return { bucket: label, name: path, query };
    const slash = path.indexOf("/");
    if (slash === -1) return { bucket: path, name: "", query };
    return { bucket: path.slice(0, slash), name: path.slice(slash + 1), query };
  }
}

/** Starts a server, and disposes it with the stack. */
export async function startS3Server(opened: AsyncDisposableStack): Promise<S3Server> {
  const server = opened.use(new S3Server());
  await server.listen();
  return server;
}

async function readUpTo(request: IncomingMessage, limit: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request) {
    pieces.push(piece);
    length += piece.length;
    if (length >= limit) break;
  }
  return Buffer.concat(pieces);
}

type Sending = { method: string; cutAfter: number | null };

function send(response: ServerResponse, { status, headers, body = "" }: BucketAnswer, { method, cutAfter }: Sending) {
  const bytes = Buffer.from(body);
  response.writeHead(status, { "content-length": bytes.length, ...headers });
  if (method === "HEAD") response.end();
  else if (cutAfter === null) response.end(bytes);
  else response.write(bytes.subarray(0, cutAfter), () => response.socket?.resetAndDestroy());
}
