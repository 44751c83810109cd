import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync, gzipSync } from "node:zlib";
import { sql } from "kysely";
import { describe, expect, it, vi } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import type { Chat } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { SECOND } from "#contract/limits.ts";
import { type SeededAccount, seedAccount } from "../../../testing/accounts/seeded-account.ts";
import { signUp } from "../../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp, type TestHarness } from "../../../testing/app/start-test-app.ts";
import type { AdminResult } from "../../../testing/cli/run-admin.ts";
import { setUpBackups } from "../../../testing/cli/set-up-backups.ts";
import { allRows } from "../../../testing/database/all-rows.ts";
import { loadRelease, releasedPerson } from "../../../testing/database/released.ts";
import { isOnPostgres } from "../../../testing/database/test-database.ts";
import { startScriptedProvider } from "../../../testing/provider/scripted-provider.ts";
import { takeDataFolder } from "../../config/data-folder.ts";
import { findSchemaState } from "../../database/migrate.ts";
import { sqliteFile } from "../../database/sqlite/sqlite-file.ts";
import { copiedTables, passingTables } from "./tables.ts";

const backups = setUpBackups();
const { run, start, withDatabase } = backups;

const refusal = ({ code, json }: AdminResult) => [code, json.ok, json.error];

/**
 * Returns all rows, sorted, except tables that every start or request changes, tables of the search, and bytes of
 * attached files.
 */
async function contentOf(on: TestHarness): Promise<string[]> {
  const rows = await withDatabase(on, allRows);
  return rows
    .filter((row) => !/^(kysely_|search_|sessions |email_keys |(file|upload)_(objects|chunks) )/.test(row))
    .map(inOrder)
    .sort();
}

/** Sorts the columns of a row, because each engine returns them in its own order. */
function inOrder(line: string): string {
  const [, table = "", json = ""] = /^(\S+) (.*)$/s.exec(line) ?? [];
  return `${table} ${JSON.stringify(Object.entries(JSON.parse(json) as object).sort())}`;
}

async function fill(): Promise<SeededAccount> {
  await using app = await start();
  await seedAccount(app);
  return await seedAccount(app);
}

const signIn = (app: TestApp, { user, password }: SeededAccount) =>
  app.call("POST", accountPaths.login, { body: { username: user.username, password } });

