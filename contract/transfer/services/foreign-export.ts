import { type FileBytes, readPieces } from "../archive/file-bytes.ts";
import { FileRefusal } from "../archive/file-refusal.ts";
import { utf8Decoder } from "../archive/utf8.ts";
import { readDirectory, type ZipEntry } from "../archive/zip-directory.ts";
import { entryPieces } from "../archive/zip-entry.ts";
import type { ImportService } from "../transfer.ts";
import { type ConversionContext, type ConvertedChat, type Converter, UnreadableChat } from "./foreign-chat.ts";
import { ValueScanner } from "./value-scanner.ts";

/** Values of a file that are looked at before it is none of a service: the first chats of an export may be broken. */
const LOOKED_AT = 20;

/**
 * Chats of a piece of an export, in its order, each as it was converted; undefined for a value that is no chat, or for
 * the rest of an export that ends in the middle. `bytes`: size of the piece, of {@link ForeignExport.size}.
 */
export type ConvertedPiece = { chats: (ConvertedChat | undefined)[]; bytes: number };

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

/** A text of a file: the file itself, or an entry of an archive. */
type Text = { size: number; open(): AsyncIterable<Uint8Array> };

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
  const texts = isArchive ? textsOf(file, entries) : [{ size: file.size, open: () => readPieces(file) }];
  let converter: Converter | undefined;
  const ofChats: Text[] = [];
  for (const text of texts) {
    const found = await recognise(text, converter ? [converter] : converters);
    if (!found) continue;
    converter = found;
    ofChats.push(text);
  }
  if (!converter) throw new FileRefusal("not-an-export");
  const { service } = converter;
  const known = converter;
  return {
    service,
    size: ofChats.reduce((sum, { size }) => sum + size, 0),
    chats: () => readChats(ofChats, known, context),
    findEntry: finderOf(entries),
  };
}

/** Returns the JSON texts of an archive in the order of their names, as people number them. */
function textsOf(file: FileBytes, entries: readonly ZipEntry[]): Text[] {
  const order = new Intl.Collator("en", { numeric: true });
  return entries
    .filter(({ name }) => /\.json$/i.test(name) && !name.startsWith("__MACOSX/"))
    .sort((a, b) => order.compare(a.name, b.name))
    .map((entry) => ({ size: entry.size, open: () => entryPieces(file, entry) }));
}

async function recognise(text: Text, converters: readonly Converter[]): Promise<Converter | undefined> {
  let looked = 0;
  let found: Converter | undefined;
  const scanner = new ValueScanner((json) => {
    if (found || looked++ >= LOOKED_AT) return;
    const value = parsed(json);
    found = converters.find((converter) => converter.recognises(value));
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

async function* readChats(
  texts: readonly Text[],
  converter: Converter,
  context: ConversionContext,
): AsyncGenerator<ConvertedPiece> {
  for (const text of texts) {
    let chats: ConvertedPiece["chats"] = [];
    const scanner = new ValueScanner((json) => chats.push(convert(json, converter, context)));
    const decoder = utf8Decoder();
    for await (const piece of text.open()) {
      scanner.push(decoder.decode(piece, { stream: true }));
      yield { chats, bytes: piece.length };
      chats = [];
    }
    if (!scanner.isWhole) yield { chats: [undefined], bytes: 0 };
  }
}

function convert(json: string, converter: Converter, context: ConversionContext): ConvertedChat | undefined {
  try {
    const value = parsed(json);
    return converter.recognises(value) ? converter.convert(value, context) : undefined;
  } catch (error) {
    if (error instanceof UnreadableChat) return undefined;
    throw error;
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
    const found = named[low];
    return start !== "" && found?.name.startsWith(start) ? found.entry : undefined;
  };
}
