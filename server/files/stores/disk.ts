import { type FileHandle, mkdir, open, readdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { syncFolder } from "../../database/snapshots.ts";
import { Failure } from "../../failure.ts";
import type { StoredObject } from "./file-store.ts";
import { isStoreKey } from "./store-key.ts";

/** Only the user of the server may read attached files. */
export const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** Codes of a full disk, and of a full quota of the user. */
const FULL = new Set(["ENOSPC", "EDQUOT"]);

/** Creates a folder (mode 700) and its parents, durably. */
export async function makeFolder(path: string): Promise<void> {
  const made = await mkdir(path, { recursive: true, mode: FOLDER_MODE });
  if (made === undefined) return;
  const last = dirname(resolve(made));
  for (let parent = dirname(resolve(path)); parent.length >= last.length; parent = dirname(parent)) {
    await syncFolder(parent);
    if (parent === dirname(parent)) return;
  }
}

/** Runs work that writes to the disk. @throws Failure `storage-full` if the disk is full; what the work throws */
export async function writing<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (FULL.has(codeOf(error))) throw new Failure("storage-full", { cause: error });
    throw error;
  }
}

/** Returns the result of work on a file or folder, or undefined if it does not exist. */
export async function ifThere<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** Opens a file for reading; undefined if it does not exist. */
export const openThere = (path: string): Promise<FileHandle | undefined> => ifThere(open(path, "r"));

/** Reads up to `length` bytes from position `at` (both in bytes); fewer only at the end of the file. */
export async function readBlock(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const block = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(block, filled, length - filled, at + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return block.subarray(0, filled);
}

/** Lists the files of a folder that are named by keys; none if the folder does not exist. */
export async function* listFolder(path: string): AsyncGenerator<StoredObject> {
  for (const key of (await ifThere(readdir(path))) ?? []) {
    // It may have been deleted meanwhile.
    const found = isStoreKey(key) ? await ifThere(stat(join(path, key))) : undefined;
    if (found) yield { key, size: found.size, storedAt: Math.floor(found.mtimeMs) };
  }
}
