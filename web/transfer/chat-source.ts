import type { ArchiveUploads, ArchiveUploadsDeps } from "./zip/archive-uploads.ts";

export type UploadOptions = Omit<ArchiveUploadsDeps, "files" | "transport"> & {
  /** By default XMLHttpRequest. */
  transport: ArchiveUploadsDeps["transport"] | undefined;
};

/**
 * A file of chats, in the form of Parley's own export. Each product whose chats can be imported has an implementation,
 * which converts while it reads: the file may be larger than memory.
 */
export type ChatSource = {
  /** Everything but the chats, as JSON without its end. */
  readonly head: string;
  /** Of the chats and of the files together, in bytes. */
  readonly size: number;
  /**
   * Yields the chats (JSON) of each piece of the file, in their order. `bytes`: size of the piece, of {@link size}.
   * @throws FileRefusal
   */
  chats(): AsyncIterable<{ chats: readonly string[]; bytes: number }>;
  /** Begins to upload the files that the chats name; undefined if the source has no files. */
  beginUploads: ((options: UploadOptions) => ArchiveUploads) | undefined;
};
