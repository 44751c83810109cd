import { setImmediate } from "node:timers/promises";
import type { ByteSource } from "../byte-source.ts";
import { BrokenPicture } from "./picture.ts";

/** Bytes that are read at a time: the only part of a source that is in memory. */
export const BLOCK_BYTES = 64 * 1024;

/**
 * Bound of the segments, chunks or blocks of one file, each of which costs a few microseconds. PNG files mostly have
 * chunks of 8 kB, which are 2,500 in 20 MB.
 */
const MAX_CHUNKS = 100_000;

/**
 * Reader of a source in blocks. Yields to the event loop before each block, so that a source in memory is not
 * scanned at one go.
 */
export class ByteCursor {
  readonly #source: ByteSource;
  #block: Buffer = Buffer.alloc(0);
  #blockAt = 0;
  #position = 0;
  #chunks = 0;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  /** Position of the next byte in the source. */
  get position(): number {
    return this.#position;
  }

  /** Bytes after the position. */
  get remaining(): number {
    return this.#source.size - this.#position;
  }

  /**
   * Returns the bytes after the position, at least `length` and at most a block, and does not advance. The bytes are
   * not copied.
   * @param length at most `BLOCK_BYTES`
   * @throws BrokenPicture if fewer bytes remain; Error if the source returns fewer than it has
   */
  async ahead(length: number): Promise<Buffer> {
    const start = this.#position - this.#blockAt;
    if (start >= 0 && start + length <= this.#block.length) return this.#block.subarray(start);
    if (length > this.remaining) throw new BrokenPicture("The file is truncated");
    await setImmediate();
    this.#block = await this.#source.read(this.#position, BLOCK_BYTES);
    this.#blockAt = this.#position;
    if (this.#block.length < length) throw new Error("The source is shorter than its size");
    return this.#block;
  }

  /** Returns the next `length` bytes and advances. @throws BrokenPicture if fewer remain */
  async take(length: number): Promise<Buffer> {
    const bytes = await this.ahead(length);
    this.#position += length;
    return bytes.subarray(0, length);
  }

  /** Advances without reading. @throws BrokenPicture if fewer than `length` bytes remain */
  skip(length: number): void {
    if (length > this.remaining) throw new BrokenPicture("The file is truncated");
    this.#position += length;
  }

  /** Advances or returns to a position. The block in memory is used again if it holds the position. */
  moveTo(position: number): void {
    this.#position = position;
  }

  /** Counts a segment, chunk or block of the format. @throws BrokenPicture if there are too many */
  countChunk(): void {
    if (++this.#chunks > MAX_CHUNKS) throw new BrokenPicture("The file has too many chunks");
  }

  /** Yields the next `length` bytes in blocks, and advances with them. @throws BrokenPicture if fewer remain */
  async *blocks(length: number): AsyncGenerator<Buffer> {
    for (let left = length; left > 0; ) {
      const block = (await this.ahead(1)).subarray(0, left);
      this.#position += block.length;
      left -= block.length;
      yield block;
    }
  }
}
