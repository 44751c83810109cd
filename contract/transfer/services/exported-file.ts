import type { ArchivedFile, FileBytes, FileOf, JoinBytes } from "../archive/file-bytes.ts";
import { readEntry } from "../archive/read-entry.ts";
import { utf8Of } from "../archive/utf8.ts";
import type { FileSource, ForeignFile } from "./foreign-chat.ts";
import type { ForeignExport } from "./foreign-export.ts";

/** Decodes base64 to a string of one character a byte. Browsers and Node have it. @throws an error for other text */
declare const atob: (base64: string) => string;

/** Returns a file that a chat of another service names; undefined if the export does not have its bytes. */
export function exportedFileOf<B extends FileBytes>(
  { file: archive, join }: { file: FileOf<B>; join: JoinBytes<B> },
  { findEntry }: Pick<ForeignExport, "findEntry">,
  { source, size }: ForeignFile,
): ArchivedFile<B> | undefined {
  if (source === null) return undefined;
  if (!("entry" in source)) return inlineFile(source, size, join);
  const entry = findEntry(source.entry);
  return entry && { size: entry.size, read: () => readEntry(archive, entry, join) };
}

type InlineSource = Exclude<FileSource, null | { entry: string }>;

/** A file in the text of the export, which is released when it is read: a file may have many, and each is read once. */
function inlineFile<B extends FileBytes>(given: InlineSource, size: number, join: JoinBytes<B>): ArchivedFile<B> {
  let source: InlineSource | undefined = given;
  return {
    size,
    async read() {
      const bytes = join([inlineBytes(source ?? { text: "" })]);
      source = undefined;
      return bytes;
    },
  };
}

function inlineBytes(source: InlineSource): Uint8Array<ArrayBuffer> {
  if ("text" in source) return utf8Of(source.text);
  try {
    return Uint8Array.from(atob(source.base64), (character) => character.charCodeAt(0));
  } catch {
    // What is no base64 is damaged: the server refuses the file, and the report names it.
    return utf8Of(source.base64);
  }
}
