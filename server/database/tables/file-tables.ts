/** Rows with the bytes of attached files on PostgreSQL. SQLite has the tables too, but there the bytes are files. */

/** Bytes of a file that is stored whole. A file is visible once it has this row. */
export interface FileObjectRow {
  key: string;
  /** The put that stored it (UUIDv7). */
  version: string;
  /** In bytes. */
  size: number;
  stored_at: number;
}

export interface FileChunkRow {
  key: string;
  version: string;
  /** Position of its first byte in the file. */
  at: number;
  bytes: Uint8Array;
}

/** Bytes of an incomplete upload. */
export interface UploadObjectRow {
  key: string;
  /** In bytes. */
  size: number;
  /** Time of the last append. */
  stored_at: number;
}

export interface UploadChunkRow {
  key: string;
  /** Position of its first byte in the upload. */
  at: number;
  bytes: Uint8Array;
}
