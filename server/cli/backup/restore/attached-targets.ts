import { link, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { filesBeside, syncFolder } from "../../../database/snapshots.ts";
import { makeFolder } from "../../../files/stores/disk.ts";
import type { FileStore } from "../../../files/stores/file-store.ts";
import { FILES_FOLDER, FolderFileStore, temporaryFolder } from "../../../files/stores/folder-store.ts";
import type { AttachedTarget, RestoreSource } from "../load.ts";

const filesOf = (dataDir: string) => new FolderFileStore(join(dataDir, FILES_FOLDER));

/** Folders that may have the files of a copy of a database: the one beside it, and that of the data folder. */
const sourcesOf = (dataDir: string, { file }: RestoreSource) => [
  new FolderFileStore(filesBeside(file)),
  filesOf(dataDir),
];

/** Restores attached files into rows, or to an S3-compatible server, which may have some already. */
export function storeTarget(store: FileStore, dataDir: string, source: RestoreSource): AttachedTarget {
  const sources = sourcesOf(dataDir, source);
  return {
    store,
    copy: async (key) => {
      if ((await store.sizeOf(key)) !== undefined) return true;
      for (const from of sources) {
        if ((await from.sizeOf(key)) === undefined) continue;
        await store.put(key, from.open(key));
        return true;
      }
      return false;
    },
  };
}

/** Where a restore of SQLite puts attached files, before the old database is replaced. */
export interface ReplacingTarget extends AttachedTarget, AsyncDisposable {
  /** Stashes the files of the old database beside a copy of it. */
  stash(copy: string): Promise<void>;
  /** Makes the restored files those of the installation. */
  publish(): Promise<void>;
}

/**
 * Restores attached files to an S3-compatible server, under keys that the old database does not use, or for the same
 * bytes. A kill leaves objects without a row, which a sweep removes.
 */
export function remoteTarget(
  store: FileStore & AsyncDisposable,
  dataDir: string,
  source: RestoreSource,
): ReplacingTarget {
  return {
    ...storeTarget(store, dataDir, source),
    stash: (copy) => downloadFiles(store, new FolderFileStore(filesBeside(copy))),
    publish: async () => undefined,
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

/** Copies all files, because the sweep of the next server deletes those that the new database does not have. */
async function downloadFiles(from: FileStore, to: FolderFileStore): Promise<void> {
  for await (const { key } of from.list()) await to.put(key, from.open(key));
}

/**
 * Restores attached files into a temporary folder beside those of a data folder, which stay unchanged. Bytes of a key
 * never change, so that files of both databases can be in the folder until one has replaced the other.
 */
export class StagedFiles implements ReplacingTarget {
  readonly store: FolderFileStore;
  readonly #dataDir: string;
  readonly #folder: string;
  readonly #sources: FolderFileStore[];

  constructor(dataDir: string, source: RestoreSource) {
    this.#dataDir = dataDir;
    this.#folder = join(temporaryFolder(join(dataDir, FILES_FOLDER)), "restoring");
    this.store = new FolderFileStore(this.#folder);
    this.#sources = sourcesOf(dataDir, source);
  }

  async copy(key: string): Promise<boolean> {
    for (const from of this.#sources) if (await linkFile(key, from, this.store)) return true;
    return false;
  }

  stash(copy: string): Promise<void> {
    return stashFiles(this.#dataDir, copy);
  }

  /** Moves the files durably to those of the data folder. */
  async publish(): Promise<void> {
    const target = filesOf(this.#dataDir);
    const folders = new Set<string>();
    for await (const { key } of this.store.list()) {
      const path = target.pathOf(key);
      await makeFolder(dirname(path));
      await rename(this.store.pathOf(key), path);
      folders.add(dirname(path));
    }
    for (const folder of folders) await syncFolder(folder);
  }

  /** Removes the temporary folder, also that of a killed restore. */
  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/**
 * Stashes the attached files of a data folder beside a copy of its database. They are linked and take no space, until
 * the sweep of the next server deletes files that the new database does not have.
 */
async function stashFiles(dataDir: string, stash: string): Promise<void> {
  const [files, stashed] = [filesOf(dataDir), new FolderFileStore(filesBeside(stash))];
  const folders = new Set<string>();
  for await (const { key } of files.list()) {
    if (await linkFile(key, files, stashed)) folders.add(dirname(stashed.pathOf(key)));
  }
  for (const folder of folders) await syncFolder(folder);
}

/** Links a file into another folder, or copies it where the file system has no links. @returns whether it was there */
async function linkFile(key: string, from: FolderFileStore, to: FolderFileStore): Promise<boolean> {
  if ((await from.sizeOf(key)) === undefined) return false;
  await makeFolder(dirname(to.pathOf(key)));
  // A reason of the failure that concerns the file itself fails the copy too.
  await link(from.pathOf(key), to.pathOf(key)).catch(() => to.put(key, from.open(key)));
  return true;
}
