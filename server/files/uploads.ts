import type { Upload } from "#contract/files/files.ts";
import { SECOND, UNSENT_FILES_MAX } from "#contract/limits.ts";
import { cleanFileName } from "#contract/text/file-name.ts";
import { findSession } from "../accounts/sessions/session-store.ts";
import { type ArrivingBody, BodySlots } from "../concurrency/body-slots.ts";
import type { Clock } from "../concurrency/clock.ts";
import type { Flow } from "../concurrency/fair-queue.ts";
import type { SemaphoreLimits } from "../concurrency/keyed-semaphore.ts";
import { type DiskFloor, refuseBelowFloor } from "../config/disk-space.ts";
import type { Database, FileRow } from "../database/schema.ts";
import { isUniqueViolation } from "../database/violations.ts";
import { Failure } from "../failure.ts";
import type { QuotaSettings } from "../limits/quota.ts";
import { countUnsent, deleteUnsent, findFile, isReady, type ReadyFile, toAttachedFile } from "./attached-file-store.ts";
import type { AttachmentReader } from "./attachment-reader.ts";
import { bounded, whileAboveFloor } from "./bounded-bytes.ts";
import { type FileReading, makeFileReady, newFileRow, reserveFile } from "./file-rows.ts";
import { bytesOf } from "./pictures/read-picture.ts";
import { type FileStore, UploadMoved, type UploadStore } from "./stores/file-store.ts";

export type FileSettings = QuotaSettings & { maxFileBytes: number; maxFilesPerMessage: number };

export type UploadsDeps = {
  database: Database;
  clock: Clock;
  files: FileStore;
  uploads: UploadStore;
  reader: AttachmentReader;
  floor: DiskFloor;
  settings: FileSettings;
};

/**
 * A piece of an upload. `total`, `at` and `length` in bytes; `at` null: no bytes, only the state is asked for.
 * `sessionId`: the session of the request, which may end while the bytes arrive; null: a command on the server has none.
 */
export type UploadPiece = {
  userId: string;
  sessionId: string | null;
  id: string;
  name: string;
  total: number;
  at: number | null;
  length: number;
  bytes: AsyncIterable<Uint8Array>;
  /** Network and account, for the waits. */
  flow: Flow;
  /** The body that the bytes are. */
  body: ArrivingBody;
};

/**
 * Pieces that are received at a time. A slow client holds a file and up to 256 kB of memory for each, until the timeout
 * of a request. A browser sends two at a time in each tab, and a lost connection leaves some that stall.
 */
const RECEIVING: SemaphoreLimits = {
  atOnce: 1000,
  maxWaiting: 1000,
  maxWaitMs: 40 * SECOND,
  retryAfterSeconds: 5,
  perAccount: { atOnce: 20, maxWaiting: 0, retryAfterSeconds: 5 },
  spareForNetworks: 100,
};

/** Receives files in pieces. A file is ready once all its bytes are stored and it has been read. */
export class Uploads {
  readonly #deps: UploadsDeps;
  readonly #receiving: BodySlots;

  constructor(deps: UploadsDeps) {
    this.#deps = deps;
    this.#receiving = new BodySlots(RECEIVING, deps.clock);
  }

