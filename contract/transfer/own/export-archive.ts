import { fileIdSchema } from "../../files/files.ts";
import type { ArchivedFile, FileBytes, FileOf, JoinBytes } from "../archive/file-bytes.ts";
import { FileRefusal } from "../archive/file-refusal.ts";
import { readEntry } from "../archive/read-entry.ts";
import { readDirectory, type ZipEntry } from "../archive/zip-directory.ts";
import { entryPieces } from "../archive/zip-entry.ts";
import { EXPORT_CHATS_ENTRY, EXPORT_FILES_FOLDER } from "../transfer.ts";

/** Most bytes that all compressed entries may inflate to. Exports are not compressed. */
const MAX_INFLATED = 4_000_000_000;
/** Length of an id. */
const ID_CHARS = 36;

/** An export with files. Nothing of it is in memory but its directory. `files`: by the file's id. */
export type ExportArchive<B extends FileBytes> = {
  chats: { size: number; open(): AsyncIterable<Uint8Array> };
  files: ReadonlyMap<string, ArchivedFile<B>>;
};

/**
 * Opens the zip of an export. The entries may be in one folder, as programs leave them that unpack and pack again. Other
 * entries are ignored.
 * @throws FileRefusal `not-an-export`, `broken-archive`, `archive-too-complex`
 */
export async function openArchive<B extends FileBytes>(file: FileOf<B>, join: JoinBytes<B>): Promise<ExportArchive<B>> {
  const entries = await readDirectory(file);
  const chats = entries
    .filter(({ name }) => /^(?:[^/]+\/)?[^/]+$/.test(name) && name.split("/").at(-1) === EXPORT_CHATS_ENTRY)
    .sort((a, b) => a.name.length - b.name.length)[0];
  if (!chats) throw new FileRefusal("not-an-export");
  const folder = chats.name.slice(0, -EXPORT_CHATS_ENTRY.length) + EXPORT_FILES_FOLDER;
  const files = new Map<string, ZipEntry>();
  for (const entry of entries) {
    const id = idOf(entry.name, folder);
    // The first entry counts: a second one under the same id is not from an export.
    if (id !== undefined && !files.has(id)) files.set(id, entry);
  }
  refuseBomb([chats, ...files.values()]);
  return {
    chats: { size: chats.size, open: () => entryPieces(file, chats) },
    files: new Map(
      [...files].map(([id, entry]) => [id, { size: entry.size, read: () => readEntry(file, entry, join) }]),
    ),
  };
}

/** Returns the id at the beginning of a name in the folder of files; undefined for any other entry. */
function idOf(name: string, folder: string): string | undefined {
  if (!name.startsWith(folder)) return undefined;
  const rest = name.slice(folder.length);
  const parsed = fileIdSchema.safeParse(rest.slice(0, ID_CHARS));
  return parsed.success && !rest.includes("/") ? parsed.data : undefined;
}

function refuseBomb(entries: readonly ZipEntry[]): void {
  let inflated = 0;
  for (const { size, compressedSize } of entries) if (size !== compressedSize) inflated += size;
  if (inflated > MAX_INFLATED) throw new FileRefusal("archive-too-complex", "Too many bytes");
}
