import type { ImportOutcome } from "#contract/transfer/transfer.ts";
import type { ProgressTransport } from "../files/upload/upload-transport.ts";
import { ChatBatches, type ImportSum } from "./chat-batches.ts";
import type { ChatSource } from "./chat-source.ts";
import type { LostFile } from "./zip/archive-uploads.ts";

/** Result of an import. `files`: number of uploaded files; `lostFiles`: those that the server has not taken. */
export type ImportReport = ImportSum & { files: number; lostFiles: readonly LostFile[] };

/** `outcomes`: what became of each chat so far, by its number in the source, from 1. */
export type SourceReport = { report: ImportReport; outcomes: ReadonlyMap<number, ImportOutcome> };

export type ImportOptions = {
  signal: AbortSignal;
  /** Receives the completed fraction, 0 to 1. */
  onProgress: (share: number, sofar: SourceReport) => void;
  /** Sends the files; by default by XMLHttpRequest. */
  transport: ProgressTransport | undefined;
};

/**
 * Imports the chats of a source in batches; it may be larger than memory. Files are uploaded before the chats that name
 * them.
 * @throws FileRefusal, ApiError, and the signal's reason; the chats imported until then remain
 */
export async function importSource(
  source: ChatSource,
  { signal, onProgress, transport }: ImportOptions,
): Promise<SourceReport> {
  let readBytes = 0;
  const sofar = (): SourceReport => {
    const { taken: files = 0, lost: lostFiles = [] } = uploads ?? {};
    return { report: { ...batches.result, files, lostFiles }, outcomes: batches.outcomes };
  };
  const report = () => onProgress(Math.min(1, (readBytes + (uploads?.sentBytes ?? 0)) / source.size), sofar());
  const uploads = source.beginUploads?.({ transport, signal, onProgress: report });
  const batches = new ChatBatches(source.head, signal, uploads);
  for await (const { chats, bytes } of source.chats()) {
    signal.throwIfAborted();
    for (const chat of chats) batches.add(chat);
    readBytes += bytes;
    if (!batches.isFull) continue;
    await batches.send();
    report();
  }
  await batches.end();
  const result = sofar();
  onProgress(1, result);
  return result;
}
