import { Failure } from "../../failure.ts";
import type { ByteSource } from "../byte-source.ts";

/** Range of bytes; `to` is exclusive, by default the end. */
export type ByteRange = { from: number; to?: number };

/** A stored object, for the sweep and for verification. `storedAt`: Unix time in ms. */
export type StoredObject = { key: string; size: number; storedAt: number };

/**
 * Bytes of complete files by key. A key is a UUIDv7 of the server, never a name that a client has chosen. Bytes never
 * change: `put` under an existing key stores the same file again.
 */
export interface FileStore {
  /** Stores a file durably. After a crash it is stored whole or not at all. @returns its size in bytes */
  put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<number>;
  /** Streams a file or a range of it, and stops reading when the iteration ends. @throws MissingObject */
  open(key: string, range?: ByteRange): AsyncIterable<Uint8Array>;
  /** Does nothing if the file is not there. */
  delete(key: string): Promise<void>;
  list(): AsyncIterable<StoredObject>;
  /** Returns the size of a file in bytes; undefined if it is not there. */
  sizeOf(key: string): Promise<number | undefined>;
  /** Removes what killed puts have left before a time (Unix time in ms), and bytes that were replaced before it. */
  removeLeftovers(before: number): Promise<void>;
}

/** Bytes of incomplete uploads by key, which grow at their end. */
export interface UploadStore {
  /**
   * Appends bytes durably at position `at`. If the iteration fails, the bytes before the failure stay stored.
   * @returns the new size in bytes
   * @throws UploadMoved if the size is not `at`; then nothing is stored
   */
  append(key: string, at: number, bytes: AsyncIterable<Uint8Array>): Promise<number>;
  /** Size in bytes; 0 if nothing is stored. */
  size(key: string): Promise<number>;
  /** Calls `use` with the bytes stored so far. */
  read<Result>(key: string, use: (source: ByteSource) => Promise<Result>): Promise<Result>;
  /** Does nothing if the upload is not there. */
  delete(key: string): Promise<void>;
  list(): AsyncIterable<StoredObject>;
}

/** The store has no bytes under a key. */
export class MissingObject extends Error {}

/**
 * The server that stores files has failed or refused a request. Callers of the API get the sentence of `unavailable` or
 * `storage-full`.
 */
export class StoreFailure extends Failure {
  /** A sentence for the operator, without credentials. */
  readonly reason: string;
  /** Whether the same request may succeed later. */
  readonly isTemporary: boolean;

  constructor(reason: string, { isTemporary, isFull = false }: { isTemporary: boolean; isFull?: boolean }) {
    super(isFull ? "storage-full" : "unavailable", { cause: new Error(reason) });
    this.reason = reason;
    this.isTemporary = isTemporary;
  }
}

/** An upload has another size than the client believes. `size` in bytes. */
export class UploadMoved extends Error {
  readonly size: number;

  constructor(size: number) {
    super(`The upload has ${size} bytes`);
    this.size = size;
  }
}
