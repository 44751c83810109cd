import type { FileSource, ForeignFile } from "#contract/transfer/services/foreign-chat.ts";
import type { ForeignExport } from "#contract/transfer/services/foreign-export.ts";
import type { ArchivedFile } from "../zip/export-archive.ts";
import { readEntry } from "../zip/read-entry.ts";

/** Returns a file that a chat of another service names; undefined if the export does not have its bytes. */
export function foreignFileOf(
  archive: Blob,
  { findEntry }: Pick<ForeignExport, "findEntry">,
  { source, size }: ForeignFile,
): ArchivedFile | undefined {
  if (source === null) return undefined;
  if (!("entry" in source)) return inlineFile(source, size);
  const entry = findEntry(source.entry);
  return entry && { size: entry.size, read: () => readEntry(archive, entry) };
}

/** A file in the text of the export, which is released when it is read: a file may have many, and each is read once. */
function inlineFile(given: InlineSource, size: number): ArchivedFile {
  let source: InlineSource | undefined = given;
  return {
    size,
    async read() {
      const blob = blobOf(source ?? { text: "" });
      source = undefined;
      return blob;
    },
  };
}

type InlineSource = Exclude<FileSource, null | { entry: string }>;

function blobOf(source: InlineSource): Blob {
  if ("text" in source) return new Blob([source.text]);
  try {
    return new Blob([Uint8Array.from(atob(source.base64), (character) => character.charCodeAt(0))]);
  } catch {
    // What is no base64 is damaged: the server refuses the file, and the report names it.
    return new Blob([source.base64]);
  }
}
