import { type FileBytes, readPieces } from "../archive/file-bytes.ts";
import { FileRefusal } from "../archive/file-refusal.ts";
import { utf8Decoder } from "../archive/utf8.ts";
import { readDirectory, type ZipEntry } from "../archive/zip-directory.ts";
import { entryPieces } from "../archive/zip-entry.ts";
import type { ImportService } from "../transfer.ts";
import type { ConversionContext, ConvertedChat, Converter, ForeignFolder } from "./foreign-chat.ts";
import { listOf, recordOf } from "./unknown-values.ts";
import { ValueScanner } from "./value-scanner.ts";

/** Values of a file that are looked at before it is none of a service: the first chats of an export may be broken. */
const LOOKED_AT = 20;

/**
 * Chats of a piece of an export, in its order, each as it was converted; undefined for a value that is no chat, or for
 * the rest of an export that ends in the middle. `folders`: of the service, which chats may name. `bytes`: size of the
 * piece, of {@link ForeignExport.size}.
 */
export type ConvertedPiece = { chats: (ConvertedChat | undefined)[]; folders: ForeignFolder[]; bytes: number };

/** An export of another service. */
export type ForeignExport = {
  service: ImportService;
  /** Of the texts of its chats, in bytes. */
  size: number;
  /** Reads and converts the chats. @throws FileRefusal `broken-archive`, `archive-too-complex` */
  chats(): AsyncGenerator<ConvertedPiece>;
  /** Returns the entry of the archive whose name, without its folder, begins with a text. */
  findEntry(start: string): ZipEntry | undefined;
};

/** A text of a file: the file itself, without a name, or an entry of an archive. */
type Text = { name: string; size: number; open(): AsyncIterable<Uint8Array> };

/** Names by which services call their lists of chats in archives. */
const CHATS_NAME = /(?:^|\/)(?:conversations?|chats?)(?:[-_. ]?[\da-f-]+)?\.json$/i;

/**
 * Opens the export of a service, which is recognised by its content: JSON, or an archive with it.
 * @param converters of the services
 * @throws FileRefusal `not-an-export` if it is none; `broken-archive`, `archive-too-complex`
 */
export async function openForeignExport(
  file: FileBytes,
  converters: readonly Converter[],
  context: ConversionContext,
): Promise<ForeignExport> {
  const isArchive = utf8Decoder().decode(new Uint8Array(await file.slice(0, 2).arrayBuffer())) === "PK";
  const entries = isArchive ? await readDirectory(file) : [];
  const whole: Text = { name: "", size: file.size, open: () => readPieces(file) };
  const texts = isArchive ? textsOf(file, entries) : [whole];
  // Files that chats name may be JSON too, and even an export: the service's own list goes before them.
  const found =
    (await findChats(
      texts.filter(({ name }) => CHATS_NAME.test(name)),
      converters,
    )) ?? (await findChats(texts, converters));
  if (!found) throw new FileRefusal("not-an-export");
  const { converter: known, texts: ofChats } = found;
  const others = known.foldersIn ? texts.filter((text) => !ofChats.includes(text)) : [];
  return {
    service: known.service,
    size: ofChats.reduce((sum, { size }) => sum + size, 0),
    async *chats() {
      for (const text of others) yield { chats: [], folders: await readFolders(text, known), bytes: 0 };
      yield* readChats(ofChats, known, context);
    },
    findEntry: finderOf(entries),
  };
}

/** Returns the JSON texts of an archive in the order of their names, as people number them. */
function textsOf(file: FileBytes, entries: readonly ZipEntry[]): Text[] {
  const order = new Intl.Collator("en", { numeric: true });
  return entries
    .filter(({ name }) => /\.json$/i.test(name) && !name.startsWith("__MACOSX/"))
    .sort((a, b) => order.compare(a.name, b.name))
    .map((entry) => ({ name: entry.name, size: entry.size, open: () => entryPieces(file, entry) }));
}

/**
 * Returns the texts that have chats of one service, the first that is recognised; undefined if none has.
 * @throws FileRefusal for a text that cannot be read, if no other has chats
 */
