import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, expect, it } from "vitest";
import { MEGABYTE } from "#contract/limits.ts";
import { mountSmallDisk, type SmallDisk } from "../../../testing/servers/small-disk.ts";
import { newId } from "../../database/new-id.ts";
import { FolderFileStore, FolderUploadStore } from "./folder-store.ts";

let opened: AsyncDisposableStack;
let folder: string;
beforeEach(async () => {
  opened = new AsyncDisposableStack();
  const parent = opened.adopt(await mkdtemp(join(tmpdir(), "parley-folder-")), (path) => rm(path, { recursive: true }));
  folder = join(parent, "data", "files");
});
afterEach(() => opened.disposeAsync());

/** Yields pieces of 64 kB that are together `size` bytes. */
async function* bytesOf(size: number): AsyncGenerator<Uint8Array> {
  const piece = randomBytes(64 * 1024);
  for (let at = 0; at < size; at += piece.length) yield piece.subarray(0, size - at);
}

it("the folder store lets only its user read, and spreads files by the last digits of their keys", async () => {
  const key = newId();
  await new FolderFileStore(folder).put(key, bytesOf(1));
  await new FolderUploadStore(folder).append(key, 0, bytesOf(1));
  const entries = await readdir(folder, { recursive: true });
  expect(entries.sort()).toEqual(
    [key.slice(-2), join(key.slice(-2), key), "tmp", "uploads", join("uploads", key)].sort(),
  );
  for (const name of ["", ...entries]) {
    const found = await stat(join(folder, name));
    expect.soft([name, found.mode & 0o777]).toEqual([name, found.isDirectory() ? 0o700 : 0o600]);
  }
});

it("the folder store removes leftovers that are older than a time, and nothing else", async () => {
  const store = new FolderFileStore(folder);
  const key = newId();
  await store.put(key, bytesOf(1));
  const hour = 3_600_000;
  const now = Date.now();
  for (const [name, age] of [
    ["old", 2 * hour],
    ["new", hour / 2],
  ] as const) {
    const path = join(folder, "tmp", `${newId()}-${name}`);
    await writeFile(path, "half");
    await utimes(path, (now - age) / 1000, (now - age) / 1000);
  }
  const old = join(folder, key.slice(-2), key);
  await utimes(old, 1, 1);
  await store.removeLeftovers(now - hour);
  expect(await readdir(join(folder, "tmp"))).toEqual([expect.stringMatching(/-new$/)]);
  expect(await store.sizeOf(key)).toBe(1);
});

it("the folder store ignores files that are not its own", async () => {
  const [files, uploads] = [new FolderFileStore(folder), new FolderUploadStore(folder)];
  for (const place of ["ab", "uploads", "abc"]) {
    await mkdir(join(folder, place), { recursive: true });
    await writeFile(join(folder, place, ".DS_Store"), "");
  }
  await writeFile(join(folder, "abc", newId()), "");
  for await (const object of files.list()) expect.fail(`lists ${object.key}`);
  for await (const object of uploads.list()) expect.fail(`lists ${object.key}`);
});

/** Returns a disk of 2 MB, which only root may mount. */
async function smallDisk(): Promise<SmallDisk | undefined> {
  const disk = await mountSmallDisk(2);
  return disk && opened.use(disk);
}

it("a put on a full disk fails with storage-full and leaves nothing", async ({ skip }) => {
  const disk = (await smallDisk()) ?? skip();
  const store = new FolderFileStore(join(disk.folder, "files"));
  const [key, whole] = [newId(), newId()];
  await store.put(whole, bytesOf(1000));
  await expect(store.put(key, bytesOf(3 * MEGABYTE))).rejects.toMatchObject({ code: "storage-full" });
  expect(await store.sizeOf(key)).toBeUndefined();
  expect(await readdir(join(disk.folder, "files", "tmp"))).toEqual([]);
  expect(await buffer(store.open(whole))).toHaveLength(1000);
  expect(await store.put(key, bytesOf(MEGABYTE))).toBe(MEGABYTE);
});

it("an append on a full disk fails with storage-full, keeps what fits, and continues once there is room", async ({
  skip,
}) => {
  const disk = (await smallDisk()) ?? skip();
  const store = new FolderUploadStore(join(disk.folder, "files"));
  const key = newId();
  await store.append(key, 0, bytesOf(MEGABYTE));
  await disk.fill();
  await expect(store.append(key, MEGABYTE, bytesOf(MEGABYTE))).rejects.toMatchObject({ code: "storage-full" });
  const size = await store.size(key);
  expect(size).toBeGreaterThanOrEqual(MEGABYTE);
  await disk.makeRoom();
  expect(await store.append(key, size, bytesOf(1000))).toBe(size + 1000);
});
