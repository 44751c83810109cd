import { sql } from "kysely";
import { v7 } from "uuid";
import { newId } from "../../database/new-id.ts";
import type { Database, Queryable } from "../../database/schema.ts";
import type { ByteSource } from "../byte-source.ts";
import { inChunks } from "./chunks.ts";
import {
  type ByteRange,
  type FileStore,
  MissingObject,
  type StoredObject,
  UploadMoved,
  type UploadStore,
} from "./file-store.ts";
import { checkedKey } from "./store-key.ts";

/** Rows per page of a list. */
const PAGE = 500;

/**
 * Complete files as rows, for several processes without a shared disk. A put inserts its chunks one by one under a
 * version of its own: a transaction for the whole file would keep a connection and its locks for as long as the bytes
 * take to arrive. The row in `file_objects`, inserted last, makes them visible.
 */
export class ChunkFileStore implements FileStore {
  readonly #db: Queryable;

  /** `db` may be a transaction; then the store reads its snapshot. */
  constructor(db: Queryable) {
    this.#db = db;
  }

  /** @throws what the iteration or the database throws. Then nothing is visible */
  async put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
    const version = newId();
    const size = await this.#insertChunks(checkedKey(key), version, bytes);
    const row = { version, size, stored_at: Date.now() };
    // Chunks of the version that it replaces stay for its readers until `removeLeftovers`.
    await this.#db
      .insertInto("file_objects")
      .values({ key, ...row })
      .onConflict((conflict) => conflict.column("key").doUpdateSet(row))
      .execute();
    return size;
  }

  async #insertChunks(key: string, version: string, source: AsyncIterable<Uint8Array>): Promise<number> {
    let at = 0;
    try {
      for await (const bytes of inChunks(source)) {
        await this.#db.insertInto("file_chunks").values({ key, version, at, bytes }).execute();
        at += bytes.length;
      }
      return at;
    } catch (error) {
      // A failure leaves the chunks to `removeLeftovers`; the first error is the one to report.
      await this.#deleteVersion(key, version).catch(() => undefined);
      throw error;
    }
  }

  async #deleteVersion(key: string, version: string): Promise<void> {
    await this.#db.deleteFrom("file_chunks").where("key", "=", key).where("version", "=", version).execute();
  }

  async *open(
    key: string,
    { from, to = Number.POSITIVE_INFINITY }: ByteRange = { from: 0 },
  ): AsyncGenerator<Uint8Array> {
    const found = await this.#find(key);
    if (!found) throw new MissingObject(`No file is stored under ${key}`);
    const end = Math.min(to, found.size);
    for (let at = from; at < end; ) {
      const slice = await this.#readSlice(key, found.version, at, end - at);
      // Deleted, or replaced more than an hour ago.
      if (!slice) throw new MissingObject(`The file under ${key} was deleted while it was read`);
      at += slice.length;
      yield slice;
    }
  }

  /** Reads up to `length` bytes of the chunk that has position `at`; undefined if there is none. */
  async #readSlice(key: string, version: string, at: number, length: number): Promise<Buffer | undefined> {
    const row = await this.#db
      .selectFrom("file_chunks")
      .select(sliceOf(at, length))
      .where("key", "=", key)
      .where("version", "=", version)
      .where("at", "<=", at)
      .orderBy("at", "desc")
      .limit(1)
      .executeTakeFirst();
    return toSlice(row);
  }

  async #find(key: string): Promise<{ version: string; size: number } | undefined> {
    return this.#db
      .selectFrom("file_objects")
      .select(["version", "size"])
      .where("key", "=", checkedKey(key))
      .executeTakeFirst();
  }

  async delete(key: string): Promise<void> {
    await this.#db.deleteFrom("file_objects").where("key", "=", checkedKey(key)).execute();
    // After the object, so that no reader finds a file without its chunks. Includes those of a killed put.
    await this.#db.deleteFrom("file_chunks").where("key", "=", key).execute();
  }

  list(): AsyncIterable<StoredObject> {
    return listObjects(this.#db, "file_objects");
  }

  /** Returns the size of a file in bytes; undefined if it is not there. */
  async sizeOf(key: string): Promise<number | undefined> {
    return (await this.#find(key))?.size;
  }

  /** Removes chunks of puts that began before a time (Unix time in ms) and are not visible: killed, or replaced. */
  async removeLeftovers(before: number): Promise<void> {
    await this.#db
      .deleteFrom("file_chunks")
      .where("version", "<", v7({ msecs: before }))
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("file_objects")
              .select("file_objects.key")
              .whereRef("file_objects.key", "=", "file_chunks.key")
              .whereRef("file_objects.version", "=", "file_chunks.version"),
          ),
        ),
      )
      .execute();
  }
}

