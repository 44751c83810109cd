import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { beforeEach, expect, it, vi } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { filePaths } from "#contract/files/paths.ts";
import { type SeededAccount, seedAccount } from "../../../../testing/accounts/seeded-account.ts";
import type { TestApp, TestHarness } from "../../../../testing/app/start-test-app.ts";
import { type AdminResult, admin, spawnAdmin } from "../../../../testing/cli/run-admin.ts";
import { setUpBackups } from "../../../../testing/cli/set-up-backups.ts";
import { createPostgresDatabase, inLatin1, isOnPostgres } from "../../../../testing/database/test-database.ts";
import { uploadFile } from "../../../../testing/files/upload.ts";
import { takeDataFolder } from "../../../config/data-folder.ts";
import { sqliteFile } from "../../../database/sqlite/sqlite-file.ts";

const backups = setUpBackups();
const { start } = backups;
let harness: TestHarness;
let url: string;
let target: TestHarness;
beforeEach(async () => {
  harness = { ...backups.harness, env: {} };
  url = await backups.createPostgres();
  target = { ...harness, env: { DATABASE_URL: url } };
});

const move = () => admin(harness, ["move", "--to", url, "--json"]);
const refusal = ({ code, json }: AdminResult) => [code, json.error];

/** Longer than a row of bytes. */
const NOTE = "A long note. ".repeat(50_000);

type Filled = SeededAccount & { fileId: string };

async function fill(): Promise<Filled> {
  await using app = await start(harness);
  await seedAccount(app);
  const account = await seedAccount(app);
  const { id: fileId } = await uploadFile(app, { ...account, bytes: NOTE });
  return { ...account, fileId };
}

async function readNote(app: TestApp, { token, fileId }: Filled): Promise<string> {
  return await (await app.call("GET", filePaths.file(fileId), { token })).text();
}

async function signIn(on: TestHarness, { user, password }: SeededAccount): Promise<number> {
  await using app = await start(on);
  return (await app.call("POST", accountPaths.login, { body: { username: user.username, password } })).status;
}

// Runs only in the SQLite run, because it uses both databases.
it.skipIf(isOnPostgres)(
  "a move copies everything to PostgreSQL, where sessions, search and chats work as before",
  async () => {
    const ada = await fill();
    const { code, json } = await move();
    expect([code, json.ok, json.isResumed]).toEqual([0, true, false]);
    expect(json.attached).toEqual({ files: 1, missing: [] });
    await using app = await start(target);
    expect(await readNote(app, ada)).toBe(NOTE);
    const { token } = ada;
    const call = (method: string, path: string, body?: object) => app.call(method, path, { token, body });
    expect((await call("GET", accountPaths.me)).status).toBe(200);
    expect((await call("POST", conversationPaths.chatSend(ada.chatId), { message: "A new strait" })).status).toBe(200);
    for (const word of ["skerry", "strait"]) {
      const { hits } = (await (await call("GET", `${conversationPaths.search}?q=${word}`)).json()) as { hits: [] };
      expect(hits.length).toBeGreaterThan(0);
    }
    expect((await admin(target, ["verify", "--json"])).json).toMatchObject({ ok: true, problems: [] });
  },
);

/** So many messages that a move can be killed while it runs. */
const MANY = 6000;

function addMessages(chatId: string): void {
  using database = new DatabaseSync(sqliteFile(harness.dataDir));
  database
    .prepare(
      `with recursive n (i) as (select 1 union all select i + 1 from n where i < ?)
       insert into messages (id, user_id, chat_id, parent, role, content, state, created_at)
       select m.id || printf('-%06d', i), m.user_id, m.chat_id, m.id, 'user', 'Question ' || i, 'complete', m.created_at
       from n, messages m where m.id = (select min(id) from messages where chat_id = ?)`,
    )
    .run(MANY, chatId);
}

/** Starts a move, and kills it when some but not all messages are copied. */
async function beKilledMidway(): Promise<void> {
  const child = spawnAdmin(harness, ["move", "--to", url]);
  const ended = once(child, "exit");
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const some = "select 1 from copy_progress where table_name = 'messages'";
    const isCopied = async () => (await client.query(some).catch(() => ({ rowCount: 0 }))).rowCount !== 0;
    await vi.waitUntil(async () => (await isCopied()) || child.exitCode !== null, { interval: 1 });
    child.kill("SIGKILL");
    expect(await ended).toEqual([null, "SIGKILL"]);
    const { rows } = await client.query<{ count: string }>("select count(*) from messages");
    expect(Number(rows[0]?.count)).toBeGreaterThan(0);
    expect(Number(rows[0]?.count)).toBeLessThan(MANY);
  } finally {
    await client.end();
  }
}

