import { existsSync } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { platform } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DAY } from "#contract/limits.ts";
import { BESIDE, sqliteFile } from "./sqlite/sqlite-file.ts";

const MAX_SNAPSHOTS = 3;
/** Snapshots contain data that was deleted since, so their lifetime bounds how long deleted text exists. */
export const SNAPSHOT_LIFE_MS = 30 * DAY;
const PREFIX = "before-";
const REPLACED = "replaced";
const SUFFIX = ".sqlite";
const PARTIAL = ".partial";
/** Suffix of the backup file in which a restore on PostgreSQL saves the replaced data. */
const WHOLE = /\.(?:sqlite|parley)$/;
/** Unfinished copies, with the files that SQLite writes beside them. */
const HALF = /\.(?:sqlite|parley)\.partial(?:-journal|-wal|-shm)?$/;
/** WAL files of a damaged database, stashed together with it. */
const WITH = /\.sqlite-(?:wal|shm)$/;
/** Time in a file name; a second copy within one second has a number. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ(?:-\d+)?\.sqlite$/;
/** Folder with the attached files of a stash. */
const ATTACHED = /\.sqlite\.files$/;
const TIMEOUT_MS = 5000;

/** The source of a copy is damaged. */
export class UnsoundCopy extends Error {}

const folderOf = (dataDir: string) => join(dataDir, "backups");

/**
 * Copies the SQLite database of a data folder to `backups/` (mode 600) before its schema is changed, and checks that
 * the copy is readable. Keeps the last snapshot of each migration, for the last three migrations. The data folder must
 * not be in use.
 * @throws with a sentence for the console; nothing was changed then
 */
export async function takeSnapshotBefore(change: string, dataDir: string): Promise<void> {
  const folder = folderOf(dataDir);
  const what = `${PREFIX}${change}`;
  let latest: string;
  try {
    await removeHalves(folder);
    latest = await stashAs(what, dataDir);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : cause;
    throw new Error(
      `The database must be migrated for this version, but could not be copied to ${folder} first: ${reason}. ` +
        "Nothing was changed; fix the problem and start again.",
      { cause },
    );
  }
  await removeEarlier(folder, what, latest);
  for (const old of (await listFiles(folder, WHOLE, PREFIX)).slice(MAX_SNAPSHOTS)) await rm(old.path, { force: true });
}

/** Removes incomplete copies after a kill. They have no owner, and may be as large as a complete one. */
async function removeHalves(folder: string): Promise<void> {
  for (const { path } of await listFiles(folder, HALF, PREFIX, REPLACED)) await rm(path, { force: true });
}

/** A failing migration is retried at each start: its snapshots would evict those of other migrations. */
async function removeEarlier(folder: string, what: string, latest: string): Promise<void> {
  for (const { path } of await listFiles(folder, WHOLE, `${what}-`)) {
    const isOfChange = TIME.test(path.slice(join(folder, `${what}-`).length));
    if (isOfChange && path !== latest) await rm(path, { force: true });
  }
}

/**
 * Copies the database of a data folder before it is replaced.
 * @returns the path of the copy
 * @throws UnsoundCopy, or SQLite's own error, if it is damaged
 */
export function stashReplaced(dataDir: string): Promise<string> {
  return stashAs(REPLACED, dataDir);
}

/**
 * Moves the database files of a data folder, with WAL files, to `backups/`: a damaged database cannot be copied.
 * @returns the path of the first file; null if there is none
 */
export async function stashDamaged(dataDir: string): Promise<string | null> {
  const suffixes = ["", ...BESIDE].filter((suffix) => existsSync(sqliteFile(dataDir) + suffix));
  if (suffixes[0] === undefined) return null;
  const stash = await nameForReplaced(dataDir, SUFFIX);
  const now = new Date();
  for (const suffix of suffixes) {
    await moveDurably(sqliteFile(dataDir) + suffix, stash + suffix);
    // The lifetime of the stash begins now, not at the last write of the file.
    await utimes(stash + suffix, now, now);
  }
  return stash + suffixes[0];
}

async function stashAs(what: string, dataDir: string): Promise<string> {
  const file = await nameFor(what, dataDir);
  await snapshot(sqliteFile(dataDir), file);
  return file;
}