  /**
   * Stores a piece; the last one makes the file ready. An upload may be repeated, and continued after any failure.
   * @throws Failure `files-off`, `file-too-large`, `file-empty`, `too-many-files`, `quota-reached`, `storage-full`,
   * `upload-moved`; `invalid-input` if the bytes are not as many as declared; `not-signed-in` if the session has ended
   * meanwhile; `too-many-requests`, `unavailable` if too many pieces are received at once; of the whole file, which
   * is then removed: `file-type`, `file-broken`, `picture-too-large`;
   * `not-found` if the state of an unknown upload is asked for
   */
  async receive(piece: UploadPiece): Promise<Upload> {
    const { userId, id, total, at } = piece;
    this.#refuseSize(total);
    const known = await findFile(this.#deps.database, userId, id);
    if (known && isReady(known)) return { stored: known.size, file: toAttachedFile(known) };
    if (at !== null) await refuseBelowFloor(this.#deps.floor);
    const row = known ?? (await this.#begin(piece));
    if (isReady(row)) return { stored: row.size, file: toAttachedFile(row) };
    if (row.size !== total || (at ?? 0) + piece.length > total) throw new Failure("upload-moved");
    const stored = at === null ? await this.#deps.uploads.size(row.key) : await this.#append(row, at, piece);
    return stored < total ? { stored } : { stored, file: toAttachedFile(await this.#finish(row, piece)) };
  }

  /** Returns how much of a file is stored, and its size, in bytes. @throws Failure `not-found` */
  async progressOf(userId: string, id: string): Promise<{ stored: number; size: number }> {
    const row = await findFile(this.#deps.database, userId, id);
    if (!row) throw new Failure("not-found");
    return { stored: isReady(row) ? row.size : await this.#deps.uploads.size(row.key), size: row.size };
  }

  #refuseSize(total: number): void {
    const { maxFileBytes } = this.#deps.settings;
    if (maxFileBytes === 0) throw new Failure("files-off");
    if (total > maxFileBytes) throw new Failure("file-too-large");
    if (total === 0) throw new Failure("file-empty");
  }

  /** Reserves the size of a file in the account's quota, before its first byte. */
  async #begin({ userId, id, name, total, at }: UploadPiece): Promise<FileRow> {
    if (at === null) throw new Failure("not-found");
    const { database, clock, settings } = this.#deps;
    const created_at = clock.now();
    const row = newFileRow({ user_id: userId, id, name: cleanFileName(name), size: total, created_at });
    const inserted = database.transaction().execute(async (db) => {
      await reserveFile(db, row, settings);
      // Counts this one too.
      if ((await countUnsent(db, userId)) > UNSENT_FILES_MAX) throw new Failure("too-many-files");
      return row;
    });
    return inserted.catch(async (error: unknown) => {
      // Race condition: another piece of the same file has begun it.
      const begun = isUniqueViolation(error) ? await findFile(database, userId, id) : undefined;
      if (!begun) throw error;
      return begun;
    });
  }

  async #append({ key }: FileRow, at: number, { bytes, length, flow, body }: UploadPiece): Promise<number> {
    const { uploads, floor } = this.#deps;
    try {
      const append = () => uploads.append(key, at, whileAboveFloor(bounded(bytes, length), floor));
      return await this.#receiving.run(flow, body, append);
    } catch (error) {
      // A client that has left gets no answer; the bytes that arrived are stored.
      const hasLeft = error instanceof Error && "code" in error && error.code === "ECONNRESET";
      if (hasLeft || error instanceof UploadMoved) throw new Failure("upload-moved", { cause: error });
      throw error;
    }
  }

  /** Reads a whole upload and stores the file. A file that is refused is removed, so that it counts no more. */
  async #finish({ user_id: userId, id }: FileRow, { sessionId, flow }: UploadPiece): Promise<ReadyFile> {
    const work = async () => {
      const { database } = this.#deps;
      const row = await findFile(database, userId, id);
      if (!row) throw new Failure("not-found");
      if (isReady(row)) return row;
      const reading = await this.#read(row, flow).catch(async (error: unknown) => {
        if (isRefusal(error)) await this.#remove(row);
        throw error;
      });
      return this.#makeReady(row, reading, sessionId);
    };
    return this.#deps.reader.run(flow, work);
  }

  /** Reads an upload, and stores the bytes that models receive. */
  async #read({ key, name, size: declared }: FileRow, flow: Flow): Promise<FileReading> {
    const { uploads, files, reader } = this.#deps;
    return uploads.read(key, async (source) => {
      if (source.size !== declared) throw new Failure("file-broken");
      const { facts, pieces, text } = await reader.read(source, { name, flow });
      const size = await files.put(key, bytesOf(source, pieces));
      return { facts: { ...facts, size }, text };
    });
  }

  /** @throws Failure `not-signed-in` if the session has ended; then the upload can be continued in another one */
  async #makeReady(row: FileRow, reading: FileReading, sessionId: string | null): Promise<ReadyFile> {
    const { database, files, uploads } = this.#deps;
    const ready = await database.transaction().execute((db) =>
      // Race condition: a repeated request may have read it too.
      makeFileReady(db, row, reading, async () => {
        if (sessionId !== null && !(await findSession(db, row.user_id, sessionId))) throw new Failure("not-signed-in");
      }),
    );
    await uploads.delete(row.key);
    if (ready && isReady(ready)) return ready;
    // It was removed while it was read, perhaps before its bytes were stored.
    await files.delete(row.key);
    throw new Failure("not-found");
  }

  async #remove({ user_id: userId, id, key }: FileRow): Promise<void> {
    const { database, files, uploads } = this.#deps;
    await deleteUnsent(database, userId, id);
    await files.delete(key);
    await uploads.delete(key);
  }
}

const refusals: ReadonlySet<string> = new Set(["file-type", "file-broken", "picture-too-large"]);

const isRefusal = (error: unknown): boolean => error instanceof Failure && refusals.has(error.code);