describe("writing a backup", () => {
  it("a backup is written while a server runs, with mode 600, and contains all rows and files", async () => {
    await using app = await start();
    backups.opened.use(await takeDataFolder(backups.harness.dataDir));
    await seedAccount(app);
    const { code, json } = await run(["backup", backups.file]);
    expect([code, json.ok]).toEqual([0, true]);
    expect((await stat(backups.file)).mode & 0o777).toBe(0o600);
    const names = (json.tables as { table: string }[]).map(({ table }) => table);
    expect(names).toEqual(copiedTables.map(({ name }) => name));
    expect(json.files).toEqual(expect.arrayContaining(["secret-key", expect.stringMatching(/^mails\/.*\.eml$/)]));
    expect(refusal(await run(["backup", backups.file]))).toEqual([3, false, expect.stringContaining("already exists")]);
    expect((await run(["verify", backups.file])).json).toMatchObject({ ok: true, problems: [], rows: json.rows });
  });

  it("a backup includes every table of the schema", async () => {
    await using app = await start();
    const tables = await app.context.database.introspection.getTables();
    const known = new Set([...copiedTables.map(({ name }) => name), ...passingTables, "search_tokens"]);
    expect(tables.map(({ name }) => name).filter((name) => !known.has(name) && !/^search_tokens_/.test(name))).toEqual(
      [],
    );
  });

  it("R23 a restore returns all content on either database", async () => {
    const ada = await fill();
    await run(["backup", backups.file]);
    const before = await contentOf(backups.harness);
    for (const target of [await backups.createTarget(), await backups.createOtherTarget()]) {
      const { code, json } = await run(["restore", backups.file], target);
      expect([code, json.ok, json.hasSecret]).toEqual([0, true, true]);
      expect(await contentOf(target)).toEqual(before);
      await using app = await start(target);
      // All users must sign in again.
      expect((await app.call("GET", accountPaths.me, { token: ada.token })).status).toBe(401);
      const { access_token: token } = (await (await signIn(app, ada)).json()) as { access_token: string };
      const { hits } = (await (await app.call("GET", `${conversationPaths.search}?q=skerry`, { token })).json()) as {
        hits: [];
      };
      expect(hits.length).toBeGreaterThan(0);
      const sent = await app.call("POST", conversationPaths.chatSend(ada.chatId), {
        token,
        body: { message: "A new strait" },
      });
      expect(sent.status).toBe(200);
      const found = await app.call("GET", `${conversationPaths.search}?q=strait`, { token });
      expect(((await found.json()) as { hits: [] }).hits.length).toBeGreaterThan(0);
      expect((await run(["verify"], target)).json).toMatchObject({ ok: true, problems: [] });
    }
  });

  it("R23 a backup written during a reply contains an exact prefix of it", async () => {
    const provider = backups.opened.use(await startScriptedProvider());
    const env = { OPENAI_API_KEY: "scripted-key", OPENAI_BASE_URL: provider.baseUrl };
    const told = "Once upon a time";
    const account = await (async () => {
      await using app = await startTestApp({ harness: backups.harness, env });
      const made = await seedAccountWithout(app);
      const body = { message: "[scenario:held]", model: "GPT:gpt-5-mini" };
      await app.call("POST", `${conversationPaths.chatSend(made.chatId)}?stream=1`, { token: made.token, body });
      provider.release(told);
      const chunks = app.context.database.selectFrom("reply_chunks").select("text");
      await vi.waitUntil(async () => (await chunks.execute()).length > 0);
      expect((await run(["backup", backups.file])).code).toBe(0);
      provider.release(" that is not in it");
      provider.finish();
      return made;
    })();
    const target = await backups.createTarget();
    expect((await run(["restore", backups.file, "--keep-sessions"], target)).code).toBe(0);
    await using app = await startTestApp({ harness: target, env });
    const last = async () => {
      const chat = await app.call("GET", conversationPaths.chat(account.chatId), { token: account.token });
      return ((await chat.json()) as Chat).messages.at(-1);
    };
    // On PostgreSQL another server might be writing the reply, so its lease must expire first.
    await vi.waitUntil(async () => (await last())?.state !== "writing");
    expect(await last()).toMatchObject({ role: "assistant", content: told, state: "interrupted" });
    expect((await run(["verify"], target)).json).toMatchObject({ ok: true });
  });

  it("a backup that is damaged anywhere is refused, and nothing is restored", async () => {
    await fill();
    await run(["backup", backups.file]);
    const whole = await readFile(backups.file);
    const text = gunzipSync(whole).toString();
    const lines = text.trimEnd().split("\n");
    const isNoText = gunzipSync(whole);
    isNoText[isNoText.indexOf("Lovelace")] = 0xff;
    const spoilt: Record<string, Buffer> = {
      cut: whole.subarray(0, whole.length - 40),
      "without its end": gzipSync(`${lines.slice(0, -1).join("\n")}\n`),
      altered: gzipSync(text.replace("Lovelace", "Lovelaci")),
      "with a file elsewhere": gzipSync(text.replace('"file":"secret-key"', '"file":"../secret-key"')),
      "not of text": gzipSync(isNoText),
      "with half a line": gzipSync(text.replace('"Lovelace"', '"Lovelace')),
      "of another kind": Buffer.from("nothing"),
    };
    const target = await backups.createTarget();
    for (const [name, content] of Object.entries(spoilt)) {
      const path = join(backups.harness.dataDir, `${name}.parley`);
      await writeFile(path, content);
      expect.soft([name, (await run(["restore", path], target)).code]).toEqual([name, 3]);
    }
    for (const name of ["cut", "without its end", "altered", "not of text", "with half a line"]) {
      const { code, json } = await run(["verify", join(backups.harness.dataDir, `${name}.parley`)]);
      expect.soft([name, code, json.problems]).toEqual([name, 4, [expect.objectContaining({ rows: 1 })]]);
    }
    expect((await run(["verify", join(backups.harness.dataDir, "of another kind.parley")])).code).toBe(3);
    expect((await readdir(target.dataDir)).filter((name) => /parley\.db|secret/.test(name))).toEqual([]);
  });
});

