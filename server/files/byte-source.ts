/** Bytes that are read at any position, such as those of a stored file. */
export type ByteSource = {
  /** In bytes. */
  readonly size: number;
  /** Reads up to `length` bytes from position `at`; fewer only at the end. */
  read(at: number, length: number): Promise<Buffer>;
};
