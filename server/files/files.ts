import { type AttachedFile, type FileText, fileKindOf } from "#contract/files/files.ts";
import { HOUR, UNSENT_FILE_LIFE_MS } from "#contract/limits.ts";
import { newId } from "../database/new-id.ts";
import type { Database, FileRow, Queryable } from "../database/schema.ts";
import { truncateLog } from "../database/sqlite/truncate-log.ts";
import { Failure } from "../failure.ts";
import type { QuotaSettings } from "../limits/quota.ts";
import type { Log } from "../log.ts";
import {
  deleteAllOf,
  deleteUnnamedBefore,
  deleteUnsent,
  findByKeys,
  findFile,
  forgetRemoval,
  isReady,
  listFilesOf,
  listRemovals,
  type ReadyFile,
  readFileText,
  toAttachedFile,
} from "./attached-file-store.ts";
import { makeFileReady, newFileRow, reserveFile } from "./file-rows.ts";
import type { ReadableFile } from "./readable-file.ts";
import {
  type FileStore,
  MissingObject,
  type StoredObject,
  StoreFailure,
  type UploadStore,
} from "./stores/file-store.ts";

export type FilesDeps = { database: Database; files: FileStore; uploads: UploadStore; log: Log };

/** Keys in one statement. */
const BATCH = 200;

/** Stored bytes without a row may belong to an upload that is just being finished. */
const MIN_AGE_MS = HOUR;

/** A file by its account. */
type FileOwner = { userId: string; id: string };

/** Opens, copies and removes files. A file exists only for its account: any other id behaves like an unknown one. */
export class Files {
  readonly #deps: FilesDeps;

  constructor(deps: FilesDeps) {
    this.#deps = deps;
  }

  /** Returns a file and its bytes. @throws Failure `not-found` */
  async open(userId: string, id: string): Promise<{ file: AttachedFile; bytes: AsyncIterable<Uint8Array> }> {
    const row = await this.#find(userId, id);
    return { file: toAttachedFile(row), bytes: this.#deps.files.open(row.key) };
  }

  /** Returns the readable text of a document. @throws Failure `not-found` */
  async textOf(userId: string, id: string): Promise<FileText> {
    const row = await this.#find(userId, id);
    const { remark } = toAttachedFile(row);
    return { text: await readFileText(this.#deps.database, row.key), ...(remark && { remark }) };
  }

  /**
   * Returns the files that messages name by the message's id, each in its order.
   * @param withResults whether rests of results of tools are returned; models read these in the same answer only
   */
  async listOf(
    db: Queryable,
    messageIds: readonly string[],
    { withResults = false } = {},
  ): Promise<ReadonlyMap<string, ReadableFile[]>> {
    const { database, files } = this.#deps;
    const rows = await listFilesOf(db, messageIds, { withResults });
    const toStored = (row: ReadyFile): ReadableFile => ({
      ...toAttachedFile(row),
      kind: fileKindOf(row.type),
      textBytes: row.text_bytes,
      readText: () => readFileText(database, row.key),
      open: () => files.open(row.key),
    });
    return new Map([...rows].map(([messageId, list]) => [messageId, list.map(toStored)]));
  }

  /**
   * Copies a file into another account, where no message names it yet.
   * @throws Failure `not-found` if it was removed, `quota-reached`
   */
  async copy(from: FileOwner, to: { userId: string; now: number; quota: QuotaSettings }): Promise<AttachedFile> {
    const { database, files } = this.#deps;
    const source = await this.#find(from.userId, from.id);
    const { type, size, width, height, pages } = source;
    const facts = { type, size, width, height, pages, remark: toAttachedFile(source).remark ?? null };
    const row = newFileRow({ user_id: to.userId, id: newId(), name: source.name, size, created_at: to.now });
    await database.transaction().execute((db) => reserveFile(db, row, to.quota));
    try {
      await files.put(row.key, files.open(source.key));
      const text = await readFileText(database, source.key);
      const ready = await database.transaction().execute((db) => makeFileReady(db, row, { facts, text }));
      if (!ready) throw new Failure("not-found");
      return toAttachedFile({ ...row, ...facts });
    } catch (error) {
      await deleteUnsent(database, to.userId, row.id);
      throw error instanceof MissingObject ? new Failure("not-found", { cause: error }) : error;
    }
  }

  /** Removes a file that no message names. @throws Failure `not-found`, `file-sent` */
  async remove(userId: string, id: string): Promise<void> {
    const { database } = this.#deps;
    if (!(await deleteUnsent(database, userId, id))) {
      throw new Failure((await findFile(database, userId, id)) ? "file-sent" : "not-found");
    }
    await this.#deleteNowOrLater();
  }

  /** Removes all files of an account. */
  async removeAll(userId: string, signal: AbortSignal): Promise<void> {
    await deleteAllOf(this.#deps.database, userId);
    await this.#deleteNowOrLater(signal);
  }

  /** The rows are removed: a store that does not answer now is asked again by the sweep. */
  async #deleteNowOrLater(signal?: AbortSignal): Promise<void> {
    try {
      await this.deleteRemoved(signal);
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
      this.#deps.log.warn({ reason: error.reason }, "bytes of removed files are deleted later");
    }
  }

  /** Deletes the bytes of files whose rows were removed. */
  async deleteRemoved(signal?: AbortSignal): Promise<void> {
    const { database, files, uploads } = this.#deps;
    for (;;) {
      const keys = await listRemovals(database, BATCH);
      for (const key of keys) {
        if (signal?.aborted) return;
        await files.delete(key);
        await uploads.delete(key);
        await forgetRemoval(database, key);
      }
      if (keys.length < BATCH) return;
    }
  }

  /** Removes files that were never sent, bytes of removed files, and bytes that a crash has left without a row. */
  async sweep(now: number, signal: AbortSignal): Promise<void> {
    const { database, files, uploads, log } = this.#deps;
    await deleteUnnamedBefore(database, now - UNSENT_FILE_LIFE_MS);
    await this.deleteRemoved(signal);
    await files.removeLeftovers(now - MIN_AGE_MS);
    const needs = [
      { store: files, isNeeded: () => true },
      // After a kill, the upload of a ready file is left.
      { store: uploads, isNeeded: (row: FileRow) => !isReady(row) },
    ];
    for (const { store, isNeeded } of needs) {
      for await (const key of strayKeys(database, store.list(), { before: now - MIN_AGE_MS, isNeeded })) {
        if (signal.aborted) return;
        log.warn({ file: key }, "bytes without a file removed");
        await store.delete(key);
      }
    }
    // SQLite's log has names and texts of the removed files.
    await truncateLog(database);
  }

  async #find(userId: string, id: string): Promise<ReadyFile> {
    const row = await findFile(this.#deps.database, userId, id);
    if (!row || !isReady(row)) throw new Failure("not-found");
    return row;
  }
}

/** Yields the keys of stored objects that are older than `before` and have no row that needs them. */
async function* strayKeys(
  database: Database,
  objects: AsyncIterable<StoredObject>,
  { before, isNeeded }: { before: number; isNeeded: (row: FileRow) => boolean },
): AsyncGenerator<string> {
  let batch: string[] = [];
  const strays = async function* () {
    const rows = await findByKeys(database, batch);
    yield* batch.filter((key) => {
      const row = rows.get(key);
      return !row || !isNeeded(row);
    });
    batch = [];
  };
  for await (const { key, storedAt } of objects) {
    if (storedAt >= before) continue;
    batch.push(key);
    if (batch.length >= BATCH) yield* strays();
  }
  yield* strays();
}