/** Like {@link seedAccount}, but without replies, which the scripted provider would have to give. */
async function seedAccountWithout(app: TestApp): Promise<SeededAccount> {
  const account = await signUp(app);
  const made = await app.call("POST", conversationPaths.chats, { token: account.token });
  return { ...account, chatId: ((await made.json()) as Chat).id };
}

describe("restoring a backup", () => {
  it("a restore replaces accounts only with --force and --yes, and stashes the former content", async () => {
    const ada = await fill();
    await run(["backup", backups.file]);
    const later = await (async () => {
      await using app = await start();
      return await seedAccount(app);
    })();
    expect(refusal(await run(["restore", backups.file]))).toEqual([
      3,
      false,
      expect.stringContaining("already accounts here (3)"),
    ]);
    expect(refusal(await run(["restore", backups.file, "--force"]))).toEqual([
      3,
      false,
      expect.stringContaining("--yes"),
    ]);
    const { code, json } = await run(["restore", backups.file, "--force", "--yes"]);
    expect(code).toBe(0);
    {
      await using app = await start();
      expect([(await signIn(app, ada)).status, (await signIn(app, later)).status]).toEqual([200, 401]);
    }
    const kept = String(json.replaced);
    expect((await run(["restore", kept, "--force", "--yes"])).code).toBe(0);
    await using app = await start();
    expect((await signIn(app, later)).status).toBe(200);
  });

  it("a restore stashes the former content under a unique name, even if names of that second are taken", async () => {
    await fill();
    await run(["backup", backups.file]);
    const folder = join(backups.harness.dataDir, "backups");
    const suffix = isOnPostgres ? "parley" : "sqlite";
    const now = Date.now();
    const earlier = Array.from({ length: 600 }, (_, second) => {
      const time = new Date(now + second * SECOND).toISOString().slice(0, 19).replaceAll(":", "-");
      return join(folder, `replaced-${time}Z.${suffix}`);
    });
    await mkdir(folder);
    await Promise.all(earlier.map((path) => writeFile(path, "earlier")));
    const { code, json } = await run(["restore", backups.file, "--force", "--yes"]);
    expect([code, json.error]).toEqual([0, undefined]);
    expect(earlier).not.toContain(json.replaced);
    expect((await run(["verify", String(json.replaced)])).json).toMatchObject({ ok: true });
    for (const path of earlier) expect(await readFile(path, "utf8")).toBe("earlier");
  });

  it("a restore is refused while a server runs", async () => {
    await fill();
    await run(["backup", backups.file]);
    await using app = await start();
    if (!isOnPostgres) backups.opened.use(await takeDataFolder(backups.harness.dataDir));
    const refused = refusal(await run(["restore", backups.file, "--force", "--yes"]));
    expect(refused).toEqual([3, false, expect.stringMatching(/server is running|Servers are running/)]);
    expect((await app.call("GET", accountPaths.authConfig)).status).toBe(200);
  });

  it("restores the copy or backup from before an upgrade, and the next start upgrades it again", async () => {
    await loadRelease(backups.harness, "v0.1.0");
    // On PostgreSQL the new version makes the backup before its first start.
    if (isOnPostgres) expect((await run(["backup", backups.file])).code).toBe(0);
    {
      await using app = await start();
      await seedAccount(app);
    }
    const [copy = ""] = isOnPostgres ? [] : await readdir(join(backups.harness.dataDir, "backups"));
    const from = isOnPostgres ? backups.file : join(backups.harness.dataDir, "backups", copy);
    expect((await run(["restore", from, "--force", "--yes"])).json).toMatchObject({
      ok: true,
      migrations: { length: 7 },
    });
    expect((await withDatabase(backups.harness, findSchemaState)).pending).toEqual([
      "0008-disabled-accounts",
      "0009-quotas",
      "0010-instructions",
      "0011-preferences",
      "0012-message-parts",
      "0013-files",
      "0014-attached-files",
      "0015-searchable-files",
      "0016-audit",
      "0017-roles",
      "0018-account-lists",
      "0019-invitations",
      "0020-call-days",
      "0021-budgets",
      "0022-settings",
      "0023-groups",
      "0024-ownership-offers",
      "0025-named-files",
      "0026-weighed-parts",
      "0027-open-calls",
      "0028-call-budgets",
      "0029-class-codes",
      "0030-untouched-chats",
      "0031-account-months",
      "0032-import-sources",
      "0033-connections",
      "0034-tools",
      "0035-imported-origins",
      "0036-second-factors",
      "0037-passkeys",
      "0038-last-sign-ins",
      "0039-required-second-factors",
      "0040-single-sign-on",
      "0041-mcp-servers",
      "0042-shares",
      "0043-groups-of-shares",
    ]);
    await using app = await start();
    expect((await app.call("POST", accountPaths.login, { body: releasedPerson })).status).toBe(200);
    // Seven days after its release the start removes the account that was never verified.
    expect((await run(["users", "list"])).json.users).toContainEqual(
      expect.objectContaining({ username: releasedPerson.username }),
    );
  });
});

