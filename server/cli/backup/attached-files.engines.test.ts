import { appendFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync, gzipSync } from "node:zlib";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { filePaths } from "#contract/files/paths.ts";
import { HOUR } from "#contract/limits.ts";
import { signUp, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { type TestApp, TestClock } from "../../../testing/app/start-test-app.ts";
import { expectExactCounters } from "../../../testing/chats/exact-counters.ts";
import { setUpBackups } from "../../../testing/cli/set-up-backups.ts";
import { isOnPostgres } from "../../../testing/database/test-database.ts";
import { putFile, uploadFile } from "../../../testing/files/upload.ts";
import type { Database } from "../../database/schema.ts";
import { removeSnapshotsBefore } from "../../database/snapshots.ts";
import { sqliteFile } from "../../database/sqlite/sqlite-file.ts";
import { openStores } from "../../files/stores/open-stores.ts";

const backups = setUpBackups();
const { run, withDatabase } = backups;

/** After this time a sweep deletes bytes without a file. */
const LATER_MS = 2 * HOUR;
const start = (on = backups.harness, clock = new TestClock(Date.now())) => backups.start(on, { clock });

/** Longer than a piece of a backup and a row of bytes. */
const LONG = "A long note. ".repeat(50_000);

type Filled = TestAccount & { long: string; short: string; half: string };

/** Creates an account with two files and half of a third. */
async function fill(on = backups.harness): Promise<Filled> {
  await using app = await start(on);
  const ada = await signUp(app);
  const { id: long } = await uploadFile(app, { ...ada, bytes: LONG });
  const { id: short } = await uploadFile(app, { ...ada, bytes: "A short note" });
  const half = crypto.randomUUID();
  await putFile(app, { ...ada, id: half, bytes: "Half ", range: "bytes 0-4/10" });
  return { ...ada, long, short, half };
}

const textOf = async (app: TestApp, { token }: TestAccount, id: string) => {
  const response = await app.call("GET", filePaths.file(id), { token });
  return response.ok ? await response.text() : response.status;
};

const keyOf = (db: Database, id: string) =>
  db.selectFrom("files").select("key").where("id", "=", id).executeTakeFirstOrThrow();

/** Deletes the bytes of a file, as a fault would. @returns its key */
const loseBytes = (id: string) =>
  withDatabase(backups.harness, async (database) => {
    const { key } = await keyOf(database, id);
    const { files } = await openStores({ database, dataDir: backups.harness.dataDir, isShared: isOnPostgres });
    expect(await files.sizeOf(key)).toBeGreaterThan(0);
    await files.delete(key);
    return key;
  });

it("R23 a backup contains attached files, which a restore returns on either database, and no incomplete uploads", async () => {
  const ada = await fill();
  const backup = await run(["backup", backups.file]);
  expect(backup.json.attached).toEqual({ files: 2, bytes: LONG.length + 12, missing: [] });
  expect((await run(["verify", backups.file])).json).toMatchObject({ ok: true, problems: [] });
  for (const target of [await backups.createTarget(), await backups.createOtherTarget()]) {
    const { json } = await run(["restore", backups.file, "--keep-sessions"], target);
    expect([json.error, json.attached]).toEqual([undefined, { files: 2, missing: [] }]);
    expect((await run(["verify"], target)).json).toMatchObject({ ok: true, problems: [] });
    await using app = await start(target);
    expect([await textOf(app, ada, ada.long), await textOf(app, ada, ada.short)]).toEqual([LONG, "A short note"]);
    const { headers } = await app.call("HEAD", filePaths.file(ada.half), ada);
    expect(headers.get("upload-offset")).toBe("0");
    const whole = await putFile(app, { ...ada, id: ada.half, bytes: "Whole file" });
    expect(await whole.json()).toMatchObject({ stored: 10, file: { size: 10 } });
    await expectExactCounters(app.context.database);
  }
});

it("a backup whose attached files are damaged is refused, and restores nothing", async () => {
  const { token, short } = await fill();
  await run(["backup", backups.file]);
  const text = gunzipSync(await readFile(backups.file)).toString();
  const lines = text.trimEnd().split("\n");
  const isPiece = (line: string) => line.startsWith('{"attached":') && line.includes('"base64"');
  const isEnd = (line: string) => line.startsWith('{"attached":') && line.includes('"sha256"');
  const without = (at: number) => lines.filter((_, n) => n !== at);
  const spoilt: Record<string, string[]> = {
    "with other bytes": lines.map((line) => (isPiece(line) ? line.replace(/"base64":"..../, '"base64":"AAAA') : line)),
    "without its first piece": without(lines.findIndex(isPiece)),
    "without its last piece": without(lines.findLastIndex(isPiece)),
    "without an end": without(lines.findIndex(isEnd)),
    "without the last end": without(lines.findLastIndex(isEnd)),
    "with the end of another file": lines.map((line, n) =>
      n === lines.findIndex(isEnd) ? line.replace(/"attached":"[^"]+"/, `"attached":"${crypto.randomUUID()}"`) : line,
    ),
    "with a path as key": lines.map((line) => line.replace(/"attached":"[^"]+"/, '"attached":"../../secret-key"')),
  };
  const target = await backups.createTarget();
  for (const [name, content] of Object.entries(spoilt)) {
    const path = join(backups.harness.dataDir, `${name}.parley`);
    await writeFile(path, gzipSync(`${content.join("\n")}\n`));
    const restored = await run(["restore", path], target);
    expect.soft([name, restored.code, restored.json.error]).toEqual([name, 3, expect.stringContaining("is damaged")]);
    const { code, json } = await run(["verify", path]);
    expect.soft([name, code, json.problems]).toEqual([name, 4, [expect.objectContaining({ rows: 1 })]]);
  }
  const left = await readdir(join(target.dataDir, "files"), { recursive: true }).catch(() => []);
  expect(left.filter((name) => name !== "tmp")).toEqual([]);
  await using app = await start();
  expect((await app.call("GET", filePaths.file(short), { token })).status).toBe(200);
});

it("an attached file without bytes is reported, and a restore removes its row", async () => {
  const ada = await fill();
  const key = await loseBytes(ada.long);
  const lost = { check: "attached files without bytes", rows: 1, examples: [key] };
  const verified = await run(["verify"]);
  expect([verified.code, verified.json.problems]).toEqual([4, [lost]]);
  const { json } = await run(["backup", backups.file]);
  expect(json.attached).toEqual({ files: 1, bytes: 12, missing: [key] });
  expect((await run(["verify", backups.file])).json.problems).toEqual([lost]);
  const target = await backups.createTarget();
  const restored = await run(["restore", backups.file, "--keep-sessions"], target);
  expect(restored.json.attached).toEqual({ files: 1, missing: [key] });
  expect((await run(["verify"], target)).json).toMatchObject({ ok: true, problems: [] });
  await using app = await start(target);
  expect([await textOf(app, ada, ada.long), await textOf(app, ada, ada.short)]).toEqual([404, "A short note"]);
  await expectExactCounters(app.context.database);
});

it("verify reports attached files whose bytes have another length", async () => {
  const { short } = await fill();
  const key = await withDatabase(backups.harness, async (db) => {
    const found = await keyOf(db, short);
    if (isOnPostgres) await sql`update file_objects set size = size - 1 where key = ${found.key}`.execute(db);
    return found.key;
  });
  if (!isOnPostgres) await appendFile(join(backups.harness.dataDir, "files", key.slice(-2), key), "!");
  expect((await run(["verify"])).json.problems).toEqual([
    { check: "attached files with bytes of another length", rows: 1, examples: [key] },
  ]);
});

it("a restore stashes the attached files that it replaces, which the stash brings back after a sweep", async () => {
  const ada = await fill();
  await run(["backup", backups.file]);
  const later = await (async () => {
    await using app = await start();
    await app.call("DELETE", filePaths.file(ada.short), ada);
    return (await uploadFile(app, { ...ada, bytes: "A later note" })).id;
  })();
  const contents = async () => {
    await using app = await start(backups.harness, new TestClock(Date.now() + LATER_MS));
    await app.context.sweep.run();
    return await Promise.all([ada.long, ada.short, later].map((id) => textOf(app, ada, id)));
  };
  const restore = (path: string) => run(["restore", path, "--force", "--yes", "--keep-sessions"]);
  const { json } = await restore(backups.file);
  expect([json.error, await contents()]).toEqual([undefined, [LONG, "A short note", 404]]);
  const again = await restore(String(json.replaced));
  expect([again.json.error, await contents()]).toEqual([undefined, [LONG, 404, "A later note"]]);
  expect((await run(["verify"])).json).toMatchObject({ ok: true, problems: [] });
  await removeSnapshotsBefore(backups.harness.dataDir, Date.now() + 60_000);
  expect(await readdir(join(backups.harness.dataDir, "backups"))).toEqual([]);
});

it("a restore of a database copy uses the attached files of the data folder, without those deleted since", async () => {
  const made = { ...(await backups.createTarget()), env: {} };
  const ada = await fill(made);
  const copy = join(made.dataDir, "before-0015-a.sqlite");
  {
    using database = new DatabaseSync(sqliteFile(made.dataDir));
    database.prepare("vacuum into ?").run(copy);
  }
  {
    await using app = await start(made);
    await app.call("DELETE", filePaths.file(ada.short), ada);
  }
  // On PostgreSQL: a data folder whose server was on SQLite before.
  const target = { ...made, env: backups.harness.env };
  const { json } = await run(["restore", copy, "--force", "--yes", "--keep-sessions"], target);
  expect([json.error, json.attached]).toEqual([undefined, { files: 1, missing: [expect.any(String)] }]);
  await using app = await start(target);
  expect([await textOf(app, ada, ada.long), await textOf(app, ada, ada.short)]).toEqual([LONG, 404]);
  await expectExactCounters(app.context.database);
});

it.skipIf(isOnPostgres)("a restore removes what a killed restore has left of attached files", async () => {
  await fill();
  await run(["backup", backups.file]);
  const target = await backups.createTarget();
  const left = join(target.dataDir, "files", "tmp", "restoring", "ab");
  await mkdir(left, { recursive: true });
  await writeFile(join(left, crypto.randomUUID().replace(/..$/, "ab")), "left");
  expect((await run(["restore", backups.file], target)).json.attached).toEqual({ files: 2, missing: [] });
  expect(await readdir(join(target.dataDir, "files", "tmp"))).toEqual([]);
  const stored = await readdir(join(target.dataDir, "files"), { recursive: true, withFileTypes: true });
  expect(stored.filter((entry) => entry.isFile())).toHaveLength(2);
});