it.skipIf(isOnPostgres)("a move resumes after a kill, and no server starts on the unfinished copy", async () => {
  const ada = await fill();
  addMessages(ada.chatId);
  await beKilledMidway();
  await expect(start(target)).rejects.toThrow("an unfinished restore or move");
  expect((await admin(target, ["version"])).out).toContain("an unfinished restore or move");
  const { code, json, err } = await move();
  expect([code, json.ok, json.isResumed]).toEqual([0, true, true]);
  expect(err).toMatch(/messages: \d+ rows more/);
  const messages = (json.tables as { table: string; rows: number }[]).find(({ table }) => table === "messages");
  expect(messages?.rows).toBe(MANY + 8);
  expect(await signIn(target, ada)).toBe(200);
  await using app = await start(target);
  expect(await readNote(app, ada)).toBe(NOTE);
});

it.skipIf(isOnPostgres)(
  "a move restarts the copy if the source has changed between a kill and the next attempt",
  async () => {
    const ada = await fill();
    addMessages(ada.chatId);
    await beKilledMidway();
    {
      using database = new DatabaseSync(sqliteFile(harness.dataDir));
      database.exec("update users set firstname = 'Augusta'");
    }
    const { json, err } = await move();
    expect(json.ok).toBe(true);
    expect(err).toContain("The source has changed since the move began (users)");
    await using app = await start(target);
    const me = (await (await app.call("GET", accountPaths.me, { token: ada.token })).json()) as { firstname: string };
    expect(me.firstname).toBe("Augusta");
  },
);

it.skipIf(isOnPostgres)("a move reports attached files without bytes, and copies the others", async () => {
  const ada = await fill();
  const { fileId } = await fill();
  await rm(join(harness.dataDir, "files", await pathOf(fileId)));
  const { json } = await move();
  expect(json.attached).toEqual({ files: 1, missing: [expect.any(String)] });
  await using app = await start(target);
  expect(await readNote(app, ada)).toBe(NOTE);
});

/** Path of a file's bytes in the folder of attached files. */
async function pathOf(fileId: string): Promise<string> {
  using database = new DatabaseSync(sqliteFile(harness.dataDir), { readOnly: true });
  const key = String(database.prepare("select key from files where id = ?").get(fileId)?.key);
  return join(key.slice(-2), key);
}

it.skipIf(isOnPostgres)(
  "a move refuses a target with accounts, and a data folder that a server has locked",
  async () => {
    const ada = await fill();
    {
      using _lock = await takeDataFolder(harness.dataDir);
      expect(refusal(await move())).toEqual([3, expect.stringContaining("Another server is running")]);
    }
    const other = { ...(await backups.createTarget()), env: { DATABASE_URL: url } };
    await using app = await start(other);
    await seedAccount(app);
    expect(refusal(await move())).toEqual([3, expect.stringContaining("Servers are running on the target")]);
    await app[Symbol.asyncDispose]();
    expect(refusal(await move())).toEqual([3, expect.stringContaining("already has accounts (1)")]);
    expect(await signIn(harness, ada)).toBe(200);
    expect((await admin(harness, ["move"])).code).toBe(2);
    const misread = await admin(harness, ["move", "--to", "mysql://x/y", "--json"]);
    expect(refusal(misread)).toEqual([2, expect.stringContaining("--to must be")]);
    expect((await admin(target, ["move", "--to", url])).code).toBe(3);
  },
);

it.skipIf(isOnPostgres)("a move leaves a target unchanged if another program uses our names in it", async () => {
  await fill();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  backups.opened.defer(() => client.end());
  await client.query("create table users (id int); create table messages (body text)");
  expect(refusal(await move())).toEqual([3, expect.stringContaining("messages, users")]);
  expect((await client.query("select body from messages")).rows).toEqual([]);
  await client.query("drop table users, messages");
  await client.query("create view mails as select 1; create type presets as enum ('a'); create sequence limits");
  expect(refusal(await move())).toEqual([3, expect.stringContaining("(limits, mails, presets)")]);
  await client.query("drop view mails; drop type presets; drop sequence limits");
  expect((await move()).code).toBe(0);
});

it.skipIf(isOnPostgres)(
  "a move refuses a target whose encoding cannot store every text, before it writes anything there",
  async () => {
    await fill();
    const { url: other } = backups.opened.use(await createPostgresDatabase(inLatin1));
    const told = await admin(harness, ["move", "--to", other, "--json"]);
    expect(refusal(told)).toEqual([3, expect.stringContaining("has the encoding LATIN1")]);
    const client = new pg.Client({ connectionString: other });
    await client.connect();
    backups.opened.defer(() => client.end());
    expect((await client.query("select 1 from pg_tables where schemaname = 'public'")).rows).toEqual([]);
  },
);
