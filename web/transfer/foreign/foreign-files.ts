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
  if (!("entry" in source)) return { size, read: async () => blobOf(source) };
  const entry = findEntry(source.entry);
  return entry && { size: entry.size, read: () => readEntry(archive, entry) };
}

function blobOf(source: Exclude<FileSource, null | { entry: string }>): Blob {
  if ("text" in source) return new Blob([source.text]);
  try {
    return new Blob([Uint8Array.from(atob(source.base64), (character) => character.charCodeAt(0))]);
  } catch {
    // What is no base64 is damaged: the server refuses the file, and the report names it.
    return new Blob([source.base64]);
  }
}
