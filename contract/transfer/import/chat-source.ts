import type { ArchivedFile, FileBytes } from "../archive/file-bytes.ts";

/**
 * A file of chats, in the form of Parley's own export. Each product whose chats can be imported has an implementation,
 * which converts while it reads: the file may be larger than memory.
 */
export type ChatSource<B extends FileBytes> = {
  /** Everything but the chats, as JSON without its end. */
  readonly head: string;
  /** Of the chats and of the files together, in bytes. */
  readonly size: number;
  /**
   * Yields the chats (JSON) of each piece of the file, in their order. `bytes`: size of the piece, of {@link size}.
   * @throws FileRefusal
   */
  chats(): AsyncIterable<{ chats: readonly string[]; bytes: number }>;
  /** Files that the chats name, by their ids; undefined if the source has none. */
  readonly files: ReadonlyMap<string, ArchivedFile<B>> | undefined;
};
