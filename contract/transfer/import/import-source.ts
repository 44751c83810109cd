import type { FileBytes } from "../archive/file-bytes.ts";
import type { ImportOutcome } from "../transfer.ts";
import { ArchiveUploads, type LostFile, type RemoveFile, type UploadFile } from "./archive-uploads.ts";
import { type BatchTarget, ChatBatches, type ImportSum } from "./chat-batches.ts";
import type { ChatSource } from "./chat-source.ts";

/** Result of an import. `files`: number of uploaded files; `lostFiles`: rejected files. */
export type ImportReport = ImportSum & { files: number; lostFiles: readonly LostFile[] };

/** `outcomes`: what became of each chat so far, by its number in the source, from 1. */
export type SourceReport = { report: ImportReport; outcomes: ReadonlyMap<number, ImportOutcome> };

/** Ends an import between two pieces of its file. An `AbortSignal` is one. */
export type StopSignal = { throwIfAborted(): void };

/** Where the chats and files of a source go. */
export type ImportTarget<B extends FileBytes> = BatchTarget & {
  upload: UploadFile<B>;
  remove: RemoveFile;
};

export type ImportOptions<B extends FileBytes> = ImportTarget<B> & {
  signal: StopSignal;
  /** Receives the completed fraction, 0 to 1. */
  onProgress: (share: number, sofar: SourceReport) => void;
};

/**
 * Imports the chats of a source in batches; it may be larger than memory. Files are uploaded before the chats that name
 * them.
 * @throws FileRefusal, errors of the target, and the signal's reason; the chats imported until then remain
 */
export async function importSource<B extends FileBytes>(
  source: ChatSource<B>,
  { signal, onProgress, ...target }: ImportOptions<B>,
): Promise<SourceReport> {
  let readBytes = 0;
  const sofar = (): SourceReport => {
    const { taken: files = 0, lost: lostFiles = [] } = uploads ?? {};
    return { report: { ...batches.result, files, lostFiles }, outcomes: batches.outcomes };
  };
  const report = () => onProgress(Math.min(1, (readBytes + (uploads?.sentBytes ?? 0)) / source.size), sofar());
  const uploads = source.files && new ArchiveUploads<B>({ ...target, files: source.files, onProgress: report });
  const batches = new ChatBatches(source.head, target, uploads);
  try {
    for await (const { chats, bytes } of source.chats()) {
      signal.throwIfAborted();
      for (const chat of chats) batches.add(chat);
      readBytes += bytes;
      if (!batches.isFull) continue;
      await batches.send();
      report();
    }
    await batches.end();
  } catch (error) {
    // With the batches since the last report.
    report();
    throw error;
  }
  const result = sofar();
  onProgress(1, result);
  return result;
}
