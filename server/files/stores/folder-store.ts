import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open, readdir, rm, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { internalFlow } from "../../concurrency/internal-flow.ts";
import { KeyedSemaphore } from "../../concurrency/keyed-semaphore.ts";
import { moveDurably, syncFolder } from "../../database/snapshots.ts";
import type { ByteSource } from "../byte-source.ts";
import { FILE_MODE, ifThere, listFolder, makeFolder, openThere, readBlock, writing } from "./disk.ts";
import {
  type ByteRange,
  type FileStore,
  MissingObject,
  type StoredObject,
  UploadMoved,
  type UploadStore,
} from "./file-store.ts";
import { checkedKey } from "./store-key.ts";

/** Folder of the data folder with all bytes of attached files. */
export const FILES_FOLDER = "files";
const UPLOADS = "uploads";
const TEMPORARY = "tmp";
/** Names of folders with complete files: the last two digits of the keys. */
const SHARD = /^[0-9a-f]{2}$/;

/** Size of the blocks of a stream. */
const BLOCK_BYTES = 64 * 1024;

/** The temporary folder of a folder of attached files, which {@link FolderFileStore.removeLeftovers} empties. */
export const temporaryFolder = (folder: string): string => join(folder, TEMPORARY);

/**
 * Complete files in a folder, one file for each key. A file is written under another name and renamed, so that it is
 * there whole or not at all.
 */
export class FolderFileStore implements FileStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns the path of a file. UUIDv7 begin with the time, so that only their last digits spread over the folders. */
  pathOf(key: string): string {
    return join(this.#folder, checkedKey(key).slice(-2), key);
  }

  /** @throws Failure `storage-full`; what the iteration throws. Then nothing is stored */
  async put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
    const path = this.pathOf(key);
    const partial = join(temporaryFolder(this.#folder), `${key}-${randomUUID()}`);
    return writing(async () => {
      try {
        await makeFolder(dirname(partial));
        const size = await writeNew(partial, bytes);
        await makeFolder(dirname(path));
        await moveDurably(partial, path);
        return size;
      } finally {
        await rm(partial, { force: true });
      }
    });
  }

  async *open(
    key: string,
    { from, to = Number.POSITIVE_INFINITY }: ByteRange = { from: 0 },
  ): AsyncGenerator<Uint8Array> {
    const file = await openThere(this.pathOf(key));
    if (!file) throw new MissingObject(`No file is stored under ${key}`);
    try {
      for (let at = from; at < to; ) {
        const block = await readBlock(file, at, Math.min(BLOCK_BYTES, to - at));
        if (block.length === 0) return;
        at += block.length;
        yield block;
      }
    } finally {
      await file.close();
    }
  }

  async delete(key: string): Promise<void> {
    await remove(this.pathOf(key));
  }

  async *list(): AsyncGenerator<StoredObject> {
    for (const name of (await ifThere(readdir(this.#folder))) ?? []) {
      if (SHARD.test(name)) yield* listFolder(join(this.#folder, name));
    }
  }

  /** Returns the size of a file in bytes; undefined if it is not there. */
  async sizeOf(key: string): Promise<number | undefined> {
    return (await ifThere(stat(this.pathOf(key))))?.size;
  }

  /** Removes what killed processes have left in the temporary folder before a time (Unix time in ms). */
  async removeLeftovers(before: number): Promise<void> {
    const folder = temporaryFolder(this.#folder);
    for (const name of (await ifThere(readdir(folder))) ?? []) {
      const path = join(folder, name);
      const found = await ifThere(stat(path));
      if (found && found.mtimeMs < before) await rm(path, { recursive: true, force: true });
    }
  }
}

/** Writes a new file durably, except for its name. @returns its size in bytes */
async function writeNew(path: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  await using file = await open(path, "wx", FILE_MODE);
  for await (const piece of bytes) await file.writeFile(piece);
  await file.sync();
  return (await file.stat()).size;
}

async function remove(path: string): Promise<void> {
  await ifThere(unlink(path));
}

/** A file is written at its end, by one append at a time. The others wait. */
const ONE_APPEND = {
  ...{ atOnce: Number.POSITIVE_INFINITY, maxWaiting: Number.POSITIVE_INFINITY },
  perAccount: { atOnce: 1, maxWaiting: Number.POSITIVE_INFINITY, retryAfterSeconds: 1 },
};

/**
 * Incomplete uploads in a folder, one file for each key. The folder must belong to one process and one store, because
 * appends lock a key in memory.
 */
export class FolderUploadStore implements UploadStore {
  readonly #folder: string;
  readonly #locks = new KeyedSemaphore(ONE_APPEND);

  /** `folder`: the folder of all attached files. */
  constructor(folder: string) {
    this.#folder = join(folder, UPLOADS);
  }

  #pathOf(key: string): string {
    return join(this.#folder, checkedKey(key));
  }

  /** @throws UploadMoved; Failure `storage-full`; what the iteration throws */
  async append(key: string, at: number, bytes: AsyncIterable<Uint8Array>): Promise<number> {
    const path = this.#pathOf(key);
    return writing(async () => {
      if (at === 0) await makeFolder(this.#folder);
      const create = at === 0 ? constants.O_CREAT : 0;
      const opened = await ifThere(open(path, constants.O_WRONLY | constants.O_APPEND | create, FILE_MODE));
      if (!opened) throw new UploadMoved(0);
      await using file = opened;
      await refuseMoved(file, at);
      try {
        let size = at;
        // Locked for each write only: a client that sends nothing more would block the one that resumes its upload.
        for await (const piece of bytes) size = await this.#locked(key, () => appendTo(file, size, piece));
        return size;
      } finally {
        await file.sync();
        if (at === 0) await syncFolder(this.#folder);
      }
    });
  }

  #locked<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    return this.#locks.run(internalFlow(key), work);
  }

  async size(key: string): Promise<number> {
    return (await ifThere(stat(this.#pathOf(key))))?.size ?? 0;
  }

  async read<Result>(key: string, use: (source: ByteSource) => Promise<Result>): Promise<Result> {
    const file = await openThere(this.#pathOf(key));
    if (!file) return use({ size: 0, read: async () => Buffer.alloc(0) });
    try {
      const { size } = await file.stat();
      const read = (at: number, length: number) => readBlock(file, at, Math.max(0, Math.min(length, size - at)));
      return await use({ size, read });
    } finally {
      await file.close();
    }
  }

  async delete(key: string): Promise<void> {
    await remove(this.#pathOf(key));
  }

  list(): AsyncIterable<StoredObject> {
    return listFolder(this.#folder);
  }
}

/** Writes bytes at the end of a file if it has the size `at`. @returns its new size */
async function appendTo(file: FileHandle, at: number, bytes: Uint8Array): Promise<number> {
  await refuseMoved(file, at);
  await file.writeFile(bytes);
  return at + bytes.length;
}

/** @throws UploadMoved if the file has another size than `at`, or was deleted */
async function refuseMoved(file: FileHandle, at: number): Promise<void> {
  const { size, nlink } = await file.stat();
  if (nlink === 0) throw new UploadMoved(0);
  if (size !== at) throw new UploadMoved(size);
}
