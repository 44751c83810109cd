/** Bytes of a file, as a `Blob` of browsers and of Node has them: the file may be larger than memory. Sizes in bytes. */
export interface FileBytes {
  readonly size: number;
  slice(start: number, end: number): FileBytes;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** In bytes. */
const PIECE = 256 * 1024;

/** Yields the bytes of a file piece by piece. */
export async function* readPieces(file: FileBytes): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < file.size; at += PIECE) {
    yield new Uint8Array(await file.slice(at, Math.min(at + PIECE, file.size)).arrayBuffer());
  }
}
