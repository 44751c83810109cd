import type { FileHandle } from "node:fs/promises";
import type { FileBytes, FileOf } from "#contract/transfer/archive/file-bytes.ts";

type Range = { from: number; size: number };

/** A range of an open file. Its bytes are read when they are needed, because the file may be larger than memory. */
export class FileRange implements FileOf<FileBytes> {
  readonly size: number;
  readonly #file: Pick<FileHandle, "read">;
  readonly #from: number;

  constructor(file: Pick<FileHandle, "read">, { from, size }: Range) {
    this.#file = file;
    this.#from = from;
    this.size = size;
  }

  slice(start: number, end: number): FileRange {
    const from = Math.min(start, this.size);
    const size = Math.max(0, Math.min(end, this.size) - from);
    return new FileRange(this.#file, { from: this.#from + from, size });
  }

  /** @throws Error if the file has become shorter meanwhile */
  async arrayBuffer(): Promise<ArrayBuffer> {
    const bytes = new Uint8Array(this.size);
    for (let at = 0; at < this.size; ) {
      const { bytesRead } = await this.#file.read(bytes, at, this.size - at, this.#from + at);
      if (bytesRead === 0) throw new Error("The file has become shorter while it was read.");
      at += bytesRead;
    }
    return bytes.buffer;
  }
}
