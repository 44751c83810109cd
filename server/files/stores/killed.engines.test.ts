import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { root } from "../../../scripts/child.mjs";
import { createTestDatabase, isOnPostgres } from "../../../testing/database/test-database.ts";
import { fileOf, PIECE_BYTES, PIECES } from "../../../testing/files/numbered-pieces.ts";
import type { PutFilesArgument } from "../../../testing/files/put-files.ts";
import { startS3Server } from "../../../testing/files/s3-server.ts";
import { parseConfig } from "../../config/config.ts";
import { openDatabase } from "../../database/open.ts";
import type { Database } from "../../database/schema.ts";
import { openStores, type S3Settings, storesSettingsOf } from "./open-stores.ts";

type KillOptions = { s3?: S3Settings; pieceBytes?: number };
const program = join(root, "testing", "files", "put-files.ts");
const KILLS = 12;
const BUCKET_KILLS = 4;

// Detects hanging only: the spawned processes share two cores with all other tests.
vi.setConfig({ testTimeout: 300_000 });

let opened: AsyncDisposableStack;
let dataDir: string;
let postgresUrl: string | undefined;
let database: Database;
beforeEach(async () => {
  opened = new AsyncDisposableStack();
  dataDir = opened.adopt(await mkdtemp(join(tmpdir(), "parley-killed-")), (folder) => rm(folder, { recursive: true }));
  postgresUrl = opened.use(await createTestDatabase({ isMigrated: true })).env.DATABASE_URL;
  const settings = { dataDir, ...(postgresUrl !== undefined && { postgresUrl }) };
  database = opened.adopt(await openDatabase(settings), (db) => db.destroy());
});
afterEach(() => opened.disposeAsync());

/** Starts a process that puts files, and kills it after it has sent some messages. */
async function killAfter(messages: number, { s3, pieceBytes = PIECE_BYTES }: KillOptions = {}): Promise<void> {
  const argument: PutFilesArgument = { dataDir, isShared: isOnPostgres, postgresUrl, pieceBytes, ...(s3 && { s3 }) };
  const child = fork(program, [JSON.stringify(argument)]);
  const ended = once(child, "exit");
  let count = 0;
  child.on("message", () => {
    count++;
    if (count === messages) child.kill("SIGKILL");
  });
  expect(await ended).toEqual([null, "SIGKILL"]);
}

/** Names of all files in the folder of attached files. */
async function listNames(): Promise<string[]> {
  const entries = await readdir(join(dataDir, "files"), { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map(({ name, parentPath }) => join(parentPath, name));
}

it("a put that is killed at any moment leaves no file or the whole one, and leftovers that are removed", async () => {
  const begunAt = Date.now();
  const { files } = await openStores({ database, dataDir, isShared: isOnPostgres });
  for (let round = 0; round < KILLS; round++) await killAfter(1 + Math.floor(Math.random() * 4 * PIECES));
  // One that certainly has finished files, and one that is in the middle.
  await killAfter(3 * PIECES + 5);
  const keys: string[] = [];
  for await (const { key, size } of files.list()) {
    keys.push(key);
    const bytes = await buffer(files.open(key));
    expect.soft([size, bytes.equals(fileOf(key))]).toEqual([bytes.length, true]);
  }
  expect(keys.length).toBeGreaterThanOrEqual(3);
  const leftovers = (await listNames()).filter((path) => !keys.includes(path.slice(-36)));
  for (const path of leftovers) expect(path).toContain(join("files", "tmp"));
  await files.removeLeftovers(begunAt - 60_000);
  expect((await listNames()).length).toBe(isOnPostgres ? 0 : keys.length + leftovers.length);
  // PostgreSQL may store the last chunk of a killed process after its end.
  await vi.waitFor(async () => {
    await files.removeLeftovers(Date.now() + 60_000);
    const chunks = await database.selectFrom("file_chunks").select("key").distinct().execute();
    const names = isOnPostgres ? chunks.map(({ key }) => key) : (await listNames()).map((path) => path.slice(-36));
    expect(names.sort()).toEqual(keys.sort());
  });
});

it("a put to a bucket that is killed at any moment leaves no file or the whole one, and parts that are removed", async () => {
  const begunAt = Date.now();
  const server = await startS3Server(opened);
  const { s3, ...settings } = storesSettingsOf(parseConfig(server.envFor()));
  if (!s3) throw new Error("No server is set");
  const { files } = opened.use(await openStores({ database, s3, ...settings }));
  // Files of three parts.
  const large = { s3, pieceBytes: 1_000_000 };
  for (let round = 0; round < BUCKET_KILLS; round++) await killAfter(1 + Math.floor(Math.random() * 3 * PIECES), large);
  // One that certainly has finished files of one part, and one that is in the middle of a file.
  await killAfter(3 * PIECES + 5, { s3 });
  await killAfter(2 * PIECES + 8, large);
  let count = 0;
  for await (const { key, size } of files.list()) {
    count++;
    const bytes = await buffer(files.open(key));
    const expected = fileOf(key, size / PIECES);
    expect.soft([size, bytes.equals(expected)]).toEqual([bytes.length, true]);
  }
  expect(count).toBeGreaterThanOrEqual(4);
  const { uploads } = server.bucket;
  expect(uploads.size).toBeGreaterThanOrEqual(1);
  const left = uploads.size;
  await files.removeLeftovers(begunAt);
  expect(uploads.size).toBe(left);
  await files.removeLeftovers(Date.now() + 60_000);
  expect(uploads.size).toBe(0);
});
