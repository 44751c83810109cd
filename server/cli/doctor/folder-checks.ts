import { randomBytes } from "node:crypto";
import { rm, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { MEGABYTE } from "#contract/limits.ts";
import { diskSizeOf, freeSpaceOf, isNearlyFull } from "../../config/disk-space.ts";
import {
  FolderFault,
  folderFaultOf,
  modeText,
  nearestExisting,
  refuseUnusableFolder,
} from "../../config/folder-fault.ts";
import { type CheckDeps, type Finding, failure, ok, warning } from "./finding.ts";

const FOLDER = "data folder";
const DISK = "disk";
/** Entries that a server opens, or writes to. */
const ENTRIES = ["lock", "process-id", "parley.db", "parley.db-wal", "parley.db-shm", "files", "mails"];
const RIGHTS_OF_OTHERS = 0o007;
/** Less than this is no space: the server is not ready then. */
const LEAST_BYTES = 1024 * 1024;

/** Checks that the data folder exists, that this process can write to it, and that other users cannot read it. */
export async function checkDataFolder({ config }: CheckDeps): Promise<Finding> {
  const folder = resolve(config.dataDir);
  try {
    const existing = await stat(folder).catch(() => undefined);
    await refuseUnusableFolder((await nearestExisting(folder)).path, existing ? ENTRIES : []);
    if (!existing) {
      return warning(
        FOLDER,
        `${folder} does not exist yet.`,
        "The first start creates it; check DATA_DIR if there is one.",
      );
    }
    await writeTrial(folder);
    return rightsOf(folder, { mode: existing.mode, uid: await serverOf(folder, existing.uid) });
  } catch (error) {
    const fault = error instanceof FolderFault ? error : await folderFaultOf(error, folder);
    if (fault) return failure(FOLDER, fault.found, fault.remedy);
    throw error;
  }
}

/**
 * Returns the user (uid) whose files a server has left in the folder, by default its owner: a volume often belongs to
 * root, and lets the group of the server write.
 */
async function serverOf(folder: string, owner: number): Promise<number> {
  const entry = await stat(join(folder, "lock")).catch(() => undefined);
  return entry?.uid ?? owner;
}

function rightsOf(folder: string, { mode, uid }: { mode: number; uid: number }): Finding {
  const own = process.getuid?.();
  const rights = modeText(mode);
  if (own !== undefined && own !== uid) {
    const found = `The files in ${folder} belong to user ${uid}, and this command runs as user ${own}.`;
    const advice = `Run commands of administration as user ${uid}: files that they create must belong to the server.`;
    return warning(FOLDER, found, advice);
  }
  if (own !== undefined && (mode & RIGHTS_OF_OTHERS) !== 0) {
    return warning(FOLDER, `${folder} has mode ${rights}: other users can list it.`, `Run: chmod 700 ${folder}`);
  }
  return ok(FOLDER, `${folder} is writable (user ${uid}, mode ${rights}).`);
}

/** Writes a file and removes it: permissions do not show quotas and the rules of network disks. */
async function writeTrial(folder: string): Promise<void> {
  const file = join(folder, `doctor-${randomBytes(6).toString("hex")}`);
  try {
    await writeFile(file, "", { mode: 0o600, flag: "wx" });
  } finally {
    await rm(file, { force: true });
  }
}

/** Compares the free space with the floor below which the server refuses large writes. */
export async function checkDisk({ config }: CheckDeps): Promise<Finding> {
  const { path: folder } = await nearestExisting(resolve(config.dataDir));
  const [free, size] = [await freeSpaceOf(folder)(), await diskSizeOf(folder)];
  const facts = `${inMb(free)} of ${inMb(size)} are free`;
  const advice = "Free some space, or move the data folder (DATA_DIR) to a larger disk.";
  if (free < LEAST_BYTES) return failure(DISK, `${facts}: nothing can be stored.`, advice);
  const floor = `MIN_FREE_DISK_MB (${inMb(config.minFreeBytes)})`;
  if (free < config.minFreeBytes) {
    return failure(DISK, `${facts}, less than ${floor}: uploads and imports are refused.`, advice);
  }
  if (isNearlyFull({ free, size })) return warning(DISK, `${facts}; uploads are refused below ${floor}.`, advice);
  return ok(DISK, `${facts}; uploads are refused below ${floor}.`);
}

const inMb = (bytes: number) => `${Math.floor(bytes / MEGABYTE).toLocaleString("en")} MB`;
