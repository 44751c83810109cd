import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { Kysely, sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HOUR, MINUTE, SECOND } from "#contract/limits.ts";
import { wellFormed } from "#contract/text/well-formed.ts";
import {
  createPostgresDatabase,
  createTestDatabase,
  inLatin1,
  isOnPostgres,
} from "../../testing/database/test-database.ts";
import { startCutProxy } from "../../testing/servers/cut-proxy.ts";
import { startFaultProxy } from "../../testing/servers/fault-proxy.ts";
import { freshAccount } from "../accounts/account-store.ts";
import { newId } from "./new-id.ts";
import { openDatabase } from "./open.ts";
import type { Database, Queryable, Schema, UserRow } from "./schema.ts";
import { OtherWriters } from "./sqlite/other-writers.ts";
import { sqliteFile } from "./sqlite/sqlite-file.ts";
import { isDatabaseAway, isForeignKeyViolation, isUniqueViolation } from "./violations.ts";

let opened: AsyncDisposableStack;
let settings: { dataDir: string; postgresUrl?: string };
let database: Database;

beforeEach(async () => {
  opened = new AsyncDisposableStack();
  const dataDir = opened.adopt(await mkdtemp(join(tmpdir(), "parley-db-")), (path) => rm(path, { recursive: true }));
  const { env } = opened.use(await createTestDatabase());
  settings = { dataDir, ...(env.DATABASE_URL && { postgresUrl: env.DATABASE_URL }) };
  database = opened.adopt(await openDatabase(settings), (db) => db.destroy());
});
afterEach(() => opened.disposeAsync());

const user = (): UserRow => {
  const id = newId();
  const names = { username: id, username_key: id, email: id, email_key: id, firstname: "Ada", lastname: "Lovelace" };
  return {
    id,
    ...names,
    password_hash: null,
    google_subject: null,
    verified_at: null,
    created_at: Date.now(),
    ...freshAccount,
  };
};

it("stores a row unchanged, with times as numbers", async () => {
  const row = user();
  await database.insertInto("users").values(row).execute();
  expect({ ...(await database.selectFrom("users").selectAll().executeTakeFirstOrThrow()) }).toEqual(row);
});

it("rolls a nested transaction back with its outer one", async () => {
  const insert = database.transaction().execute(async (db) => {
    await db.insertInto("users").values(user()).execute();
    throw new Error("no");
  });
  await expect(insert).rejects.toThrow("no");
  expect(await database.selectFrom("users").selectAll().execute()).toEqual([]);
});

it("distinguishes a unique violation from other errors", async () => {
  const row = user();
  await database.insertInto("users").values(row).execute();
  const again = (values: UserRow) => database.insertInto("users").values(values).execute().catch(isUniqueViolation);
  expect(await again(row)).toBe(true);
  expect(await again({ ...user(), username_key: row.username_key })).toBe(true);
  expect(await sql`select nothing`.execute(database).catch(isUniqueViolation)).toBe(false);
});

it("allows one verified account per address, and any number of pending ones", async () => {
  const [first, second, third] = [user(), user(), user()];
  const email = { email_key: "ada@example.org" };
  await database
    .insertInto("users")
    .values([
      { ...first, ...email },
      { ...second, ...email },
    ])
    .execute();
  await database
    .insertInto("users")
    .values({ ...third, ...email, verified_at: 1 })
    .execute();
  const verifySecond = database.updateTable("users").set({ verified_at: 2 }).where("id", "=", second.id).execute();
  expect(await verifySecond.catch(isUniqueViolation)).toBe(true);
});

it("runs many transactions concurrently, each atomically", async () => {
  const row = { ...user(), created_at: 0 };
  await database.insertInto("users").values(row).execute();
  const addOne = () =>
    database.transaction().execute(async (db) => {
      await db
        .updateTable("users")
        .set((eb) => ({ created_at: eb("created_at", "+", 1) }))
        .execute();
      await db.selectFrom("users").selectAll().execute();
    });
  await Promise.all(Array.from({ length: 50 }, addOne));
  expect(await database.selectFrom("users").select("created_at").executeTakeFirst()).toMatchObject({ created_at: 50 });
});

it("distinguishes a foreign key violation from other errors", async () => {
  const of = (userId: string) => ({ user_id: userId, device: "d", first_seen_at: 0, last_seen_at: 0 });
  const insert = (row: ReturnType<typeof of>) => database.insertInto("devices").values(row).execute();
  const row = user();
  await database.insertInto("users").values(row).execute();
  await insert(of(row.id));
  expect(await insert(of(newId())).catch(isForeignKeyViolation)).toBe(true);
  expect(await insert(of(row.id)).catch(isForeignKeyViolation)).toBe(false);
  expect(await sql`select nothing`.execute(database).catch(isForeignKeyViolation)).toBe(false);
});

