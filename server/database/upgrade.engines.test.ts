import { spawn } from "node:child_process";
import { once } from "node:events";
import { type FileHandle, open as openFile, readdir, rename, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type SignedIn, signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { createTestHarness, startTestApp, type TestApp, type TestHarness } from "../../testing/app/start-test-app.ts";
import { expectExactCounters } from "../../testing/chats/exact-counters.ts";
import { loadRelease, releasedPerson, releases } from "../../testing/database/released.ts";
import { isOnPostgres } from "../../testing/database/test-database.ts";
import { undoRequired, undoSingleSignOn, undoTools } from "../../testing/database/undo-migrations.ts";
import { findSchemaState } from "./migrate.ts";
import { openDatabase } from "./open.ts";
import { removeSnapshotsBefore } from "./snapshots.ts";

// Timeout against a hang only: the started processes share two cores with other tests.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let harness: TestHarness;
beforeEach(async () => {
  harness = await createTestHarness();
});
afterEach(() => harness[Symbol.asyncDispose]());

const backups = () => join(harness.dataDir, "backups");
const snapshots = async () => (await readdir(backups()).catch(() => [])).map((name) => join(backups(), name));
const start = () => startTestApp({ harness, demoPause: async () => undefined });

async function signIn(app: TestApp): Promise<SignedIn> {
  const response = await app.call("POST", accountPaths.login, { body: releasedPerson });
  expect(response.status).toBe(200);
  return signedInSchema.parse(await response.json());
}

async function hitsOf(app: TestApp, query: string, token: string): Promise<number> {
  const response = await app.call("GET", `${conversationPaths.search}?q=${query}`, { token });
  return ((await response.json()) as { hits: unknown[] }).hits.length;
}

const open = () =>
  openDatabase({
    dataDir: harness.dataDir,
    ...(harness.env.DATABASE_URL && { postgresUrl: harness.env.DATABASE_URL }),
  });

describe.each(releases)("databases of %s", (release) => {
  beforeEach(() => loadRelease(harness, release));

  it("R22 this version serves an older database: people sign in, read, search and chat", async () => {
    await using app = await start();
    const { access_token: token, user } = await signIn(app);
    expect(user).not.toHaveProperty("preferences");
    const history = (await (await app.call("GET", conversationPaths.chatHistory, { token })).json()) as {
      id: string;
    }[];
    expect(history).toHaveLength(1);
    expect(await hitsOf(app, "fjord", token)).toBeGreaterThan(0);
    const chat = history[0]?.id ?? "";
    const tree = (await (await app.call("GET", conversationPaths.chatTree(chat), { token })).json()) as {
      messages: unknown[];
    };
    expect(tree.messages).toHaveLength(4);
    const sent = await app.call("POST", conversationPaths.chatSend(chat), {
      token,
      body: { message: "And a strait?" },
    });
    expect(sent.status).toBe(200);
  });

  it("K3 the stored bytes of existing chats and accounts are counted after an upgrade", async () => {
    const database = await open();
    await expectExactCounters(database);
    const rows = await database.selectFrom("users").select(["username", "stored_bytes"]).execute();
    expect(Object.fromEntries(rows.map((user) => [user.username, user.stored_bytes > 0]))).toEqual({
      ada: true,
      bob: false,
    });
    await database.destroy();
  });
});

// The tests name migrations and columns that v0.1.0 lacks.
describe("databases of v0.1.0", () => {
  beforeEach(() => loadRelease(harness, "v0.1.0"));

  it("R22 the database is copied once before it is migrated, readable by its owner only, and not on PostgreSQL", async () => {
    await (await open()).destroy();
    await (await open()).destroy();
    const [copy, ...others] = await snapshots();
    expect(others).toEqual([]);
    if (harness.env.DATABASE_URL) return expect(copy).toBeUndefined();
    expect(copy).toMatch(/before-0008-disabled-accounts-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.sqlite$/);
    expect((await stat(copy ?? "")).mode & 0o777).toBe(0o600);
    using kept = new DatabaseSync(copy ?? "", { readOnly: true });
    expect(kept.prepare("select count(*) as rows from messages").get()).toMatchObject({ rows: 4 });
    const columns = kept.prepare("select name from pragma_table_info('users')").all();
    expect(columns.some(({ name }) => name === "disabled_at")).toBe(false);
  });

  it.runIf(isOnPostgres)("on PostgreSQL a migration warns about the backup that would undo it", async () => {
    const told = async () => {
      await using app = await start();
      return app.logLines.filter((line) => line.includes("npm run admin -- backup FILE"));
    };
    expect(await told()).toEqual([expect.stringContaining("from 0008-disabled-accounts on")]);
    expect(await told()).toEqual([]);
  });

  it.skipIf(isOnPostgres)("R22 the database is not migrated if it cannot be copied, and an error says so", async () => {
    await writeFile(backups(), "in the way");
    await expect(start()).rejects.toThrow(/could not be copied to .*backups first: .*Nothing was changed/);
    using left = new DatabaseSync(join(harness.dataDir, "parley.db"), { readOnly: true });
    expect(left.prepare("select max(name) as last from kysely_migration").get()).toMatchObject({
      last: "0007-usage-and-imports",
    });
  });

  it.skipIf(isOnPostgres)("R22 a damaged database is not migrated", async () => {
    {
      using database = new DatabaseSync(join(harness.dataDir, "parley.db"), { enableForeignKeyConstraints: false });
      database.exec("update messages set chat_id = 'nowhere' where parent is null");
    }
    await expect(start()).rejects.toThrow(/the copy is not sound \(row \d+ of messages points to no row of chats/);
    expect(await snapshots()).toEqual([]);
  });

  it("R22 the database is complete after a kill during its migration", async () => {
    const program = fileURLToPath(new URL("../../testing/database/kill-during-migration.ts", import.meta.url));
    const noting = isOnPostgres ? 'insert into "public"."kysely_migration"' : 'insert into "kysely_migration"';
    for (const words of ['alter table "users" add column "disabled_at"', noting]) {
      const where = harness.env.DATABASE_URL ?? harness.dataDir;
      const child = spawn(process.execPath, [program, where, words], { stdio: ["ignore", "ignore", "inherit"] });
      expect((await once(child, "exit"))[1]).toBe("SIGKILL");
    }
    const database = await open();
    expect((await findSchemaState(database)).pending).toEqual([]);
    expect(await database.selectFrom("users").select("disabled_at").execute()).toHaveLength(2);
    await database.destroy();
  });

  it("a chat that an earlier version has imported names Parley as its source after the upgrade", async () => {
    const before = await open();
    await before.updateTable("chats").set({ imported_from: "exported-1" }).execute();
    await sql`delete from kysely_migration where name >= '0032'`.execute(before);
    await sql`drop table connections`.execute(before);
    await sql`drop table connection_models`.execute(before);
    await undoTools(before);
    await before.destroy();
    const database = await open();
    const chats = await database.selectFrom("chats").select("imported_from").execute();
    expect(chats).toEqual([{ imported_from: "parley:exported-1" }]);
    await database.destroy();
  });

  it("the last sign-in by each way is that of the sessions that exist at the upgrade", async () => {
    const before = await open();
    const { id: user_id } = await before.selectFrom("users").select("id").orderBy("id").executeTakeFirstOrThrow();
    const common = { user_id, last_seen_at: 9, expires_at: 9, device: null, user_agent: "", ip: "", proved_at: 0 };
    await before.deleteFrom("sessions").execute();
    await before
      .insertInto("sessions")
      .values([
        { ...common, id: "a", method: "password", created_at: 3 },
        { ...common, id: "b", method: "password", created_at: 5 },
        { ...common, id: "c", method: "google", created_at: 4 },
        { ...common, id: "d", method: "mail", created_at: 8 },
      ])
      .execute();
    await sql`delete from kysely_migration where name >= '0038'`.execute(before);
    await undoSingleSignOn(before);
    await sql`drop table last_sign_ins`.execute(before);
    await undoRequired(before);
    await before.schema.alterTable("sign_in_tickets").dropColumn("purpose").execute();
    await before.destroy();
    const database = await open();
    const uses = await database.selectFrom("last_sign_ins").selectAll().orderBy("way").execute();
    expect(uses).toEqual([
      { user_id, way: "google", at: 4 },
      { user_id, way: "password", at: 5 },
    ]);
    await database.destroy();
  });

  it("a link that was made for a group is for that of its owner after the upgrade, and as old as its page", async () => {
    const before = await open();
    const { id: chat_id, user_id } = await before
      .selectFrom("chats")
      .select(["id", "user_id"])
      .executeTakeFirstOrThrow();
    await before
      .insertInto("account_groups")
      .values({
        ...{ id: "g", name: "Staff", name_key: "staff", time_zone: "UTC", created_at: 1 },
        ...{ models: null, default_model: null, quota_mb: null, budget: null, member_budget: null },
        ...{ needs_second_factor: 0, may_share: 1 },
      })
      .execute();
    await before.updateTable("users").set({ group_id: "g" }).where("id", "=", user_id).execute();
    const common = { user_id, chat_id, title: "", options: "{}", created_at: 2, published_at: 3, visits: 0, bytes: 0 };
    const shares = [
      { ...common, id: "a", audience: "group" as const },
      { ...common, id: "b", audience: "anyone" as const },
    ];
    await before.insertInto("shares").values(shares).execute();
    const page = JSON.stringify({ title: "", createdAt: 1_790_000_000_000, messages: [] });
    await before.insertInto("share_pages").values({ share_id: "a", page, messages: "[]" }).execute();
    await sql`delete from kysely_migration where name >= '0043'`.execute(before);
    await before.schema.dropIndex("shares_group").execute();
    await before.schema.alterTable("shares").dropColumn("group_id").execute();
    await before.destroy();
    const database = await open();
    expect(await database.selectFrom("shares").select(["group_id", "created_at"]).orderBy("id").execute()).toEqual([
      { group_id: "g", created_at: 1_790_000_000_000 },
      { group_id: null, created_at: 2 },
    ]);
    await database.destroy();
  });
});

/** Opens the database, which migrates it if necessary, and reverts its last migrations. */
async function openAndUndo(): Promise<void> {
  const database = await open();
  await sql`alter table messages drop column open_call`.execute(database);
  await sql`delete from kysely_migration where name > '0024'`.execute(database);
  await sql`drop table ownership_offers`.execute(database);
  await sql`drop table class_codes`.execute(database);
  await sql`drop table connections`.execute(database);
  await sql`drop table connection_models`.execute(database);
  await undoTools(database);
  await sql`drop index messages_tree`.execute(database);
  await sql`create index messages_chat on messages (chat_id)`.execute(database);
  await sql`drop trigger model_calls_booked`.execute(database);
  await sql`drop trigger model_calls_summed`.execute(database);
  await sql`drop table account_months`.execute(database);
  await sql`drop index chats_empty`.execute(database);
  for (const [table, column] of [
    ["model_calls", "group_id"],
    ["model_calls", "budgets"],
    ["budget_totals", "begins_at"],
    ["budget_totals", "ends_at"],
    ["invitations", "trusted_only"],
  ] as const) {
    await database.schema.alterTable(table).dropColumn(column).execute();
  }
  await database.destroy();
}

const LATEST = /before-0024-ownership-offers-.*Z(?:-\d+)?\.sqlite$/;
const latest = async () => (await snapshots()).filter((path) => LATEST.test(path));

/** Renames the latest copy, as if it had been taken before another migration or at another time. */
async function renameLatest(replace: (name: string) => string): Promise<string> {
  const [path = ""] = await latest();
  const to = join(backups(), replace(basename(path)));
  await rename(path, to);
  return to;
}

describe.skipIf(isOnPostgres)("copies before upgrades", () => {
  it("copies are kept for the last three migrations, and for a month at most", async () => {
    await openAndUndo();
    for (let upgrade = 1; upgrade <= 5; upgrade++) {
      await openAndUndo();
      await renameLatest((name) => name.replace("0024-ownership-offers", `000${upgrade}-other`));
    }
    await openAndUndo();
    const names = (await snapshots()).map((path) => basename(path).replace(/-2.*/, "")).sort();
    expect(names).toEqual(["before-0004-other", "before-0005-other", "before-0024-ownership-offers"]);
    await writeFile(join(backups(), "before-0024-next-2026-01-01T00-00-00Z.sqlite.partial"), "half");
    await writeFile(join(backups(), "replaced-2026-01-01T00-00-00Z.sqlite-wal"), "damaged");
    await removeSnapshotsBefore(harness.dataDir, Date.now() + 1000);
    expect(await snapshots()).toEqual([]);
  });

  it("only the latest complete copy of a retried migration is kept", async () => {
    await openAndUndo();
    for (let start = 1; start <= 4; start++) {
      await openAndUndo();
      if (start < 4) await renameLatest((name) => name.replace(/\d{4}-\d\d-\d\dT/, `202${start}-01-01T`));
    }
    const [copy, ...others] = await snapshots();
    expect(others).toEqual([]);
    expect(copy).not.toContain("-01-01T");
    const kept = await renameLatest((name) => name.replace(/\d{4}-\d\d-\d\dT/, "2021-01-01T"));
    {
      using database = new DatabaseSync(join(harness.dataDir, "parley.db"), { enableForeignKeyConstraints: false });
      database.exec("create table torn (id text references users (id)); insert into torn values ('nobody')");
    }
    await expect(open()).rejects.toThrow("the copy is not sound");
    expect(await snapshots()).toEqual([kept]);
  });

  it("incomplete copies are removed after a kill, and do not count", async () => {
    await openAndUndo();
    await openAndUndo();
    const kept = await renameLatest((name) => name.replace("0024-ownership-offers", "0007-other"));
    for (const name of ["before-0008-a", "before-0008-b", "before-0008-c", "replaced"]) {
      await writeFile(join(backups(), `${name}-2026-01-01T00-00-00Z.sqlite.partial`), "half");
    }
    const own = join(backups(), "mine.parley.partial");
    await writeFile(own, "somebody else's");
    await openAndUndo();
    expect((await snapshots()).sort()).toEqual([kept, ...(await latest()), own].sort());
    expect(await latest()).toHaveLength(1);
  });

  it("copies are synced to the disk under their final names before the database is changed", async () => {
    await openAndUndo();
    const handle = await openFile(harness.dataDir);
    const prototype = Object.getPrototypeOf(handle) as FileHandle;
    await handle.close();
    const synced: [isFolder: boolean, names: string[]][] = [];
    const { sync } = prototype;
    const spy = vi.spyOn(prototype, "sync").mockImplementation(async function (this: FileHandle) {
      synced.push([(await this.stat()).isDirectory(), (await snapshots()).map((path) => basename(path))]);
      await sync.call(this);
    });
    await openAndUndo().finally(() => spy.mockRestore());
    const name = expect.stringMatching(/^before-0024-.*Z\.sqlite$/);
    expect(synced).toEqual([
      [false, [expect.stringMatching(/Z\.sqlite\.partial$/)]],
      [true, [name]],
    ]);
  });
});
