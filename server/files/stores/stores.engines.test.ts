import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createTestDatabase, isOnPostgres } from "../../../testing/database/test-database.ts";
import { type S3Server, startS3Server } from "../../../testing/files/s3-server.ts";
import { parseConfig } from "../../config/config.ts";
import { newId } from "../../database/new-id.ts";
import { openDatabase } from "../../database/open.ts";
import type { Database } from "../../database/schema.ts";
import { CHUNK_BYTES } from "./chunks.ts";
import { MissingObject, type StoredObject, UploadMoved } from "./file-store.ts";
import { openStores, type Stores, storesSettingsOf } from "./open-stores.ts";

let opened: AsyncDisposableStack;
let dataDir: string;
let database: Database;
beforeEach(async () => {
  opened = new AsyncDisposableStack();
  dataDir = opened.adopt(await mkdtemp(join(tmpdir(), "parley-stores-")), (folder) => rm(folder, { recursive: true }));
  const postgresUrl = opened.use(await createTestDatabase({ isMigrated: true })).env.DATABASE_URL;
  const settings = { dataDir, ...(postgresUrl !== undefined && { postgresUrl }) };
  database = opened.adopt(await openDatabase(settings), (db) => db.destroy());
});
afterEach(() => opened.disposeAsync());

/** Yields the pieces one by one, then throws the error if there is one. */
async function* from(pieces: Iterable<Uint8Array | string>, error?: Error): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(piece);
  if (error) throw error;
}

const all = async (objects: AsyncIterable<StoredObject>) => {
  const found: Pick<StoredObject, "key" | "size">[] = [];
  for await (const { key, size } of objects) found.push({ key, size });
  return found.sort((one, other) => (one.key < other.key ? -1 : 1));
};

/** Iterable of pieces that a test pushes, which may be used once. */
function pushed() {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  return {
    bytes: readable,
    push: (text: string) => writer.write(Buffer.from(text)),
    end: () => writer.close(),
    fail: (error: Error) => writer.abort(error),
  };
}

const broken = new Error("connection reset");

