import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { findSchemaState, refuseUnusable } from "../../database/migrate.ts";
import type { Queryable } from "../../database/schema.ts";
import { MissingObject } from "../../files/stores/file-store.ts";
import { openStores, type Stores, storesSettingsOf } from "../../files/stores/open-stores.ts";
import type { Call } from "../command.ts";
import { openForReading } from "../open-installation.ts";
import { readReadyFiles } from "./attached-files.ts";
import { linesOfAttached } from "./attached-lines.ts";
import { type BackupHeader, type BackupLines, newHeader, writeBackupFile } from "./backup-file.ts";
import { Digest, type TableCount } from "./digest.ts";
import { atOneMoment, findShapes, readRows } from "./row-store.ts";

/** Files of the data folder that a restore needs; `mails` is used if there is no mail server. */
const BACKED_UP_FILE = "secret-key";
const BACKED_UP_FOLDER = "mails";

/** Attached files of a backup. `missing`: keys of files without bytes. */
type AttachedCount = { files: number; bytes: number; missing: string[] };

export type WrittenBackup = {
  header: BackupHeader;
  counts: TableCount[];
  /** Paths in the data folder. */
  files: string[];
  attached: AttachedCount;
};

/** Writes a snapshot of the database and the files of the data folder into one file, while servers keep running. */
export async function writeBackup(call: Call, file: string, { hasSecret = true } = {}): Promise<WrittenBackup> {
  const { config, secrets } = call.configuration();
  const database = await openForReading(call);
  try {
    const state = await findSchemaState(database);
    refuseUnusable(state);
    const header = newHeader({
      program: call.world.version,
      database: secrets.databaseUrl ? "postgresql" : "sqlite",
      migrations: state.applied,
    });
    const written: WrittenBackup = { header, counts: [], files: [], attached: { files: 0, bytes: 0, missing: [] } };
    await atOneMoment(database, async (db) => {
      await using stores = await openStores({ database: db, ...storesSettingsOf(call.configuration()) });
      const { files: store } = stores;
      await writeBackupFile(file, linesOf({ db, dataDir: config.dataDir, store, hasSecret }, written));
    });
    return written;
  } finally {
    await database.destroy();
  }
}

/** `hasSecret`: whether the secret of the data folder is part of it. */
type BackupSource = { db: Queryable; dataDir: string; store: Stores["files"]; hasSecret: boolean };

async function* linesOf({ db, dataDir, store, hasSecret }: BackupSource, written: WrittenBackup): BackupLines {
  const { header, counts, files, attached } = written;
  yield header;
  for (const shape of await findShapes(db)) {
    const digest = new Digest();
    yield { table: shape.name, columns: shape.columns };
    for await (const rows of readRows(db, shape)) {
      for (const row of rows) digest.add(row);
      yield rows;
    }
    const count = digest.countOf(shape.name);
    counts.push(count);
    yield { end: count.table, rows: count.rows, digest: count.digest };
  }
  // After the rows, because the file of a mail is written before its row is marked as sent.
  for (const path of await listFiles(dataDir)) {
    if (path === BACKED_UP_FILE && !hasSecret) continue;
    const content = await readFile(join(dataDir, path)).catch(ifThere);
    if (!content) continue;
    files.push(path);
    yield { file: path, base64: content.toString("base64") };
  }
  yield* attachedLines(db, store, attached);
  yield { complete: true };
}

/** A file that is deleted after the moment of the rows has no bytes any more if they are in the data folder. */
async function* attachedLines(db: Queryable, store: Stores["files"], attached: AttachedCount): BackupLines {
  for await (const { key } of readReadyFiles(db)) {
    try {
      attached.bytes += yield* linesOfAttached(key, store.open(key));
      attached.files++;
    } catch (error) {
      if (!(error instanceof MissingObject)) throw error;
      attached.missing.push(key);
    }
  }
}

async function listFiles(dataDir: string): Promise<string[]> {
  const mails = (await readdir(join(dataDir, BACKED_UP_FOLDER)).catch(ifThere)) ?? [];
  return [BACKED_UP_FILE, ...mails.sort().map((name) => `${BACKED_UP_FOLDER}/${name}`)].filter(isBackedUpFile);
}

/** Ignores missing files only. A backup without a file that exists but is unreadable would pass as complete. */
function ifThere(error: unknown): undefined {
  if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
}

/** Whether a restore may write a file of that path. Backups are untrusted input. */
export function isBackedUpFile(path: string): boolean {
  return path === BACKED_UP_FILE || /^mails\/[\w-]+\.eml$/.test(path);
}
