import { EXPORT_FORMAT, EXPORT_VERSION, type ImportResult } from "#contract/transfer/transfer.ts";
import { parseJson } from "../api/api-error.ts";
import type { ProgressTransport } from "../files/upload/upload-transport.ts";
import { ChatBatches } from "./chat-batches.ts";
import { ExportScanner, NoExport } from "./export-scanner.ts";
import { FileRefusal } from "./file-refusal.ts";
import { readPieces } from "./read-pieces.ts";
import type { LostFile } from "./zip/archive-uploads.ts";
import type { ExportArchive } from "./zip/export-archive.ts";

/** Result of an import. `files`: number of uploaded files; `lostFiles`: those that the server has not taken. */
export type ImportReport = ImportResult & { files: number; lostFiles: readonly LostFile[] };

type Progress = (share: number, report: ImportReport) => void;

/**
 * Imports an export in batches; the file may be larger than memory. Of a zip, the files are uploaded before the chats
 * that name them. `onProgress` receives the completed fraction, 0 to 1.
 * @param transport sends the files; by default by XMLHttpRequest
 * @throws FileRefusal, ApiError, and the signal's reason; the chats imported until then remain
 */
export async function importFile(
  file: Blob,
  signal: AbortSignal,
  onProgress: Progress,
  transport?: ProgressTransport,
): Promise<ImportReport> {
  const zip = (await isZip(file)) ? await import("./zip/zip-import.ts") : undefined;
  const archive = await zip?.openArchive(file);
  const chats: Chats = archive?.chats ?? { size: file.size, open: () => readPieces(file.stream()) };
  const head = await readHead(chats);
  const total = [...(archive?.files.values() ?? [])].reduce((sum, { size }) => sum + size, chats.size);
  let bytes = 0;
  const report = () => {
    const { taken: files = 0, lost: lostFiles = [], sentBytes = 0 } = uploads ?? {};
    const sofar: ImportReport = { ...batches.result, files, lostFiles };
    onProgress((bytes + sentBytes) / total, sofar);
    return sofar;
  };
  const uploads = zip && archive && zip.beginUploads({ files: archive.files, transport, signal, onProgress: report });
  const batches = new ChatBatches(head, signal, uploads);
  const scanner = new ExportScanner((chat) => batches.add(chat));
  for await (const { text, size } of piecesOf(chats)) {
    signal.throwIfAborted();
    scanner.push(text);
    bytes += size;
    if (!batches.isFull) continue;
    await batches.send();
    report();
  }
  await batches.end();
  const result = report();
  onProgress(1, result);
  return result;
}

/** Zip archives begin with these letters, and JSON does not. */
const isZip = async (file: Blob) => (await file.slice(0, 2).text()) === "PK";

type Chats = ExportArchive["chats"];

/** Returns everything but the chats, as JSON without its end. @throws FileRefusal */
async function readHead(chats: Chats): Promise<string> {
  const scanner = new ExportScanner(() => {});
  try {
    for await (const { text } of piecesOf(chats)) scanner.push(text);
  } catch (error) {
    if (error instanceof NoExport) throw new FileRefusal("not-an-export");
    throw error;
  }
  const parsed = parseJson(scanner.head);
  if (typeof parsed !== "object" || parsed === null || !("chats" in parsed)) throw new FileRefusal("not-an-export");
  const { chats: _, ...head }: Record<string, unknown> = { ...parsed };
  if (head.format !== EXPORT_FORMAT || typeof head.version !== "number") throw new FileRefusal("not-an-export");
  if (head.version > EXPORT_VERSION) throw new FileRefusal("newer-export");
  return JSON.stringify(head).slice(0, -1);
}

async function* piecesOf(chats: Chats): AsyncGenerator<{ text: string; size: number }> {
  const decoder = new TextDecoder();
  for await (const piece of chats.open()) yield { text: decoder.decode(piece, { stream: true }), size: piece.length };
  yield { text: decoder.decode(), size: 0 };
}
