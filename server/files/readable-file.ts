import { type AttachedFile, type FileKind, fileKindOf } from "#contract/files/files.ts";
import { toAttachedFile } from "./attached-file-store.ts";
import type { AttachmentReading } from "./attachment-reader.ts";
import type { ByteSource } from "./byte-source.ts";
import { bytesOf } from "./pictures/read-picture.ts";

/**
 * A file that was read and can be read again, wherever its bytes are: stored, or in memory. `textBytes`: length of its
 * readable text in UTF-8. `open` streams its bytes.
 */
export type ReadableFile = AttachedFile & {
  kind: FileKind;
  textBytes: number;
  readText(): Promise<string>;
  open(): AsyncIterable<Uint8Array>;
};

/** Returns bytes in memory as a source. */
export function memorySource(bytes: Buffer): ByteSource {
  return { size: bytes.length, read: async (at, length) => bytes.subarray(at, at + length) };
}

/** Returns a file whose bytes are those of a source; nothing of it is copied. */
export function fileFromSource(
  { id, name }: Pick<AttachedFile, "id" | "name">,
  source: ByteSource,
  { facts, pieces, text }: AttachmentReading,
): ReadableFile {
  return {
    ...toAttachedFile({ id, name, ...facts }),
    kind: fileKindOf(facts.type),
    textBytes: Buffer.byteLength(text),
    readText: async () => text,
    open: () => bytesOf(source, pieces),
  };
}
