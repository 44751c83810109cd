import { existsSync } from "node:fs";
import { mkdir, open, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync, gzipSync } from "node:zlib";
import pg from "pg";
import { expect, it, vi } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { type SeededAccount, seedAccount } from "../../../../testing/accounts/seeded-account.ts";
import { startTestApp, type TestHarness } from "../../../../testing/app/start-test-app.ts";
import { setUpBackups } from "../../../../testing/cli/set-up-backups.ts";
import { isOnPostgres } from "../../../../testing/database/test-database.ts";
import { sqliteFile } from "../../../database/sqlite/sqlite-file.ts";

const backups = setUpBackups();
const { start } = backups;

const run = (...words: string[]) => backups.run(words);
const force = ["--force", "--yes"];

async function fill(): Promise<SeededAccount> {
  await using app = await start();
  return await seedAccount(app);
}

async function signIn({ user, password }: SeededAccount): Promise<number> {
  await using app = await start();
  return (await app.call("POST", accountPaths.login, { body: { username: user.username, password } })).status;
}

it("a restore of an unusable source leaves the existing accounts unchanged", async () => {
  const ada = await fill();
  await run("backup", backups.file);
  const text = gunzipSync(await readFile(backups.file)).toString();
  const spoilt: Record<string, Buffer> = {
    "of something else": gzipSync("Nothing that we wrote\n"),
    truncated: (await readFile(backups.file)).subarray(0, -40),
    "of a newer version": gzipSync(text.replace('"migrations":[', '"migrations":["9999-from-the-future",')),
    "with a file elsewhere": gzipSync(text.replace('"file":"secret-key"', '"file":"../secret-key"')),
  };
  for (const [name, content] of Object.entries(spoilt)) {
    const path = join(backups.harness.dataDir, `${name}.gz`);
    await writeFile(path, content);
    const { code, json } = await run("restore", path, ...force);
    expect.soft([name, code, json.ok]).toEqual([name, 3, false]);
  }
  expect(await signIn(ada)).toBe(200);
});

it("a restore prints the path of the stash before it continues", async () => {
  await fill();
  await run("backup", backups.file);
  const { err, json } = await run("restore", backups.file, ...force);
  expect(err).toContain(`is stored as ${json.replaced}.`);
});

it("a backup contains only files that a restore would write, and fails if the secret is unreadable", async () => {
  await fill();
  const mails = join(backups.harness.dataDir, "mails");
  await mkdir(mails, { recursive: true });
  for (const name of ["one.eml", "another (1).eml"]) await writeFile(join(mails, name), "Subject: Hello");
  const { json } = await run("backup", backups.file);
  expect(json.files).toContain("mails/one.eml");
  expect((await run("restore", backups.file, ...force)).code).toBe(0);
  const secret = join(backups.harness.dataDir, "secret-key");
  await rm(secret);
  await mkdir(secret);
  const second = join(backups.harness.dataDir, "second.parley");
  expect((await run("backup", second)).code).toBe(1);
  expect(existsSync(second)).toBe(false);
});

it.skipIf(isOnPostgres)("a restore refuses to replace a database that another program reads", async () => {
  const ada = await fill();
  await run("backup", backups.file);
  {
    using writer = new DatabaseSync(sqliteFile(backups.harness.dataDir));
    using reader = new DatabaseSync(sqliteFile(backups.harness.dataDir));
    reader.exec("begin; select count(*) from users");
    writer.exec("update users set firstname = 'Augusta'");
    const { code, json } = await run("restore", backups.file, ...force);
    expect([code, json.error]).toEqual([3, expect.stringContaining("Another program is reading")]);
    expect(writer.prepare("select firstname from users").get()).toEqual({ firstname: "Augusta" });
  }
  expect(await signIn(ada)).toBe(200);
});

/** Connects to the PostgreSQL database of a harness. */
async function connect({ env }: Pick<TestHarness, "env"> = backups.harness): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: env.DATABASE_URL });
  await client.connect();
  backups.opened.defer(() => client.end());
  return client;
}

