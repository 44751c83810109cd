import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { sql } from "kysely";
import pg from "pg";
import { expect, it, vi } from "vitest";
import { signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { filePaths } from "#contract/files/paths.ts";
import { type SeededAccount, seedAccount } from "../../../testing/accounts/seeded-account.ts";
import type { TestHarness } from "../../../testing/app/start-test-app.ts";
import { spawnAdmin } from "../../../testing/cli/run-admin.ts";
import { setUpBackups } from "../../../testing/cli/set-up-backups.ts";
import { isOnPostgres } from "../../../testing/database/test-database.ts";
import { uploadFile } from "../../../testing/files/upload.ts";
import { sqliteFile } from "../../database/sqlite/sqlite-file.ts";

const backups = setUpBackups();
const { run, start } = backups;

/** Adds so many messages that a restore can be killed while it runs. */
async function fill(): Promise<SeededAccount & { fileId: string }> {
  await using app = await start();
  const account = await seedAccount(app);
  await sql`insert into messages (id, user_id, chat_id, parent, role, content, state, created_at)
    with recursive n (i) as (select 1 union all select i + 1 from n where i < 3000)
    select m.id || '-' || i, m.user_id, m.chat_id, m.id, 'user', 'Question ' || i, 'complete', m.created_at
    from n, messages m where m.id = (select min(id) from messages where chat_id = ${account.chatId})`.execute(
    app.context.database,
  );
  const { id: fileId } = await uploadFile(app, { ...account, bytes: "A note" });
  return { ...account, fileId };
}

/** Returns a function that reports whether the restore has begun to write into its target. */
async function watch({ dataDir, env }: TestHarness): Promise<() => Promise<boolean>> {
  if (!isOnPostgres) return async () => existsSync(`${sqliteFile(dataDir)}.restoring-wal`);
  const client = new pg.Client({ connectionString: env.DATABASE_URL });
  await client.connect();
  backups.opened.defer(() => client.end());
  return async () => {
    const { rowCount } = await client.query("select 1 from messages limit 1").catch(() => ({ rowCount: 0 }));
    return rowCount === 1;
  };
}

it("a killed restore leaves no database that a server starts on, and can be repeated", async () => {
  const { user, password, fileId } = await fill();
  expect((await run(["backup", backups.file])).code).toBe(0);
  const target = await backups.createTarget();
  const hasBegun = await watch(target);
  const child = spawnAdmin(target, ["restore", backups.file]);
  const ended = once(child, "exit");
  await vi.waitUntil(async () => (await hasBegun()) || child.exitCode !== null, { interval: 1 });
  child.kill("SIGKILL");
  expect(await ended).toEqual([null, "SIGKILL"]);
  if (isOnPostgres) await expect(start(target)).rejects.toThrow("an unfinished restore or move");
  else expect(await readdir(target.dataDir)).not.toContain("parley.db");
  expect((await run(["restore", backups.file], target)).json).toMatchObject({ ok: true, replaced: null });
  await using app = await start(target);
  const signedIn = await app.call("POST", accountPaths.login, { body: { username: user.username, password } });
  const { access_token: token } = signedInSchema.parse(await signedIn.json());
  expect(await (await app.call("GET", filePaths.file(fileId), { token })).text()).toBe("A note");
});
