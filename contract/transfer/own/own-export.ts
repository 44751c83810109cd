import { type FileBytes, type FileOf, type JoinBytes, readPieces } from "../archive/file-bytes.ts";
import { FileRefusal } from "../archive/file-refusal.ts";
import { utf8Decoder } from "../archive/utf8.ts";
import type { ChatSource } from "../import/chat-source.ts";
import { EXPORT_FORMAT, EXPORT_VERSION } from "../transfer.ts";
import { type ExportArchive, openArchive } from "./export-archive.ts";
import { ExportScanner, NoExport } from "./export-scanner.ts";

/** Opens an export of Parley: its JSON, or a zip of it with its files. @throws FileRefusal */
export async function openExport<B extends FileBytes>(file: FileOf<B>, join: JoinBytes<B>): Promise<ChatSource<B>> {
  const archive = (await isZip(file)) ? await openArchive(file, join) : undefined;
  const chats: Chats = archive?.chats ?? { size: file.size, open: () => readPieces(file) };
  return {
    head: await readHead(chats),
    size: [...(archive?.files.values() ?? [])].reduce((sum, { size }) => sum + size, chats.size),
    chats: () => chatsOf(chats),
    files: archive?.files,
  };
}

/** Zip archives begin with these letters, and JSON does not. */
const isZip = async (file: FileBytes) =>
  utf8Decoder().decode(new Uint8Array(await file.slice(0, 2).arrayBuffer())) === "PK";

type Chats = ExportArchive<FileBytes>["chats"];

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
  const parsed = parsedHead(scanner.head);
  if (typeof parsed !== "object" || parsed === null || !("chats" in parsed)) throw new FileRefusal("not-an-export");
  const { chats: _, ...head }: Record<string, unknown> = { ...parsed };
  if (head.format !== EXPORT_FORMAT || typeof head.version !== "number") throw new FileRefusal("not-an-export");
  if (head.version > EXPORT_VERSION) throw new FileRefusal("newer-export");
  return JSON.stringify(head).slice(0, -1);
}

async function* textsOf(chats: Chats): AsyncGenerator<{ text: string; bytes: number }> {
  const decoder = utf8Decoder();
  for await (const piece of chats.open()) yield { text: decoder.decode(piece, { stream: true }), bytes: piece.length };
  yield { text: decoder.decode(), bytes: 0 };
}

function parsedHead(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    throw new FileRefusal("not-an-export");
  }
}
