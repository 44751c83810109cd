import { constants } from "node:fs";
import { access, stat, statfs } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";

/** The data folder, or something in it, cannot be used. The message says why, and what mends it. */
export class FolderFault extends Error {
  readonly found: string;
  readonly remedy: string;

  constructor({ found, remedy }: Diagnosis, cause?: Error) {
    super(`${found} ${remedy}`, { cause });
    this.found = found;
    this.remedy = remedy;
  }
}

type Diagnosis = { found: string; remedy: string };

/** Names in the data folder that SQLite opens. */
const OPENED_BY_SQLITE = ["lock", "parley.db", "parley.db-wal", "parley.db-shm"];

/** https://www.sqlite.org/rescode.html: read-only, error of input or output, full, cannot open. */
const SQLITE_CODES = new Set([8, 10, 13, 14]);
const SQLITE_FULL = 13;
const PRIMARY_CODE = 0xff;

const NO_SPACE = new Set(["ENOSPC", "EDQUOT"]);
const NO_PERMISSION = new Set(["EACCES", "EPERM"]);
const NO_FOLDER = new Set(["ENOTDIR", "EEXIST"]);

/**
 * Checks that this process can read and write the data folder and entries of it that exist.
 * @param entries names in the folder that would be used later only
 * @throws FolderFault
 */
export async function refuseUnusableFolder(dataDir: string, entries: readonly string[] = []): Promise<void> {
  for (const path of [resolve(dataDir), ...entries.map((entry) => resolve(dataDir, entry))]) {
    const code = await refusalOf(path);
    const fault = code === undefined || code === "ENOENT" ? undefined : await faultOf(code, path, dataDir);
    if (fault) throw fault;
  }
}

/**
 * Returns the fault that explains an error of the file system or of SQLite.
 * @returns undefined if the error has another cause than the data folder
 */
export async function folderFaultOf(error: unknown, dataDir: string): Promise<FolderFault | undefined> {
  if (!(error instanceof Error) || error instanceof FolderFault) return undefined;
  if ("errcode" in error && typeof error.errcode === "number") return faultOfSqlite(error.errcode, error, dataDir);
  if (!("path" in error) || typeof error.path !== "string" || !("code" in error)) return undefined;
  const [folder, path] = [resolve(dataDir), resolve(error.path)];
  // `mkdir` names the folder above that it could not create.
  const isRelated = isWithin(path, folder) || isWithin(folder, path);
  return isRelated ? faultOf(String(error.code), path, dataDir, error) : undefined;
}

async function faultOfSqlite(errcode: number, cause: Error, dataDir: string): Promise<FolderFault | undefined> {
  const code = errcode & PRIMARY_CODE;
  if (!SQLITE_CODES.has(code)) return undefined;
  const folder = resolve(dataDir);
  if (code === SQLITE_FULL) return faultOf("ENOSPC", folder, dataDir, cause);
  for (const path of [folder, ...OPENED_BY_SQLITE.map((name) => join(folder, name))]) {
    const refusal = await refusalOf(path);
    if (refusal !== undefined && refusal !== "ENOENT") return faultOf(refusal, path, dataDir, cause);
  }
  // SQLite reports a full disk as an error of input or output if its shared memory cannot grow.
  const isFull = (await statfs(folder).catch(() => undefined))?.bavail === 0;
  return isFull ? faultOf("ENOSPC", folder, dataDir, cause) : undefined;
}

/** Returns the error code with which the system refuses to let this process read and write; undefined if it does not. */
async function refusalOf(path: string): Promise<string | undefined> {
  try {
    const isFolder = (await stat(path)).isDirectory();
    const { R_OK, W_OK, X_OK } = constants;
    await access(path, isFolder ? R_OK | W_OK | X_OK : R_OK | W_OK);
    return undefined;
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : "";
  }
}

async function faultOf(code: string, path: string, dataDir: string, cause?: Error): Promise<FolderFault | undefined> {
  const diagnosis = await diagnosisOf(code, path, resolve(dataDir));
  return diagnosis && new FolderFault(diagnosis, cause);
}

async function diagnosisOf(code: string, path: string, folder: string): Promise<Diagnosis | undefined> {
  if (NO_SPACE.has(code)) {
    const remedy = `Free some (see: df -h ${quoted(path)}), or set DATA_DIR to a folder on a larger disk.`;
    return { found: `No space is left on the disk of ${path}.`, remedy };
  }
  if (code === "EROFS") {
    const remedy = "Mount it for writing, or set DATA_DIR to another folder.";
    return { found: `${path} is on a disk that is mounted read-only.`, remedy };
  }
  if (NO_FOLDER.has(code)) {
    const { path: existing } = await nearestExisting(path);
    const remedy = "Move the file away, or set DATA_DIR to another folder.";
    return { found: `${existing} is a file, and must be a folder.`, remedy };
  }
  return NO_PERMISSION.has(code) ? diagnosisOfRights(path, folder) : undefined;
}

async function diagnosisOfRights(path: string, folder: string): Promise<Diagnosis> {
  const { path: existing, uid, gid, mode } = await nearestExisting(path);
  const [ownUid, ownGid] = [process.getuid?.(), process.getgid?.()];
  // Windows has no such ids.
  if (ownUid === undefined)
    return { found: `This user may not write to ${existing}.`, remedy: "Change its permissions." };
  const state = `${existing} belongs to user ${uid} and group ${gid} with mode ${modeText(mode)}`;
  const runner = `this process runs as user ${ownUid} and group ${ownGid}`;
  if (existing !== folder && isWithin(folder, existing)) {
    const make = `install -d -o ${ownUid} -g ${ownGid} -m 700 ${quoted(folder)}`;
    const found = `The data folder ${folder} cannot be created or reached: ${state}, and ${runner}.`;
    return { found, remedy: `As root: ${make}` };
  }
  const remedy =
    uid === ownUid
      ? `Run: chmod -R u+rwX ${quoted(folder)}`
      : `As root, on the machine that has the folder: chown -R ${ownUid}:${ownGid} ${quoted(folder)}`;
  return { found: `The data folder cannot be used: ${state}, and ${runner}.`, remedy };
}

/** Returns a path, or the nearest folder above it that this process can see, with its owner and mode. */
export async function nearestExisting(path: string): Promise<{ path: string; uid: number; gid: number; mode: number }> {
  for (let each = path; ; each = dirname(each)) {
    const found = await stat(each).catch(() => undefined);
    if (found) return { path: each, uid: found.uid, gid: found.gid, mode: found.mode };
    if (each === dirname(each)) return { path: each, uid: 0, gid: 0, mode: 0 };
  }
}

const isWithin = (path: string, folder: string) => !relative(folder, path).startsWith("..");

/** Returns the rights of a mode as octal digits. */
export const modeText = (mode: number) => (mode & 0o777).toString(8).padStart(3, "0");

/** Quotes a path for a shell, if that is needed. */
const quoted = (path: string) => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);
