import { existsSync } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { platform } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DAY } from "#contract/limits.ts";
import { BESIDE, sqliteFile } from "./sqlite/sqlite-file.ts";

const MAX_SNAPSHOTS = 3;
/** Snapshots hold what was deleted since; so nobody's words stay longer in them. */
export const SNAPSHOT_LIFE_MS = 30 * DAY;
const PREFIX = "before-";
const REPLACED = "replaced";
const SUFFIX = ".sqlite";
const PARTIAL = ".partial";
/** What a restore keeps of PostgreSQL is a backup. */
const WHOLE = /\.(?:sqlite|parley)$/;
/** With what SQLite writes beside it. */
const HALF = /\.(?:sqlite|parley)\.partial(?:-journal|-wal|-shm)?$/;
/** What was damaged is kept with them. */
const WITH = /\.sqlite-(?:wal|shm)$/;
/** When it was taken, in a name; the second one of a second has a number. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ(?:-\d+)?\.sqlite$/;
const TIMEOUT_MS = 5000;

/** What was copied is damaged. */
export class UnsoundCopy extends Error {}

const folderOf = (dataDir: string) => join(dataDir, "backups");

/**
 * Keeps the SQLite database of a data folder as it is before its schema is changed, in `backups/` beside it (mode 600),
 * and checks that it can be read whole. Of such snapshots the last of each change stays, of the last three changes.
 * Nobody else may work on the data folder.
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
      `The database is to be changed for this version, but could not be copied to ${folder} before: ${reason}. ` +
        "Nothing was changed; mend that and start again.",
      { cause },
    );
  }
  await removeEarlier(folder, what, latest);
  for (const old of (await listFiles(folder, WHOLE, PREFIX)).slice(MAX_SNAPSHOTS)) await rm(old.path, { force: true });
}

/** What a kill has left of copies: they are nobody's, and may hold as much as a whole one. */
async function removeHalves(folder: string): Promise<void> {
  for (const { path } of await listFiles(folder, HALF, PREFIX, REPLACED)) await rm(path, { force: true });
}

/** A change that fails is tried again at each start: its copies would push those of other changes out. */
async function removeEarlier(folder: string, what: string, latest: string): Promise<void> {
  for (const { path } of await listFiles(folder, WHOLE, `${what}-`)) {
    const isOfChange = TIME.test(path.slice(join(folder, `${what}-`).length));
    if (isOfChange && path !== latest) await rm(path, { force: true });
  }
}

/**
 * Keeps a copy of the database of a data folder that is to be replaced. @returns where
 * @throws UnsoundCopy, or SQLite's own error, where it is damaged
 */
export function stashReplaced(dataDir: string): Promise<string> {
  return stashAs(REPLACED, dataDir);
}

/**
 * Takes the files of the database of a data folder away as they are, with what SQLite wrote beside: what is damaged
 * cannot be copied. @returns where the first of them is; nothing where there is none
 */
export async function stashDamaged(dataDir: string): Promise<string | null> {
  const suffixes = ["", ...BESIDE].filter((suffix) => existsSync(sqliteFile(dataDir) + suffix));
  if (suffixes[0] === undefined) return null;
  const stash = await nameForReplaced(dataDir, SUFFIX);
  const now = new Date();
  for (const suffix of suffixes) {
    await moveDurably(sqliteFile(dataDir) + suffix, stash + suffix);
    // Kept from now on, however long ago it was written.
    await utimes(stash + suffix, now, now);
  }
  return stash + suffixes[0];
}

async function stashAs(what: string, dataDir: string): Promise<string> {
  const file = await nameFor(what, dataDir);
  await snapshot(sqliteFile(dataDir), file);
  return file;
}

/** Where a copy of what is to be replaced goes in a data folder; makes the folder for it. */
export function nameForReplaced(dataDir: string, suffix: ".sqlite" | ".parley"): Promise<string> {
  return nameFor(REPLACED, dataDir, suffix);
}

/** By the time, and nobody's yet: within a second there may be several. The data folder must be taken. */
async function nameFor(what: string, dataDir: string, suffix = SUFFIX): Promise<string> {
  const folder = folderOf(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const time = new Date().toISOString().replaceAll(":", "-").replace(/\..*$/, "Z");
  for (let count = 1; ; count++) {
    const file = join(folder, `${what}-${time}${count > 1 ? `-${count}` : ""}${suffix}`);
    if (!["", ...BESIDE].some((beside) => existsSync(file + beside))) return file;
  }
}

/** Removes those that were taken before a time (ms since 1970), and what a kill has left of others. */
export async function removeSnapshotsBefore(dataDir: string, time: number): Promise<void> {
  for (const pattern of [WHOLE, HALF, WITH]) {
    for (const { path, takenAt } of await listFiles(folderOf(dataDir), pattern, PREFIX, REPLACED)) {
      if (takenAt < time) await rm(path, { force: true });
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
 * Copies a SQLite database, which may be in use, into a new file (mode 600), whole or not at all. Nobody may write to it
 * meanwhile but who is refused: the copy is compared with it.
 * @throws UnsoundCopy
 */
export async function snapshot(file: string, to: string): Promise<void> {
  const partial = `${to}${PARTIAL}`;
  await rm(partial, { force: true });
  // SQLite takes an empty file as it is, with its mode.
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

/** Gives a finished file its name, so that it is there whole or not at all, also after a loss of power. */
export async function moveDurably(from: string, to: string): Promise<void> {
  const file = await open(from, "r+");
  await file.sync();
  await file.close();
  await rename(from, to);
  // Windows opens no folders.
  if (platform() === "win32") return;
  const folder = await open(dirname(to), "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** What SQLite itself finds wrong in a file: damaged pages, indexes, constraints; empty where it is sound. */
function defectsOf(database: DatabaseSync): string[] {
  const pages = database.prepare("pragma integrity_check").all();
  const references = database.prepare("pragma foreign_key_check").all();
  return [
    ...pages.map((row) => String(row.integrity_check)).filter((word) => word !== "ok"),
    ...references.map(({ table, rowid, parent }) => `row ${rowid} of ${table} points to no row of ${parent}`),
  ];
}

/** Tables with how many rows each has. */
function countRows(database: DatabaseSync): string {
  const tables = database.prepare("select name from sqlite_schema where type = 'table' order by name").all();
  return tables
    .map(({ name }) => {
      const { rows } = database.prepare(`select count(*) as rows from "${name}"`).get() ?? {};
      return `${name} ${rows}`;
    })
    .join(", ");
}
