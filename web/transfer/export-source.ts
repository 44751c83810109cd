import { readPieces } from "#contract/transfer/archive/file-bytes.ts";
import { FileRefusal } from "#contract/transfer/archive/file-refusal.ts";
import { EXPORT_FORMAT, EXPORT_VERSION } from "#contract/transfer/transfer.ts";
import { parseJson } from "../api/api-error.ts";
import type { ChatSource } from "./chat-source.ts";
import { ExportScanner, NoExport } from "./export-scanner.ts";
import type { ExportArchive } from "./zip/export-archive.ts";

/** Opens an export of Parley: its JSON, or a zip of it with its files. @throws FileRefusal */
export async function openExport(file: Blob): Promise<ChatSource> {
  const zip = (await isZip(file)) ? await import("./zip/zip-import.ts") : undefined;
  const archive = await zip?.openArchive(file);
  const chats: Chats = archive?.chats ?? { size: file.size, open: () => readPieces(file) };
  return {
    head: await readHead(chats),
    size: [...(archive?.files.values() ?? [])].reduce((sum, { size }) => sum + size, chats.size),
    chats: () => chatsOf(chats),
    beginUploads: zip && archive && ((options) => zip.beginUploads({ ...options, files: archive.files })),
  };
}

/** Zip archives begin with these letters, and JSON does not. */
const isZip = async (file: Blob) => (await file.slice(0, 2).text()) === "PK";

type Chats = ExportArchive["chats"];

async function* chatsOf(chats: Chats): AsyncGenerator<{ chats: readonly string[]; bytes: number }> {
  let found: string[] = [];
  const scanner = new ExportScanner((chat) => void found.push(chat));
  for await (const { text, bytes } of textsOf(chats)) {
    scanner.push(text);
    yield { chats: found, bytes };
    found = [];
  }
}

/** Returns everything but the chats, as JSON without its end. @throws FileRefusal */
async function readHead(chats: Chats): Promise<string> {
  const scanner = new ExportScanner(() => {});
  try {
    for await (const { text } of textsOf(chats)) scanner.push(text);
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

async function* textsOf(chats: Chats): AsyncGenerator<{ text: string; bytes: number }> {
  const decoder = new TextDecoder();
  for await (const piece of chats.open()) yield { text: decoder.decode(piece, { stream: true }), bytes: piece.length };
  yield { text: decoder.decode(), bytes: 0 };
}
