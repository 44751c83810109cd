import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { beforeEach, expect, it } from "vitest";
import { filePaths } from "#contract/files/paths.ts";
import { HOUR } from "#contract/limits.ts";
import { signUp, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { type TestApp, TestClock, type TestHarness } from "../../../testing/app/start-test-app.ts";
import { expectExactCounters } from "../../../testing/chats/exact-counters.ts";
import { setUpBackups } from "../../../testing/cli/set-up-backups.ts";
import { isOnPostgres } from "../../../testing/database/test-database.ts";
import { type S3Server, startS3Server } from "../../../testing/files/s3-server.ts";
import { uploadFile } from "../../../testing/files/upload.ts";

const backups = setUpBackups();
const { run } = backups;
let server: S3Server;
/** The installation with files in a bucket. */
let remote: TestHarness;
beforeEach(async () => {
  server = await startS3Server(backups.opened);
  remote = inBucket(backups.harness);
});

const inBucket = (harness: TestHarness, prefix?: string): TestHarness => ({
  ...harness,
  env: { ...harness.env, ...server.envFor(prefix) },
});
const start = (harness: TestHarness, clock = new TestClock(Date.now())) => backups.start(harness, { clock });
const objects = () => [...server.bucket.objects.keys()];

/** Longer than a piece of a backup. */
const LONG = "A long note. ".repeat(50_000);
type Filled = TestAccount & { long: string; short: string };

async function fill(harness: TestHarness): Promise<Filled> {
  await using app = await start(harness);
  const ada = await signUp(app);
  const { id: long } = await uploadFile(app, { ...ada, bytes: LONG });
  const { id: short } = await uploadFile(app, { ...ada, bytes: "A short note" });
  return { ...ada, long, short };
}

async function textOf(app: TestApp, { token }: TestAccount, id: string): Promise<string | number> {
  const response = await app.call("GET", filePaths.file(id), { token });
  return response.ok ? await response.text() : response.status;
}

async function expectBoth(harness: TestHarness, ada: Filled): Promise<void> {
  await using app = await start(harness);
  expect([await textOf(app, ada, ada.long), await textOf(app, ada, ada.short)]).toEqual([LONG, "A short note"]);
  await expectExactCounters(app.context.database);
}

it("files verify and verify compare the files with the bucket", async () => {
  await fill(remote);
  expect((await run(["files", "verify"], remote)).json).toMatchObject({
    files: 2,
    missing: [],
    damaged: [],
    strays: 0,
  });
  expect((await run(["verify"], remote)).json).toMatchObject({ ok: true, problems: [] });
  const [first = "", second = ""] = objects();
  const [lost, damaged] = [first, second].map((name) => name.replace("files/", ""));
  server.bucket.objects.delete(first);
  server.bucket.objects.set(second, { bytes: Buffer.from("!"), storedAt: Date.now(), etag: '"1"' });
  const verified = await run(["files", "verify"], remote);
  expect([verified.code, verified.json.missing, verified.json.damaged]).toEqual([4, [lost], [damaged]]);
  const checks = ["attached files without bytes", "attached files with bytes of another length"];
  expect((await run(["verify"], remote)).json.problems).toMatchObject(checks.map((check) => ({ check, rows: 1 })));
  await server.close();
  const away = await run(["files", "verify"], remote);
  expect([away.code, away.json.error]).toEqual([1, expect.stringContaining("does not answer (ECONNREFUSED)")]);
});

it("R23 a backup of files in a bucket is restored to a bucket and to the own store of an installation", async () => {
  const ada = await fill(remote);
  expect((await run(["backup", backups.file], remote)).json.attached).toEqual({
    files: 2,
    bytes: LONG.length + 12,
    missing: [],
  });
  for (const target of [inBucket(await backups.createTarget(), "other"), await backups.createTarget()]) {
    const { json } = await run(["restore", backups.file, "--keep-sessions"], target);
    expect([json.error, json.attached]).toEqual([undefined, { files: 2, missing: [] }]);
    expect((await run(["verify"], target)).json).toMatchObject({ ok: true, problems: [] });
    await expectBoth(target, ada);
  }
  expect(
    objects()
      .map((name) => name.split("/")[0])
      .sort(),
  ).toEqual(["files", "files", "other", "other"]);
});

it("a restore to a bucket stashes the files that it replaces, which the stash brings back after a sweep", async () => {
  const ada = await fill(remote);
  await run(["backup", backups.file], remote);
  const later = await (async () => {
    await using app = await start(remote);
    await app.call("DELETE", filePaths.file(ada.short), ada);
    return (await uploadFile(app, { ...ada, bytes: "A later note" })).id;
  })();
  const contents = async () => {
    await using app = await start(remote, new TestClock(Date.now() + 2 * HOUR));
    await app.context.sweep.run();
    return await Promise.all([ada.long, ada.short, later].map((id) => textOf(app, ada, id)));
  };
  const restore = (path: string) => run(["restore", path, "--force", "--yes", "--keep-sessions"], remote);
  const { json } = await restore(backups.file);
  expect([json.error, await contents()]).toEqual([undefined, [LONG, "A short note", 404]]);
  expect(objects()).toHaveLength(2);
  const again = await restore(String(json.replaced));
  expect([again.json.error, await contents()]).toEqual([undefined, [LONG, 404, "A later note"]]);
  expect((await run(["verify"], remote)).json).toMatchObject({ ok: true, problems: [] });
});

it("a damaged backup puts nothing into a bucket, and neither does one that the bucket refuses", async () => {
  await fill(backups.harness);
  await run(["backup", backups.file]);
  const target = inBucket(await backups.createTarget());
  const damaged = join(backups.harness.dataDir, "damaged.parley");
  const text = gunzipSync(await readFile(backups.file)).toString();
  const spoilt = text.replace(/("attached":"[^"]+","base64":")..../, "$1AAAA");
  await writeFile(damaged, gzipSync(spoilt));
  const refused = await run(["restore", damaged], target);
  expect([refused.code, refused.json.error]).toEqual([3, expect.stringContaining("is damaged")]);
  const wrong = { ...target, env: { ...target.env, FILES_SECRET_ACCESS_KEY: "another-secret" } };
  const { code, json, err } = await run(["restore", backups.file], wrong);
  expect([code === 0, json.error]).toEqual([false, expect.stringContaining("refuses FILES_ACCESS_KEY_ID")]);
  expect(JSON.stringify(json) + err).not.toContain("another-secret");
  expect(objects()).toEqual([]);
});

// Runs only in the SQLite run, because it uses both databases.
it.skipIf(isOnPostgres)("a move to PostgreSQL leaves files in their bucket", async () => {
  const ada = await fill(remote);
  const before = objects();
  const url = await backups.createPostgres();
  const { json } = await run(["move", "--to", url], remote);
  expect([json.error, json.attached]).toEqual([undefined, { files: 2, missing: [] }]);
  expect(objects()).toEqual(before);
  await expectBoth({ ...remote, env: { ...remote.env, DATABASE_URL: url } }, ada);
});
