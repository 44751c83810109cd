import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { findSchemaState, refuseUnusable } from "../../database/migrate.ts";
import type { Queryable } from "../../database/schema.ts";
import type { Call } from "../command.ts";
import { openForReading } from "../open-installation.ts";
import { type BackupHeader, type BackupLines, newHeader, writeBackupFile } from "./backup-file.ts";
import { Digest, type TableCount } from "./digest.ts";
import { atOneMoment, findShapes, readRows } from "./row-store.ts";

/** Files of the data folder that a restore needs; `mails` is used if there is no mail server. */
const BACKED_UP_FILE = "secret-key";
const BACKED_UP_FOLDER = "mails";

export type WrittenBackup = { header: BackupHeader; counts: TableCount[]; files: string[] };

/** Writes a snapshot of the database and the files of the data folder into one file, while servers keep running. */
export async function writeBackup(call: Call, file: string): Promise<WrittenBackup> {
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
    const written: WrittenBackup = { header, counts: [], files: [] };
    await atOneMoment(database, (db) => writeBackupFile(file, linesOf(db, config.dataDir, written)));
    return written;
  } finally {
    await database.destroy();
  }
}

async function* linesOf(db: Queryable, dataDir: string, { header, counts, files }: WrittenBackup): BackupLines {
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
    const content = await readFile(join(dataDir, path)).catch(ifThere);
    if (!content) continue;
    files.push(path);
    yield { file: path, base64: content.toString("base64") };
  }
  yield { complete: true };
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
