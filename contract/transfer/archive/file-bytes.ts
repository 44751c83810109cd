/** Bytes of a file, as a `Blob` of browsers and of Node has them: the file may be larger than memory. Sizes in bytes. */
export interface FileBytes {
  readonly size: number;
  slice(start: number, end: number): FileBytes;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** A file of which the slices are `B`, e.g. `Blob`. */
export interface FileOf<B extends FileBytes> extends FileBytes {
  slice(start: number, end: number): B;
}

/** Joins pieces to bytes of a kind, e.g. to a `Blob`. */
export type JoinBytes<B extends FileBytes> = (pieces: readonly Uint8Array<ArrayBuffer>[]) => B;

/** A file of an archive. `read` checks its bytes. @throws FileRefusal `broken-archive`, `archive-too-complex` */
export type ArchivedFile<B extends FileBytes> = { size: number; read(): Promise<B> };

/** In bytes. */
const PIECE = 256 * 1024;

/** Yields the bytes of a file piece by piece. */
export async function* readPieces(file: FileBytes): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < file.size; at += PIECE) {
    yield new Uint8Array(await file.slice(at, Math.min(at + PIECE, file.size)).arrayBuffer());
  }
}