/** Returns the folder with the attached files of a copy of a database, beside it; only a stash has one. */
export const filesBeside = (copy: string): string => `${copy}.files`;

/** Returns a file name for a copy of data that is replaced; creates its folder. */
export function nameForReplaced(dataDir: string, suffix: ".sqlite" | ".parley"): Promise<string> {
  return nameFor(REPLACED, dataDir, suffix);
}

/** Builds an unused name from the time: several copies may be made within a second. The data folder must be locked. */
async function nameFor(what: string, dataDir: string, suffix = SUFFIX): Promise<string> {
  const folder = folderOf(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const time = new Date().toISOString().replaceAll(":", "-").replace(/\..*$/, "Z");
  for (let count = 1; ; count++) {
    const file = join(folder, `${what}-${time}${count > 1 ? `-${count}` : ""}${suffix}`);
    if (!["", ...BESIDE].some((beside) => existsSync(file + beside))) return file;
  }
}

/** Removes snapshots that were taken before `time` (Unix time in ms), and incomplete copies. */
export async function removeSnapshotsBefore(dataDir: string, time: number): Promise<void> {
  for (const pattern of [WHOLE, HALF, WITH, ATTACHED]) {
    for (const { path, takenAt } of await listFiles(folderOf(dataDir), pattern, PREFIX, REPLACED)) {
      if (takenAt < time) await rm(path, { recursive: true, force: true });
    }
  }
}

type Snapshot = { path: string; takenAt: number };

/** Newest first. */
async function listFiles(folder: string, pattern: RegExp, ...prefixes: string[]): Promise<Snapshot[]> {
  const names = await readdir(folder).catch(() => []);
  const paths = names
    .filter((name) => pattern.test(name) && prefixes.some((prefix) => name.startsWith(prefix)))
    .map((name) => join(folder, name));
  const all = await Promise.all(paths.map(async (path) => ({ path, takenAt: (await stat(path)).mtimeMs })));
  return all.sort((one, other) => other.takenAt - one.takenAt);
}

/**
 * Copies a SQLite database, which may be in use, into a new file (mode 600), atomically. All other writers must be
 * locked out meanwhile, because the copy is compared with the source.
 * @throws UnsoundCopy
 */
export async function snapshot(file: string, to: string): Promise<void> {
  const partial = `${to}${PARTIAL}`;
  await rm(partial, { force: true });
  // SQLite opens an existing empty file and keeps its mode.
  const made = await open(partial, "wx", 0o600);
  await made.close();
  try {
    copySound(file, partial);
    await moveDurably(partial, to);
  } finally {
    await rm(partial, { force: true });
  }
}

function copySound(file: string, to: string): void {
  using source = new DatabaseSync(file, { timeout: TIMEOUT_MS });
  source.prepare("vacuum into ?").run(to);
  using copy = new DatabaseSync(to, { readOnly: true });
  const problems = defectsOf(copy);
  if (problems.length > 0) throw new UnsoundCopy(`the copy is not sound (${problems.join("; ")})`);
  if (countRows(source) !== countRows(copy)) throw new UnsoundCopy("the copy does not hold as many rows");
}

/** Renames a complete file atomically and durably, even on a power loss. */
export async function moveDurably(from: string, to: string): Promise<void> {
  const file = await open(from, "r+");
  await file.sync();
  await file.close();
  await rename(from, to);
  await syncFolder(dirname(to));
}

/** Makes the names in a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders.
  if (platform() === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Returns SQLite's own report of damaged pages, indexes and constraints; empty if there are none. */
function defectsOf(database: DatabaseSync): string[] {
  const pages = database.prepare("pragma integrity_check").all();
  const references = database.prepare("pragma foreign_key_check").all();
  return [
    ...pages.map((row) => String(row.integrity_check)).filter((word) => word !== "ok"),
    ...references.map(({ table, rowid, parent }) => `row ${rowid} of ${table} points to no row of ${parent}`),
  ];
}

/** Returns all tables with their numbers of rows. */
function countRows(database: DatabaseSync): string {
  const tables = database.prepare("select name from sqlite_schema where type = 'table' order by name").all();
  return tables
    .map(({ name }) => {
      const { rows } = database.prepare(`select count(*) as rows from "${name}"`).get() ?? {};
      return `${name} ${rows}`;
    })
    .join(", ");
}