const onPostgres = async (text: string, on: Pick<TestHarness, "env"> = backups.harness): Promise<unknown[]> =>
  (await (await connect(on)).query<Record<string, unknown>>(text)).rows;

it.runIf(isOnPostgres)("a restore ignores tables of the same names in another schema", async () => {
  await onPostgres(`create schema another; create table another.users (name text);
    create table another.kysely_migration (name text); create table another.copy_progress (source text);
    insert into another.users values ('Grace'); insert into another.kysely_migration values ('their-own')`);
  const ada = await fill();
  expect((await run("backup", backups.file)).code).toBe(0);
  expect((await run("restore", backups.file, ...force)).code).toBe(0);
  expect((await run("verify")).json).toMatchObject({ ok: true, problems: [] });
  expect(await signIn(ada)).toBe(200);
  expect(await onPostgres("select name from another.users")).toEqual([{ name: "Grace" }]);
});

it.runIf(isOnPostgres)(
  "a server does not start in a new schema that precedes the used one in the search_path",
  async () => {
    const ada = await fill();
    await onPostgres("create schema authorization current_user");
    await expect(start()).rejects.toThrow("put public first in the search_path");
    expect((await run("backup", backups.file)).json.error).toContain("put public first in the search_path");
    await onPostgres("do $$ begin execute format('drop schema %I', current_user); end $$");
    expect(await signIn(ada)).toBe(200);
  },
);

it.runIf(isOnPostgres)("a restore leaves a database with planner statistics", async () => {
  await fill();
  await run("backup", backups.file);
  expect((await run("restore", backups.file, ...force)).code).toBe(0);
  const [messages] = await onPostgres("select reltuples::int as rows from pg_class where relname = 'messages'");
  expect(messages).toEqual({ rows: 4 });
});

it.runIf(isOnPostgres)("a restore drops no tables of another program that uses our names", async () => {
  await fill();
  await run("backup", backups.file);
  const target = { ...backups.harness, env: { DATABASE_URL: await backups.createPostgres() } };
  const theirs = `create table users (id int primary key); create table sessions (user_id int references users);
    create table kysely_migration (name text); insert into kysely_migration values ('2020-their-own')`;
  await onPostgres(theirs, target);
  const { code, json } = await backups.run(["restore", backups.file, ...force], target);
  expect([code, json.error]).toEqual([3, expect.stringContaining("kysely_migration, sessions, users")]);
  expect(await onPostgres("select name from kysely_migration", target)).toEqual([{ name: "2020-their-own" }]);
  await onPostgres("drop table kysely_migration, sessions, users; create table mails (id int)", target);
  expect((await backups.run(["restore", backups.file], target)).code).toBe(3);
  await onPostgres("drop table mails; create view chats as select 1 as id", target);
  const { json: told } = await backups.run(["restore", backups.file], target);
  expect(told.error).toContain("(chats)");
  await onPostgres("drop view chats", target);
  expect((await backups.run(["restore", backups.file], target)).code).toBe(0);
});

it.runIf(isOnPostgres)(
  "a restore leaves a database of a newer version unchanged, and names the version that can restore",
  async () => {
    await fill();
    await run("backup", backups.file);
    await onPostgres("insert into kysely_migration (name, timestamp) values ('9999-later', '2030-01-01')");
    const { code, json } = await run("restore", backups.file, ...force);
    expect([code, json.error]).toEqual([
      3,
      expect.stringContaining("newer version of this program has changed the target (9999-later)"),
    ]);
    expect(await onPostgres("select count(*)::int as accounts from users")).toEqual([{ accounts: 1 }]);
  },
);

it.runIf(isOnPostgres)("a restore drops nothing if a server has started meanwhile", async () => {
  const ada = await fill();
  await run("backup", backups.file);
  const [server, watcher] = [await connect(), await connect()];
  await server.query("begin");
  await server.query(`insert into processes (id, lease_until)
    values ('late', (extract(epoch from clock_timestamp()) * 1000)::bigint + 600000)`);
  let hasEnded = false;
  const restored = run("restore", backups.file, ...force).finally(() => {
    hasEnded = true;
  });
  const waits = "select 1 from pg_locks where relation = 'processes'::regclass and not granted";
  await vi.waitUntil(async () => hasEnded || (await watcher.query(waits)).rowCount !== 0);
  await server.query("commit");
  const { code, json } = await restored;
  expect([code, json.error]).toEqual([3, expect.stringContaining("Servers are running")]);
  await watcher.query("delete from processes");
  expect(await signIn(ada)).toBe(200);
});