// The rows are tested on both engines, although only PostgreSQL uses them.
describe.each(["folder", "rows", "bucket"])("stores of bytes in a %s", (kind) => {
  let stores: Stores;
  let server: S3Server | undefined;
  beforeEach(async () => {
    server = kind === "bucket" ? await startS3Server(opened) : undefined;
    const settings = storesSettingsOf(parseConfig({ DATA_DIR: dataDir, ...server?.envFor() }));
    const isShared = kind === "rows" || (kind === "bucket" && isOnPostgres);
    stores = opened.use(await openStores({ database, ...settings, isShared }));
  });
  const stored = (key: string, from = 0, to?: number) =>
    buffer(stores.files.open(key, { from, ...(to !== undefined && { to }) }));
  /** Number of rows, files and objects that hold bytes, visible or not. */
  const countTraces = async () => {
    const chunks = await database.selectFrom("file_chunks").select("at").execute();
    const names = await readdir(join(dataDir, "files"), { recursive: true, withFileTypes: true }).catch(() => []);
    const remote = (server?.bucket.objects.size ?? 0) + (server?.bucket.uploads.size ?? 0);
    return chunks.length + names.filter((entry) => entry.isFile()).length + remote;
  };

  describe("the file store", () => {
    it.each([0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 3 * CHUNK_BYTES])(
      "the file store returns the %i bytes of a file, however they were cut",
      async (size) => {
        const bytes = randomBytes(size);
        const pieces = function* () {
          for (let at = 0, step = 1; at < size; at += step, step = 3 * step + 1) yield bytes.subarray(at, at + step);
        };
        const [key, other] = [newId(), newId()];
        expect(await stores.files.put(key, from(pieces()))).toBe(size);
        expect(await stores.files.put(other, from([bytes]))).toBe(size);
        expect((await stored(key)).equals(bytes)).toBe(true);
        expect((await stored(other)).equals(bytes)).toBe(true);
        expect(await stores.files.sizeOf(key)).toBe(size);
      },
    );

    it("the file store returns ranges across the ends of blocks, and nothing beyond the end", async () => {
      const size = 2 * CHUNK_BYTES + 100;
      const bytes = randomBytes(size);
      const key = newId();
      await stores.files.put(key, from([bytes]));
      for (const [start, end] of [
        [0, 1],
        [65_535, 65_537],
        [CHUNK_BYTES - 1, CHUNK_BYTES + 1],
        [CHUNK_BYTES, size],
        [10, 10],
        [size - 1, size + 50],
        [size, size + 1],
        [size + 10, undefined],
        [5, undefined],
      ] as const) {
        const found = await stored(key, start, end);
        expect.soft([start, end, found.equals(bytes.subarray(start, end))]).toEqual([start, end, true]);
      }
    });

    it("the file store lists its files, deletes them, and reports an absent one", async () => {
      const [one, other] = [newId(), newId()].sort() as [string, string];
      await stores.files.put(one, from(["one"]));
      await stores.files.put(other, from(["other"]));
      await stores.uploads.append(newId(), 0, from(["an upload"]));
      expect(await all(stores.files.list())).toEqual([
        { key: one, size: 3 },
        { key: other, size: 5 },
      ]);
      await stores.files.delete(one);
      await stores.files.delete(one);
      await expect(stored(one)).rejects.toThrow(MissingObject);
      await expect(stored(one, 3, 3)).rejects.toThrow(MissingObject);
      expect(await stores.files.sizeOf(one)).toBeUndefined();
      expect(await all(stores.files.list())).toEqual([{ key: other, size: 5 }]);
    });

    it("the file store dates its files with the current time", async () => {
      const before = Date.now();
      await stores.files.put(newId(), from(["a"]));
      for await (const { storedAt } of stores.files.list()) {
        // File systems round times to ticks of the kernel.
        expect(storedAt).toBeGreaterThan(before - 1000);
        expect(storedAt).toBeLessThanOrEqual(Date.now());
      }
      expect.assertions(2);
    });

    it("a put whose bytes fail stores nothing, and neither does one over a stored file", async () => {
      const key = newId();
      const half = [randomBytes(CHUNK_BYTES + 5)];
      await expect(stores.files.put(key, from(half, broken))).rejects.toBe(broken);
      expect(await all(stores.files.list())).toEqual([]);
      expect(await countTraces()).toBe(0);
      await stores.files.put(key, from(["whole"]));
      await expect(stores.files.put(key, from(half, broken))).rejects.toBe(broken);
      expect((await stored(key)).toString()).toBe("whole");
    });

    it("a put under a stored key replaces the file, and its bytes are removed as leftovers", async () => {
      const key = newId();
      await stores.files.put(key, from([randomBytes(2 * CHUNK_BYTES)]));
      const traces = await countTraces();
      await stores.files.put(key, from(["short"]));
      expect((await stored(key)).toString()).toBe("short");
      expect(await all(stores.files.list())).toEqual([{ key, size: 5 }]);
      await stores.files.removeLeftovers(Date.now() + 60_000);
      expect((await stored(key)).toString()).toBe("short");
      expect(traces - (await countTraces())).toBe(kind === "rows" ? 1 : 0);
    });

    it("an unfinished put is not visible, and a reader never sees half a file", async () => {
      const key = newId();
      const source = pushed();
      const put = stores.files.put(key, source.bytes);
      await source.push("x".repeat(CHUNK_BYTES + 1));
      await source.push("y");
      await stores.files.removeLeftovers(Date.now() - 60_000);
      expect(await all(stores.files.list())).toEqual([]);
      await expect(stored(key)).rejects.toThrow(MissingObject);
      await source.end();
      expect(await put).toBe(CHUNK_BYTES + 2);
      expect(await stored(key)).toHaveLength(CHUNK_BYTES + 2);
    });

    it("two puts of the same file at once store it once", async () => {
      const key = newId();
      const bytes = randomBytes(CHUNK_BYTES + 1);
      await Promise.all([stores.files.put(key, from([bytes])), stores.files.put(key, from([bytes]))]);
      expect((await stored(key)).equals(bytes)).toBe(true);
      await stores.files.removeLeftovers(Date.now() + 60_000);
      expect((await stored(key)).equals(bytes)).toBe(true);
      await stores.files.delete(key);
      expect(await countTraces()).toBe(0);
    });

    it("a reader that stops early stops reading", async () => {
      const key = newId();
      await stores.files.put(key, from([randomBytes(3 * CHUNK_BYTES)]));
      const handles = await openHandles();
      for await (const block of stores.files.open(key)) {
        expect(block.length).toBeLessThanOrEqual(CHUNK_BYTES);
        if (kind === "folder") expect(await openHandles()).toBe(handles + 1);
        break;
      }
      expect(await openHandles()).toBe(handles);
    });
  });

  describe("the upload store", () => {
    const content = (key: string) => stores.uploads.read(key, ({ size, read }) => read(0, size));

    it("an append continues an upload, and returns its new size", async () => {
      const key = newId();
      expect([await stores.uploads.size(key), (await content(key)).length]).toEqual([0, 0]);
      expect(await stores.uploads.append(key, 0, from(["One ", "two "]))).toBe(8);
      expect(await stores.uploads.append(key, 8, from([]))).toBe(8);
      expect(await stores.uploads.append(key, 8, from(["three"]))).toBe(13);
      expect((await content(key)).toString()).toBe("One two three");
      expect(await all(stores.uploads.list())).toEqual([{ key, size: 13 }]);
      expect(await all(stores.files.list())).toEqual([]);
      await stores.uploads.delete(key);
      await stores.uploads.delete(key);
      expect([await stores.uploads.size(key), (await content(key)).length]).toEqual([0, 0]);
    });

    it("an append at another position throws UploadMoved with the size, and stores nothing", async () => {
      const [key, other] = [newId(), newId()];
      await stores.uploads.append(other, 0, from(["another upload"]));
      const sizeOfMove = (at: number) =>
        stores.uploads.append(key, at, from(["lost"])).catch((error) => error instanceof UploadMoved && error.size);
      expect(await sizeOfMove(3)).toBe(0);
      expect(await all(stores.uploads.list())).toEqual([{ key: other, size: 14 }]);
      await stores.uploads.append(key, 0, from(["four"]));
      expect(await Promise.all([sizeOfMove(0), sizeOfMove(3), sizeOfMove(5)])).toEqual([4, 4, 4]);
      expect((await content(key)).toString()).toBe("four");
    });

    it("an append that breaks off keeps what has arrived", async () => {
      const key = newId();
      const bytes = randomBytes(CHUNK_BYTES + 7);
      await expect(stores.uploads.append(key, 0, from([bytes, "end"], broken))).rejects.toBe(broken);
      const whole = Buffer.concat([bytes, Buffer.from("end")]);
      expect((await content(key)).equals(whole)).toBe(true);
      expect(await stores.uploads.append(key, whole.length, from(["!"]))).toBe(whole.length + 1);
    });

    it.each([0, 6])("exactly one of several appends at position %i wins, without mixing their bytes", async (at) => {
      const key = newId();
      await stores.uploads.append(key, 0, from(at > 0 ? ["start "] : []));
      const appends = ["a", "b", "c", "d"].map((letter) =>
        stores.uploads.append(key, at, from([letter.repeat(CHUNK_BYTES), letter])),
      );
      const outcomes = await Promise.allSettled(appends);
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      for (const outcome of outcomes) {
        if (outcome.status === "rejected") expect(outcome.reason).toBeInstanceOf(UploadMoved);
      }
      const found = (await content(key)).toString();
      expect(found).toMatch(/^(start )?(a+|b+|c+|d+)$/);
      expect(found).toHaveLength(at + CHUNK_BYTES + 1);
    });

    it("a client that resumes is not blocked by its stalled connection, which then stores nothing more", async () => {
      const key = newId();
      const stalled = pushed();
      const first = stores.uploads.append(key, 0, stalled.bytes);
      const outcome = expect(first).rejects.toThrow(UploadMoved);
      await stalled.push("x".repeat(CHUNK_BYTES));
      await vi.waitFor(async () => expect(await stores.uploads.size(key)).toBe(CHUNK_BYTES));
      expect(await stores.uploads.append(key, CHUNK_BYTES, from(["rest"]))).toBe(CHUNK_BYTES + 4);
      await stalled.push("late").catch(() => undefined);
      await stalled.end().catch(() => undefined);
      await outcome;
      expect((await content(key)).subarray(-5).toString()).toBe("xrest");
    });

    it("an append to an upload that was deleted meanwhile stores nothing", async () => {
      const key = newId();
      const source = pushed();
      const append = expect(stores.uploads.append(key, 0, source.bytes)).rejects.toThrow(UploadMoved);
      await source.push("x".repeat(CHUNK_BYTES));
      await vi.waitFor(async () => expect(await stores.uploads.size(key)).toBe(CHUNK_BYTES));
      await stores.uploads.delete(key);
      await source.push("late").catch(() => undefined);
      await source.end().catch(() => undefined);
      await append;
      expect(await all(stores.uploads.list())).toEqual([]);
    });

    it("a source of bytes reads at any position, and less only at the end", async () => {
      const key = newId();
      const bytes = randomBytes(2 * CHUNK_BYTES + 9);
      const pieces = [bytes.subarray(0, 5), bytes.subarray(5, CHUNK_BYTES + 5), bytes.subarray(CHUNK_BYTES + 5)];
      let at = 0;
      for (const piece of pieces) at = await stores.uploads.append(key, at, from([piece]));
      await stores.uploads.read(key, async ({ size, read }) => {
        expect(size).toBe(bytes.length);
        for (const [start, length] of [
          [0, 3],
          [3, 4],
          [0, bytes.length],
          [CHUNK_BYTES - 1, 20],
          [bytes.length - 2, 10],
          [bytes.length, 1],
          [bytes.length + 5, 1],
        ] as const) {
          const expected = bytes.subarray(start, start + length);
          expect.soft([start, (await read(start, length)).equals(expected)]).toEqual([start, true]);
        }
      });
    });

    it("a source of bytes is closed after use, also if the use fails", async () => {
      const key = newId();
      await stores.uploads.append(key, 0, from(["a"]));
      const handles = await openHandles();
      await expect(stores.uploads.read(key, () => Promise.reject(broken))).rejects.toBe(broken);
      expect(await openHandles()).toBe(handles);
    });
  });

  it.each(["../../secret-key", "", "..", "a/b", `${newId()}/..`, newId().toUpperCase(), `${newId()}\n`])(
    "the key %j is refused by every method",
    async (key) => {
      const { files, uploads } = stores;
      const calls = [
        () => files.put(key, from(["a"])),
        () => stored(key),
        () => files.delete(key),
        () => files.sizeOf(key),
        () => uploads.append(key, 0, from(["a"])),
        () => uploads.size(key),
        () => uploads.read(key, async ({ size }) => size),
        () => uploads.delete(key),
      ];
      for (const call of calls) await expect.soft((async () => call())()).rejects.toThrow("must be a UUID");
      expect([await all(files.list()), await all(uploads.list())]).toEqual([[], []]);
    },
  );
});

/** Number of files that this process has open in the data folder of the test. Linux only; otherwise 0. */
async function openHandles(): Promise<number> {
  const names = await readdir("/proc/self/fd").catch(() => []);
  const targets = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => "")));
  return targets.filter((target) => target.startsWith(join(dataDir, "files"))).length;
}