it("R9 reports a busy database when two transactions deadlock and one is rolled back", async () => {
  // SQLite has one writer at a time, so that writers cannot deadlock.
  if (!settings.postgresUrl) return;
  const { openPostgresDialect } = await import("./postgres/postgres.ts");
  const dialect = openPostgresDialect({ connectionString: settings.postgresUrl });
  const withLongTimeout = opened.adopt(new Kysely<Schema>({ dialect }), (db) => db.destroy());
  const rows = [user(), user()];
  await database.insertInto("users").values(rows).execute();
  const [one, other] = rows.map(({ id }) => id) as [string, string];
  const hold = (db: Queryable, id: string) =>
    db.updateTable("users").set({ firstname: "B" }).where("id", "=", id).execute();
  const failures: unknown[] = [];
  let held = 0;
  const bothHold = Promise.withResolvers<void>();
  const inOrder = (first: string, then: string) =>
    withLongTimeout.transaction().execute(async (db) => {
      await hold(db, first);
      if (++held === 2) bothHold.resolve();
      await bothHold.promise;
      await hold(db, then);
    });
  await Promise.all([inOrder(one, other), inOrder(other, one)].map((each) => each.catch((e) => failures.push(e))));
  expect(failures).toMatchObject([{ code: "40P01" }]);
  expect(isDatabaseAway(failures[0])).toBe(true);
});

it("R9 reports a busy database when concurrent transactions cannot be serialised", async () => {
  if (!settings.postgresUrl) return;
  const row = user();
  await database.insertInto("users").values(row).execute();
  const rename = (db: Queryable) => db.updateTable("users").set({ firstname: "B" }).where("id", "=", row.id).execute();
  const late = database
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (db) => {
      await db.selectFrom("users").selectAll().execute();
      await rename(database);
      await rename(db);
    })
    .catch((error: unknown) => error);
  expect(await late).toMatchObject({ code: "40001" });
  expect(isDatabaseAway(await late)).toBe(true);
});

it("R9 a lost connection, in use or idle, is replaced by a new one", async () => {
  const { postgresUrl } = settings;
  // A file has no connection to lose.
  if (!postgresUrl) return;
  const url = new URL(postgresUrl);
  await using proxy = await startCutProxy({ host: url.hostname, port: Number(url.port || 5432) });
  url.port = String(proxy.port);
  const remote = opened.adopt(await openDatabase({ ...settings, postgresUrl: url.href }), (db) => db.destroy());
  const sleeping = sql`select pg_sleep(60), 'a connection to cut'`.execute(remote).catch((error: unknown) => error);
  await vi.waitUntil(async () => {
    const { rows } = await sql`select 1 from pg_stat_activity where query like '%a connection to cut%' and
      pid <> pg_backend_pid() and datname = current_database()`.execute(database);
    return rows.length > 0;
  });
  proxy.cut();
  expect(isDatabaseAway(await sleeping)).toBe(true);
  await vi.waitUntil(() => sql`select 1`.execute(remote).catch(() => undefined));
});

it("R9 gives up on a database that stopped answering, and works when it answers again", async () => {
  const { postgresUrl } = settings;
  if (!postgresUrl) return;
  const { proxy, url } = await startFaultProxy(postgresUrl, 5432);
  await using _proxy = proxy;
  const remote = opened.adopt(await openDatabase({ ...settings, postgresUrl: url }), (db) => db.destroy());
  const attempt = () => sql`select 1`.execute(remote).catch((error: unknown) => error);
  await attempt();
  await proxy.set("swallow");
  // One query on an open connection, and one that waits for a new connection.
  for (const failure of await Promise.all([attempt(), attempt()])) expect(isDatabaseAway(failure)).toBe(true);
  await proxy.set("pass");
  await vi.waitUntil(async () => !((await attempt()) instanceof Error));
});