/** Overwrites the first page of a table, of an index or of the whole file with zeros. */
async function spoil(of: string, path = sqliteFile(backups.harness.dataDir)): Promise<void> {
  const page = (() => {
    using database = new DatabaseSync(path, { readOnly: true });
    const root = database.prepare("select rootpage from sqlite_schema where name = ?").get(of)?.rootpage ?? 1;
    return { at: Number(root) - 1, size: Number(database.prepare("pragma page_size").get()?.page_size) };
  })();
  const handle = await open(path, "r+");
  await handle.write(Buffer.alloc(page.size), 0, page.size, page.at * page.size);
  await handle.close();
}

it.skipIf(isOnPostgres).each(["the file", "messages"])(
  "a restore replaces a database in which the first page of %s is damaged",
  async (of) => {
    const ada = await fill();
    await run("backup", backups.file);
    await spoil(of);
    const damaged = await readFile(sqliteFile(backups.harness.dataDir));
    const refused = await run("restore", backups.file);
    expect([refused.code, refused.json.error]).toEqual([3, expect.stringContaining("--force")]);
    const { code, json, err } = await run("restore", backups.file, ...force);
    expect([code, json.error]).toEqual([0, undefined]);
    expect(err).toContain("The database is damaged; its files are moved unchanged.");
    expect(await readFile(String(json.replaced))).toEqual(damaged);
    expect(await signIn(ada)).toBe(200);
  },
);

it.skipIf(isOnPostgres)("a restore does not apply a leftover log of a database that was moved away", async () => {
  const ada = await fill();
  await run("backup", backups.file);
  const log = `${sqliteFile(backups.harness.dataDir)}-wal`;
  const left = await (async () => {
    using database = new DatabaseSync(sqliteFile(backups.harness.dataDir));
    database.exec("update users set username = 'nobody', username_key = 'nobody'");
    return await readFile(log);
  })();
  await rm(sqliteFile(backups.harness.dataDir));
  await writeFile(log, left);
  const { code, json } = await run("restore", backups.file);
  expect(code).toBe(0);
  expect(await readFile(String(json.replaced))).toEqual(left);
  expect(await signIn(ada)).toBe(200);
});

/** Makes a copy like that of an upgrade, always of a SQLite database. */
async function takeCopy(): Promise<string> {
  const made = { ...(await backups.createTarget()), env: {} };
  await using app = await startTestApp({ harness: made, demoPause: async () => undefined });
  await seedAccount(app);
  const copy = join(backups.harness.dataDir, "before-0008-a.sqlite");
  using database = new DatabaseSync(sqliteFile(made.dataDir));
  database.prepare("vacuum into ?").run(copy);
  return copy;
}

it("a restore refuses a damaged copy, even if no query has read the damaged page", async () => {
  const ada = await fill();
  const copy = await takeCopy();
  expect((await run("verify", copy)).code).toBe(0);
  // No query of the restore reads this index.
  await spoil("security_events_at", copy);
  const { code, json } = await run("verify", copy);
  expect([code, json.problems]).toEqual([4, [expect.objectContaining({ check: "damage to the file" })]]);
  const refused = await run("restore", copy, ...force);
  expect([refused.code, refused.json.error]).toEqual([3, expect.stringContaining("is damaged")]);
  expect(await signIn(ada)).toBe(200);
});

it.skipIf(isOnPostgres).each(["the file", "messages"])("verify reports a damaged first page of %s", async (of) => {
  await fill();
  await spoil(of);
  const { code, json } = await run("verify");
  expect([code, json.problems]).toEqual([4, [expect.objectContaining({ check: "damage to the file" })]]);
});
