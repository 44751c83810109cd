import type { Readable } from "node:stream";
import { TEMPORARY_HEAD_MAX, TEMPORARY_LENGTH_BYTES } from "#contract/conversation/temporary.ts";
import { Failure } from "../../failure.ts";

/**
 * Body of a request that begins with the length of a JSON text and that text, and goes on with bytes. It is read piece
 * by piece into buffers of the caller, and no faster.
 */
export class FramedBody {
  readonly #body: Readable;
  /** Bytes that have arrived and are not read yet. */
  #rest: Buffer = Buffer.alloc(0);

  constructor(body: Readable) {
    this.#body = body;
  }

  /** Reads the JSON text. @throws Failure `too-large`; as {@link fill} */
  async readHead(): Promise<string> {
    const length = Buffer.alloc(TEMPORARY_LENGTH_BYTES);
    await this.fill(length);
    const size = length.readUInt32BE();
    if (size > TEMPORARY_HEAD_MAX) throw new Failure("too-large");
    const head = Buffer.alloc(size);
    await this.fill(head);
    return head.toString("utf8");
  }

  /** Reads as many bytes as the buffer has. @throws Failure `invalid-input` if the body ends before or breaks off */
  async fill(target: Buffer): Promise<void> {
    for (let filled = 0; filled < target.length; ) {
      if (this.#rest.length === 0) this.#rest = (await this.#next()) ?? broken();
      const taken = this.#rest.copy(target, filled);
      filled += taken;
      this.#rest = this.#rest.subarray(taken);
    }
    // Not kept by an empty view of it.
    if (this.#rest.length === 0) this.#rest = Buffer.alloc(0);
  }

  /** @throws Failure `invalid-input` if the body has more bytes */
  async end(): Promise<void> {
    if (this.#rest.length > 0 || (await this.#next())) broken();
  }

  /**
   * Returns the next bytes that arrive, null at the end. Leaves no listener behind, of which a large body would have
   * hundreds.
   */
  async #next(): Promise<Buffer | null> {
    const body = this.#body;
    for (;;) {
      const chunk: unknown = body.read();
      if (Buffer.isBuffer(chunk)) return chunk;
      if (body.readableEnded) return null;
      if (body.errored || body.destroyed) broken(body.errored);
      await changeOf(body);
    }
  }
}

/** Resolves once a stream has bytes, or has ended in any way. */
function changeOf(body: Readable): Promise<void> {
  const events = ["readable", "end", "error", "close"];
  const { promise, resolve } = Promise.withResolvers<void>();
  const onChange = () => resolve();
  for (const event of events) body.on(event, onChange);
  return promise.finally(() => {
    for (const event of events) body.off(event, onChange);
  });
}

function broken(cause?: unknown): never {
  throw new Failure("invalid-input", { cause });
}