async function findChats(
  texts: readonly Text[],
  converters: readonly Converter[],
): Promise<{ converter: Converter; texts: Text[] } | undefined> {
  let converter: Converter | undefined;
  const ofChats: Text[] = [];
  let refusal: FileRefusal | undefined;
  for (const text of texts) {
    try {
      const found = await recognise(text, converter ? [converter] : converters);
      if (!found) continue;
      converter = found;
      ofChats.push(text);
    } catch (error) {
      if (!(error instanceof FileRefusal)) throw error;
      refusal ??= error;
    }
  }
  if (!converter && refusal) throw refusal;
  return converter && { converter, texts: ofChats };
}

/** Returns the chats of a value: itself, or those of the list that a program puts into an object. */
function chatsIn(value: unknown, converters: readonly Converter[]): unknown[] {
  if (converters.some((converter) => converter.recognises(value))) return [value];
  const { history, conversations, chats } = recordOf(value) ?? {};
  const lists = [history, conversations, chats].map(listOf);
  return lists.find((list) => list.some((chat) => converters.some((one) => one.recognises(chat)))) ?? [value];
}

async function recognise(text: Text, converters: readonly Converter[]): Promise<Converter | undefined> {
  let looked = 0;
  let found: Converter | undefined;
  const scanner = new ValueScanner((json) => {
    if (found || looked++ >= LOOKED_AT) return;
    for (const chat of chatsIn(parsed(json), converters)) {
      found ??= converters.find((converter) => converter.recognises(chat));
    }
  });
  const decoder = utf8Decoder();
  try {
    for await (const piece of text.open()) {
      scanner.push(decoder.decode(piece, { stream: true }));
      if (found || looked >= LOOKED_AT) break;
    }
  } catch (error) {
    if (error instanceof FileRefusal && error.reason === "not-an-export") return undefined;
    throw error;
  }
  return found;
}

/** Reads the folders of a text without chats. One that cannot be read has none. */
async function readFolders(text: Text, converter: Converter): Promise<ForeignFolder[]> {
  const folders: ForeignFolder[] = [];
  const scanner = new ValueScanner((json) => {
    folders.push(...foldersIn(parsed(json), converter));
  });
  const decoder = utf8Decoder();
  try {
    for await (const piece of text.open()) scanner.push(decoder.decode(piece, { stream: true }));
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error;
  }
  return folders;
}

const foldersIn = (value: unknown, converter: Converter): ForeignFolder[] =>
  (converter.foldersIn?.(value) ?? []).filter(({ id }) => id !== "");

async function* readChats(
  texts: readonly Text[],
  converter: Converter,
  context: ConversionContext,
): AsyncGenerator<ConvertedPiece> {
  for (const text of texts) {
    let chats: ConvertedPiece["chats"] = [];
    let folders: ForeignFolder[] = [];
    const scanner = new ValueScanner((json) => {
      const value = parsed(json);
      folders.push(...foldersIn(value, converter));
      for (const chat of chatsIn(value, [converter])) chats.push(convert(chat, converter, context));
    });
    const decoder = utf8Decoder();
    for await (const piece of text.open()) {
      scanner.push(decoder.decode(piece, { stream: true }));
      yield { chats, folders, bytes: piece.length };
      chats = [];
      folders = [];
    }
    if (!scanner.isWhole) yield { chats: [undefined], folders: [], bytes: 0 };
  }
}

/** Converts a chat; undefined for a value that is none. Whatever it throws, one chat never costs another: V8 too ends the reading of some that are very deep. */
function convert(chat: unknown, converter: Converter, context: ConversionContext): ConvertedChat | undefined {
  try {
    return converter.convert(chat, context);
  } catch {
    return undefined;
  }
}

/** Parses JSON. @returns undefined for a text that is none */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}

function finderOf(entries: readonly ZipEntry[]): ForeignExport["findEntry"] {
  const named = entries.map((entry) => ({ name: entry.name.slice(entry.name.lastIndexOf("/") + 1), entry }));
  named.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return (start) => {
    let [low, high] = [0, named.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((named[middle]?.name ?? "") < start) low = middle + 1;
      else high = middle;
    }
    for (; start !== "" && named[low]?.name.startsWith(start); low++) {
      // Behind the id there is a mark, or the end.
      if (!/^[\da-z]/i.test(named[low]?.name.slice(start.length) ?? "")) return named[low]?.entry;
    }
    return undefined;
  };
}
