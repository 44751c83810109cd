import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { filePaths } from "#contract/files/paths.ts";
import { signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { createTestHarness, startTestApp, type TestHarness } from "../../testing/app/start-test-app.ts";
import { expectExactCounters } from "../../testing/chats/exact-counters.ts";
import { admin } from "../../testing/cli/run-admin.ts";
import { isOnPostgres } from "../../testing/database/test-database.ts";
import { type S3Server, startS3Server } from "../../testing/files/s3-server.ts";
import { uploadFile } from "../../testing/files/upload.ts";
import { openAsItIs } from "../database/open.ts";

// Detects hanging only: the spawned processes share two cores with all other tests.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let opened: AsyncDisposableStack;
let server: S3Server;
let local: TestHarness;
/** The same installation, with files in a bucket. */
let remote: TestHarness;
beforeEach(async () => {
  opened = new AsyncDisposableStack();
  server = await startS3Server(opened);
  local = opened.use(await createTestHarness());
  remote = { ...local, env: { ...local.env, ...server.envFor() } };
});
afterEach(() => opened.disposeAsync());

type Filled = TestAccount & { ids: string[] };
const NOTES = ["One", "Two", "Three"];

async function fill(harness: TestHarness): Promise<Filled> {
  await using app = await startTestApp({ harness });
  const ada = await signUp(app);
  const ids: string[] = [];
  for (const bytes of NOTES) ids.push((await uploadFile(app, { ...ada, bytes })).id);
  return { ...ada, ids };
}

async function readAll(harness: TestHarness, { token, ids }: Filled): Promise<(string | number)[]> {
  await using app = await startTestApp({ harness });
  await expectExactCounters(app.context.database);
  const read = async (id: string) => {
    const response = await app.call("GET", filePaths.file(id), { token });
    return response.ok ? await response.text() : response.status;
  };
  return await Promise.all(ids.map(read));
}

const move = (from: string, harness: TestHarness, more: string[] = []) =>
  admin(harness, ["files", "move", "--from", from, "--yes", "--json", ...more]);
const objects = () => [...server.bucket.objects.keys()];

/** Number of stored files in the data folder or the database. */
async function countLocal(): Promise<number> {
  const { dataDir, env } = local;
  const database = await openAsItIs({ dataDir, ...(env.DATABASE_URL && { postgresUrl: env.DATABASE_URL }) });
  const chunks = await database.selectFrom("file_chunks").select("key").execute();
  await database.destroy();
  const names = await readdir(join(dataDir, "files"), { recursive: true, withFileTypes: true }).catch(() => []);
  return chunks.length + names.filter((entry) => entry.isFile()).length;
}

it("files are moved to a bucket and back, and nothing is left of them", async () => {
  const ada = await fill(local);
  const there = await move("local", remote);
  expect([there.json.error, there.code, there.json]).toEqual([
    undefined,
    0,
    expect.objectContaining({ moved: 3, present: 0, missing: [] }),
  ]);
  expect([await countLocal(), objects().length]).toEqual([0, 3]);
  expect(await readAll(remote, ada)).toEqual(NOTES);
  const { FILES_URL, ...keys } = server.envFor();
  const back = await move(FILES_URL ?? "", { ...local, env: { ...local.env, ...keys } });
  expect([back.json.error, back.json.moved]).toEqual([undefined, 3]);
  expect([await countLocal(), objects()]).toEqual([3, []]);
  expect(await readAll(local, ada)).toEqual(NOTES);
});

it("a move that was interrupted continues, and removes bytes that belong to no file", async () => {
  const ada = await fill(local);
  let puts = 0;
  server.faultOf = ({ method }) => (method === "PUT" && ++puts > 1 ? { status: 403, code: "AccessDenied" } : undefined);
  const broken = await move("local", remote);
  expect([broken.code, broken.json.error]).toEqual([1, expect.stringContaining("403 AccessDenied")]);
  expect([await countLocal(), objects().length]).toEqual([2, 1]);
  server.faultOf = () => undefined;
  expect((await move("local", remote)).json).toMatchObject({ ok: true, moved: 2, present: 1 });
  expect(await readAll(remote, ada)).toEqual(NOTES);
  const stray = { bytes: Buffer.from("stray"), storedAt: Date.now(), etag: '"1"' };
  server.bucket.objects.set(`files/${crypto.randomUUID()}`, stray).set("other/notes.txt", stray);
  const { FILES_URL, ...keys } = server.envFor();
  await move(FILES_URL ?? "", { ...local, env: { ...local.env, ...keys } });
  expect(objects()).toEqual(["other/notes.txt"]);
});

it("files whose bytes are lost are reported, and removed on request only", async () => {
  const ada = await fill(remote);
  server.bucket.objects.clear();
  await expect(readAll(remote, ada)).rejects.toThrow("npm run admin -- files move");
  const reported = await move("local", remote);
  expect([reported.code, (reported.json.missing as string[]).length, reported.json.removed]).toEqual([4, 3, 0]);
  const removed = await move("local", remote, ["--remove-missing"]);
  expect([removed.code, removed.json.removed]).toEqual([0, 3]);
  expect(await readAll(remote, ada)).toEqual([404, 404, 404]);
});

it("a move is refused beside a server, from the same store, and from a wrong one", async () => {
  await fill(local);
  const errorOf = async (result: ReturnType<typeof move>) => {
    const { code, json } = await result;
    return [code, json.error];
  };
  expect(await errorOf(move("local", local))).toEqual([3, expect.stringContaining("already")]);
  expect(await errorOf(move("gs://bucket", remote))).toEqual([
    2,
    expect.stringContaining("must be a URL such as s3://"),
  ]);
  expect(await errorOf(move("s3://attached?region=eu-test-1", local))).toEqual([
    2,
    expect.stringContaining("FILES_ACCESS_KEY_ID is required"),
  ]);
  const other = { ...remote, env: { ...remote.env, FILES_SECRET_ACCESS_KEY: "another-secret" } };
  expect(await errorOf(move("local", other))).toEqual([1, expect.stringContaining("refuses FILES_ACCESS_KEY_ID")]);
  const unconfirmed = await admin(remote, ["files", "move", "--from", "local", "--json"]);
  expect([unconfirmed.code, objects()]).toEqual([3, []]);
  await using _app = await startTestApp({ harness: local });
  // The test's server does not lock its data folder, and on PostgreSQL has a lease.
  if (isOnPostgres)
    expect(await errorOf(move("local", remote))).toEqual([3, expect.stringContaining("Stop them first")]);
});
