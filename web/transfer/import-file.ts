import type { ProgressTransport } from "../files/upload/upload-transport.ts";
import { ChatBatches, type ImportSum } from "./chat-batches.ts";
import { openExport } from "./export-source.ts";
import type { LostFile } from "./zip/archive-uploads.ts";

/** Result of an import. `files`: number of uploaded files; `lostFiles`: those that the server has not taken. */
export type ImportReport = ImportSum & { files: number; lostFiles: readonly LostFile[] };

type Progress = (share: number, report: ImportReport) => void;

/**
 * Imports chats in batches; the file may be larger than memory. Files are uploaded before the chats that name them.
 * `onProgress` receives the completed fraction, 0 to 1.
 * @param transport sends the files; by default by XMLHttpRequest
 * @throws FileRefusal, ApiError, and the signal's reason; the chats imported until then remain
 */
export async function importFile(
  file: Blob,
  signal: AbortSignal,
  onProgress: Progress,
  transport?: ProgressTransport,
): Promise<ImportReport> {
  const source = await openExport(file);
  let readBytes = 0;
  const report = () => {
    const { taken: files = 0, lost: lostFiles = [], sentBytes = 0 } = uploads ?? {};
    const sofar: ImportReport = { ...batches.result, files, lostFiles };
    onProgress((readBytes + sentBytes) / source.size, sofar);
    return sofar;
  };
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
  const result = report();
  onProgress(1, result);
  return result;
}
