import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createTestDatabase, isOnPostgres } from "../../testing/database/test-database.ts";
import { afterCommit } from "./after-commit.ts";
import { shortTransaction } from "./group-commit.ts";
import { openDatabase } from "./open.ts";
import type { Database, Queryable } from "./schema.ts";

let opened: AsyncDisposableStack;
let database: Database;
const operations: string[] = [];

beforeEach(async () => {
  opened = new AsyncDisposableStack();
  const dataDir = opened.adopt(await mkdtemp(join(tmpdir(), "parley-group-")), (path) => rm(path, { recursive: true }));
  const { env } = opened.use(await createTestDatabase());
  const watch = { onQuery: ({ operation }: { operation: string }) => void operations.push(operation) };
  const settings = { dataDir, ...(env.DATABASE_URL && { postgresUrl: env.DATABASE_URL }), watch };
  database = opened.adopt(await openDatabase(settings), (db) => db.destroy());
  await sql`create table notes (text varchar(20) primary key)`.execute(database);
  operations.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
  return opened.disposeAsync();
});

const note = (db: Queryable, text: string) => sql`insert into notes values (${text})`.execute(db);
const notes = async () =>
  (await sql<{ text: string }>`select text from notes order by text`.execute(database)).rows.map(({ text }) => text);
const commits = () => operations.filter((operation) => operation === "commit").length;

it("commits concurrent transactions as one group on SQLite, and one by one on PostgreSQL", async () => {
  const texts = Array.from({ length: 20 }, (_, index) => `note ${index}`);
  const stored = await Promise.all(
    texts.map((text) => shortTransaction(database, (db) => note(db, text).then(() => text))),
  );
  expect(stored).toEqual(texts);
  expect(await notes()).toEqual(texts.toSorted());
  expect(commits()).toBe(isOnPostgres ? 20 : 1);
});

it("waits for transactions that arrive in successive event loop iterations, at most as long as the last group took", async () => {
  if (isOnPostgres) return;
  vi.useFakeTimers({ toFake: ["performance"] });
  const store = (text: string, elapsedMs = 0) =>
    shortTransaction(database, async (db) => {
      await note(db, text);
      vi.advanceTimersByTime(elapsedMs);
    });
  const storeOnePerIteration = async (name: string) => {
    const stored: Promise<void>[] = [];
    for (let iteration = 0; iteration < 4; iteration++) {
      stored.push(store(`${name} ${iteration}`));
      await setImmediate();
    }
    await Promise.all(stored);
  };
  await store("quick");
  operations.length = 0;
  await storeOnePerIteration("after a quick group");
  expect(commits()).toBeGreaterThan(1);
  await store("slow", 5);
  operations.length = 0;
  await storeOnePerIteration("after a slow group");
  expect(commits()).toBe(1);
});

it("rolls back only the failed member, and discards its work for after the commit", async () => {
  const told: string[] = [];
  const store = (text: string, failure?: Error) =>
    shortTransaction(database, async (db) => {
      await note(db, text);
      afterCommit(db, () => told.push(text));
      if (failure) throw failure;
    });
  const failure = new Error("refused");
  const ends = await Promise.allSettled([store("a"), store("b", failure), store("c"), store("a"), store("d")]);
  expect(ends.map(({ status }) => status)).toEqual(
    // Run concurrently, either of the two transactions that insert the same key may be the first.
    isOnPostgres
      ? expect.arrayContaining(["rejected"])
      : ["fulfilled", "rejected", "fulfilled", "rejected", "fulfilled"],
  );
  expect(ends[1]).toEqual({ status: "rejected", reason: failure });
  expect(await notes()).toEqual(["a", "c", "d"]);
  expect(told.toSorted()).toEqual(["a", "c", "d"]);
});

it("fails all members when the database rolled the whole transaction back, and goes on with the next group", async () => {
  if (isOnPostgres) return;
  const told: string[] = [];
  const store = (text: string) =>
    shortTransaction(database, async (db) => {
      await note(db, text);
      afterCommit(db, () => told.push(text));
    });
  // SQLite does the same on a full disk.
  const breakAll = () =>
    shortTransaction(database, async (db) => {
      await sql`rollback`.execute(db);
      throw new Error("database or disk is full");
    });
  const ends = await Promise.allSettled([store("a"), breakAll()]);
  expect(ends.map((end) => end.status === "rejected" && end.reason)).toEqual(
    Array.from({ length: 2 }, () => expect.objectContaining({ message: "database or disk is full" })),
  );
  await store("b");
  expect(await notes()).toEqual(["b"]);
  expect(told).toEqual(["b"]);
});