/**
 * Incomplete uploads as rows. Each chunk is inserted in a transaction that compares the size, so that of appends in
 * several processes one wins, and no lock is held while a client sends. Up to a chunk of a slow client is in memory.
 */
export class ChunkUploadStore implements UploadStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** @throws UploadMoved; what the iteration or the database throws */
  async append(key: string, at: number, source: AsyncIterable<Uint8Array>): Promise<number> {
    let size = await this.size(key);
    if (size !== at) throw new UploadMoved(size);
    for await (const bytes of inChunks(source)) {
      await this.#insertChunk(key, size, bytes);
      size += bytes.length;
    }
    return size;
  }

  async #insertChunk(key: string, at: number, bytes: Buffer): Promise<void> {
    await this.#database.transaction().execute(async (db) => {
      if (!(await grow(db, key, at, bytes.length))) throw new UploadMoved(await findSize(db, key));
      await db.insertInto("upload_chunks").values({ key, at, bytes }).execute();
    });
  }

  size(key: string): Promise<number> {
    return findSize(this.#database, checkedKey(key));
  }

  async read<Result>(key: string, use: (source: ByteSource) => Promise<Result>): Promise<Result> {
    const size = await this.size(key);
    return use({ size, read: (at, length) => this.#read(key, at, Math.min(at + length, size)) });
  }

  async #read(key: string, from: number, to: number): Promise<Buffer> {
    const slices: Buffer[] = [];
    for (let at = from; at < to; ) {
      const row = await this.#database
        .selectFrom("upload_chunks")
        .select(sliceOf(at, to - at))
        .where("key", "=", key)
        .where("at", "<=", at)
        .orderBy("at", "desc")
        .limit(1)
        .executeTakeFirst();
      const slice = toSlice(row);
      if (!slice) throw new MissingObject(`The upload ${key} was deleted while it was read`);
      slices.push(slice);
      at += slice.length;
    }
    return Buffer.concat(slices);
  }

  async delete(key: string): Promise<void> {
    await this.#database.deleteFrom("upload_objects").where("key", "=", checkedKey(key)).execute();
  }

  list(): AsyncIterable<StoredObject> {
    return listObjects(this.#database, "upload_objects");
  }
}

/** Adds to the size of an upload if it is `at`, and locks its row. @returns whether it was */
async function grow(db: Queryable, key: string, at: number, length: number): Promise<boolean> {
  const row = { size: at + length, stored_at: Date.now() };
  const { numUpdatedRows } = await db
    .updateTable("upload_objects")
    .set(row)
    .where("key", "=", key)
    .where("size", "=", at)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return true;
  if (at > 0) return false;
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("upload_objects")
    .values({ key, ...row })
    .onConflict((conflict) => conflict.column("key").doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

async function findSize(db: Queryable, key: string): Promise<number> {
  const row = await db.selectFrom("upload_objects").select("size").where("key", "=", key).executeTakeFirst();
  return row?.size ?? 0;
}

/** Expression for up to `length` bytes of a chunk from position `at` of the whole. Both engines count from 1. */
const sliceOf = (at: number, length: number) =>
  sql<Uint8Array>`substr(bytes, ${at} - ${sql.ref("at")} + 1, ${length})`.as("slice");

/** Returns the bytes of a row without a copy; undefined if there is no row, or it ends before the position. */
function toSlice(row: { slice: Uint8Array } | undefined): Buffer | undefined {
  if (!row || row.slice.length === 0) return undefined;
  const { buffer, byteOffset, byteLength } = row.slice;
  return Buffer.from(buffer, byteOffset, byteLength);
}

async function* listObjects(db: Queryable, table: "file_objects" | "upload_objects"): AsyncGenerator<StoredObject> {
  for (let after = ""; ; ) {
    const rows = await db
      .selectFrom(table)
      .select(["key", "size", "stored_at as storedAt"])
      .where("key", ">", after)
      .orderBy("key")
      .limit(PAGE)
      .execute();
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.key;
  }
}
