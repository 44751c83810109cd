/** Files whose content depends on their key, so that a test recognises them whole. */

/** Pieces of a file. */
export const PIECES = 12;
/** In bytes: pieces end within chunks and blocks. */
export const PIECE_BYTES = 50_000;

/** Returns the n-th piece of the file with a key. `size` in bytes. */
export const pieceOf = (key: string, n: number, size = PIECE_BYTES): Buffer => Buffer.alloc(size, `${key} ${n} `);

/** Returns the whole file with a key. `size`: of a piece in bytes. */
export const fileOf = (key: string, size = PIECE_BYTES): Buffer =>
  Buffer.concat(Array.from({ length: PIECES }, (_, n) => pieceOf(key, n, size)));