describe("verification of data", () => {
  it.skipIf(isOnPostgres)("verify reads without waiting for writers or blocking them", async () => {
    await fill();
    using writer = new DatabaseSync(sqliteFile(backups.harness.dataDir));
    writer.exec("begin immediate; update users set firstname = 'Augusta'");
    expect((await run(["verify"])).json).toMatchObject({ ok: true, problems: [] });
    writer.exec("commit");
  });

  it("verify finds no problems in data of a server, and each problem in manipulated data", async () => {
    const { chatId } = await fill();
    expect((await run(["verify"])).json).toMatchObject({ ok: true, problems: [] });
    await withDatabase(backups.harness, async (database) => {
      await sql`update messages set parent = 'nothing' where chat_id = ${chatId} and parent is not null`.execute(
        database,
      );
      await sql`delete from search_entries where chat_id = ${chatId} and message_id is not null`.execute(database);
      await sql`update chats set leaf = 'nothing' where id = ${chatId}`.execute(database);
    });
    const { code, json } = await run(["verify"]);
    expect([code, json.ok, json.code]).toEqual([4, false, "unsound"]);
    const checks = (json.problems as { check: string; rows: number }[]).map(({ check, rows }) => [check, rows]);
    expect(checks).toEqual([
      ["messages whose parent is not in their chat", 2],
      ["chats whose selected message is not in them", 1],
      ["messages that are missing from the search index", 4],
    ]);
    await run(["backup", backups.file]);
    expect((await run(["verify", backups.file])).json.problems).toHaveLength(3);
  });

  it("verify finds cycles of messages", async () => {
    const { chatId } = await fill();
    const cycle = sql`update messages
      set parent = (select answer.id from messages answer where answer.parent = messages.id)
      where chat_id = ${chatId} and parent is null`;
    await withDatabase(backups.harness, (database) => cycle.execute(database));
    const { code, json } = await run(["verify"]);
    expect([code, json.problems]).toEqual([
      4,
      [expect.objectContaining({ check: "messages whose parents form a cycle", rows: 4 })],
    ]);
  });
});