it("R9 distinguishes a busy database from an unavailable one: only for the busy one do queries wait", async () => {
  const { postgresUrl } = settings;
  if (!postgresUrl) return;
  const { proxy, url: connectionString } = await startFaultProxy(postgresUrl, 5432);
  await using _proxy = proxy;
  const { openPostgresDialect } = await import("./postgres/postgres.ts");
  const openNarrow = (silenceMs: number) => {
    const own = { connectionString, connections: 1, silenceMs, maxWaitMs: HOUR };
    return opened.adopt(new Kysely<Schema>({ dialect: openPostgresDialect(own) }), (db) => db.destroy());
  };
  const select = (db: Queryable) => sql`select 1`.execute(db).catch((error: unknown) => error);
  const selects = (db: Queryable) => Array.from({ length: 6 }, () => select(db));
  // The queue counts silence by an interval timer.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  opened.defer(() => void vi.useRealTimers());
  const busy = openNarrow(MINUTE);
  const waiting = await busy.connection().execute(async (db) => {
    const queued = selects(busy);
    for (let answer = 0; answer < 5; answer++) {
      vi.advanceTimersByTime(0.4 * MINUTE);
      await sql`select 1`.execute(db);
    }
    return { queued };
  });
  expect((await Promise.all(waiting.queued)).map(isDatabaseAway)).toEqual(Array(6).fill(false));
  await busy.connection().execute(async () => {
    const queued = selects(busy);
    vi.advanceTimersByTime(MINUTE);
    expect((await Promise.all(queued)).map(isDatabaseAway)).toEqual(Array(6).fill(true));
  });
  vi.useRealTimers();
  const away = openNarrow(1.5 * SECOND);
  await select(away);
  await proxy.set("swallow");
  expect((await Promise.all(selects(away))).map(isDatabaseAway)).toEqual(Array(6).fill(true));
  await proxy.set("pass");
});

it("R9 refuses queries for which no connection becomes free in time, oldest first", async () => {
  const { postgresUrl } = settings;
  if (!postgresUrl) return;
  const { openPostgresDialect } = await import("./postgres/postgres.ts");
  const own = { connectionString: postgresUrl, connections: 1, maxWaitMs: 500 };
  const narrow = opened.adopt(new Kysely<Schema>({ dialect: openPostgresDialect(own) }), (db) => db.destroy());
  const ended: string[] = [];
  const release = Promise.withResolvers<void>();
  const isHeld = Promise.withResolvers<void>();
  const holding = narrow.connection().execute(async () => {
    isHeld.resolve();
    await release.promise;
  });
  await isHeld.promise;
  const attempt = (name: string) =>
    sql`select 1`.execute(narrow).then(
      () => ended.push(`${name} done`),
      (error: unknown) => ended.push(`${name} ${isDatabaseAway(error)}`),
    );
  await Promise.all([attempt("first"), attempt("second")]);
  expect(ended).toEqual(["first true", "second true"]);
  const third = attempt("third");
  release.resolve();
  await Promise.all([holding, third]);
  expect(ended).toEqual(["first true", "second true", "third done"]);
});

it("notices writes of another process to the file, but not its own", async () => {
  if (settings.postgresUrl) return;
  await using writers = new OtherWriters(database);
  const heard: string[] = [];
  let doing = "own";
  const isHeard = Promise.withResolvers<void>();
  writers.onWritten(() => {
    heard.push(doing);
    isHeard.resolve();
  });
  const rename = (name: string) => `update users set firstname = '${name}'`;
  await database.insertInto("users").values(user()).execute();
  await writers.check();
  await sql.raw(rename("Own")).execute(database);
  await writers.check();
  doing = "other's";
  using other = new DatabaseSync(sqliteFile(settings.dataDir));
  other.exec(rename("Other"));
  // The write is detected by a timer, without a call of `check`.
  await isHeard.promise;
  expect(heard).toEqual(["other's"]);
});

describe("migrations", () => {
  it("migrations are applied once, even by two servers at the same time", async () => {
    const others = await Promise.all([openDatabase(settings), openDatabase(settings)]);
    for (const other of others) {
      expect(await other.selectFrom("users").selectAll().execute()).toEqual([]);
      await other.destroy();
    }
  });

  it("R22 refuses a database that a newer version has migrated", async () => {
    await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2030-01-01')`.execute(database);
    await expect(openDatabase(settings)).rejects.toThrow("newer version");
  });

  it.runIf(isOnPostgres)(
    "migrations are refused for a new PostgreSQL database whose encoding cannot store all texts",
    async () => {
      const { url: postgresUrl } = opened.use(await createPostgresDatabase(inLatin1));
      await expect(openDatabase({ ...settings, postgresUrl })).rejects.toThrow("has the encoding LATIN1");
    },
  );

  it("R22 killed migrations leave no trace, and are applied at the next start", async () => {
    const half = { dataDir: await mkdtemp(join(tmpdir(), "parley-half-")) };
    opened.adopt(half.dataDir, (path) => rm(path, { recursive: true }));
    const program = fileURLToPath(new URL("../../testing/database/kill-during-migration.ts", import.meta.url));
    const words = 'create table "sends"';
    const child = spawn(process.execPath, [program, half.dataDir, words], { stdio: ["ignore", "ignore", "inherit"] });
    const [, signal] = await once(child, "exit");
    expect(signal).toBe("SIGKILL");
    const reopened = await openDatabase(half);
    expect(await reopened.selectFrom("sends").selectAll().execute()).toEqual([]);
    await reopened.destroy();
  });
});

it("replaces characters that a database cannot store", () => {
  expect(wellFormed("a\0b\uD800c😀")).toBe("a\uFFFDb\uFFFDc😀");
});
