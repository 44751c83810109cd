import type { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { EXPORT_CHATS_ENTRY } from "#contract/transfer/transfer.ts";
import type { Clock } from "../../concurrency/clock.ts";
import type { Database, FileRow } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import type { Files } from "../../files/files.ts";
import { MissingObject } from "../../files/stores/file-store.ts";
import { entryNameOf } from "../file-name.ts";
import { listNamedFilesAfter } from "../transfer-store.ts";
import { writeZip, type ZipEntry } from "./write-zip.ts";

export type ExportZipDeps = { database: Database; clock: Clock; files: Pick<Files, "open"> };

/** Which files a zip contains: those that messages of the account name, or of one of its chats. */
export type ExportScope = { userId: string; chatId?: string };

/** Page size of files, which bounds memory. */
const FILES_AT_ONCE = 100;

/**
 * Yields a zip of a JSON document and of the files that its messages name. A file that is removed before its turn is
 * left out.
 * @throws what the store throws if the bytes of a file are removed while they are read
 */
export function exportZip(deps: ExportZipDeps, scope: ExportScope, json: Readable): AsyncGenerator<Uint8Array> {
  return writeZip(entriesOf(deps, scope, json));
}

async function* entriesOf(deps: ExportZipDeps, scope: ExportScope, json: Readable): AsyncGenerator<ZipEntry> {
  yield { name: EXPORT_CHATS_ENTRY, modifiedAt: deps.clock.now(), bytes: encoded(json) };
  for (let after = ""; ; ) {
    const rows = await listNamedFilesAfter(deps.database, scope, { after, limit: FILES_AT_ONCE });
    for (const row of rows) {
      yield* entryOf(deps, row);
      // Yields to the event loop, because SQLite queries are synchronous.
      await setImmediate();
    }
    const last = rows.at(-1);
    if (!last || rows.length < FILES_AT_ONCE) break;
    after = last.id;
  }
}

async function* encoded(json: Readable): AsyncGenerator<Uint8Array> {
  for await (const piece of json) yield Buffer.from(String(piece));
}

/** Yields the entry of a file; none if the file was removed meanwhile, because a written header cannot be taken back. */
async function* entryOf({ files }: ExportZipDeps, row: FileRow): AsyncGenerator<ZipEntry> {
  const opened = await openFirst(files, row).catch((error: unknown) => {
    const isGone = error instanceof MissingObject || (error instanceof Failure && error.code === "not-found");
    if (!isGone) throw error;
  });
  if (!opened) return;
  const { first, rest } = opened;
  try {
    const bytes = (async function* () {
      for (let next = first; !next.done; next = await rest.next()) yield next.value;
    })();
    yield { name: entryNameOf(row), modifiedAt: row.created_at, bytes };
  } finally {
    // Closes the file, if the client leaves before its end.
    await rest.return?.();
  }
}

/** Opens a file and reads its first piece, which fails if there are no bytes. */
async function openFirst(files: ExportZipDeps["files"], { user_id: userId, id }: FileRow) {
  const { bytes } = await files.open(userId, id);
  const rest = bytes[Symbol.asyncIterator]();
  return { first: await rest.next(), rest };
}
