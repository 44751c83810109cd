import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { paths } from "#contract/paths.ts";
import { signUp, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { createTestHarness, startTestApp, type TestHarness } from "../../../testing/app/start-test-app.ts";
import { search } from "../../../testing/chats/search-for.ts";
import { admin } from "../../../testing/cli/run-admin.ts";
import { createPostgresDatabase, isOnPostgres } from "../../../testing/database/test-database.ts";
import { uploadFile } from "../../../testing/files/upload.ts";
import { openDatabase } from "../../database/open.ts";

// Detects hanging only: the spawned processes share two cores with all other tests.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let opened: AsyncDisposableStack;
let harness: TestHarness;
beforeEach(async () => {
  opened = new AsyncDisposableStack();
  harness = opened.use(await createTestHarness());
});
afterEach(() => opened.disposeAsync());

const start = (on = harness) => startTestApp({ harness: on, demoPause: async () => undefined });
const run = async (words: string[], on = harness) => (await admin(on, [...words, "--json"])).json;

/** Returns a new harness on the other kind of database. */
async function otherKind(): Promise<TestHarness> {
  const other = opened.use(await createTestHarness());
  if (isOnPostgres) return { ...other, env: {} };
  return { ...other, env: { DATABASE_URL: opened.use(await createPostgresDatabase()).url } };
}

/** Creates an account whose one question names a file. */
async function fill(): Promise<TestAccount & { chatId: string }> {
  await using app = await start();
  const ada = await signUp(app);
  const { token } = ada;
  const { id: chatId } = (await (await app.call("POST", paths.chats, { token })).json()) as { id: string };
  const { id } = await uploadFile(app, { token, name: "moraine.txt", bytes: "Glaciers" });
  const body = { message: "Look", files: [id] };
  await (await app.call("POST", paths.chatSend(chatId), { token, body })).text();
  return { ...ada, chatId };
}

it("a restore returns the search entries of attached files, on either database", async () => {
  const { token, chatId } = await fill();
  const file = join(harness.dataDir, "kept.parley");
  await run(["backup", file]);
  for (const target of [opened.use(await createTestHarness()), await otherKind()]) {
    expect((await run(["restore", file, "--keep-sessions"], target)).ok).toBe(true);
    expect(await run(["verify"], target)).toMatchObject({ ok: true, problems: [] });
    await using app = await start(target);
    const { hits } = await search(app, token, { q: "moraine glac" });
    expect(hits).toMatchObject([{ chatId, file: { name: "moraine.txt" }, snippet: "Glaciers" }]);
  }
});

it("verify finds missing and wrong search entries of attached files", async () => {
  await fill();
  const { env, dataDir } = harness;
  const database = await openDatabase({ dataDir, ...(env.DATABASE_URL && { postgresUrl: env.DATABASE_URL }) });
  await database.updateTable("search_entries").set({ file_id: "none" }).where("file_id", "is not", null).execute();
  await database.destroy();
  const { problems } = await run(["verify"]);
  expect(problems).toMatchObject([
    { check: "attached files that are missing from the search index", rows: 1 },
    { check: "search entries of files that their message does not name", rows: 1 },
  ]);
});
