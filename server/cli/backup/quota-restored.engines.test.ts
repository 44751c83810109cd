import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Chat } from "#contract/conversation.ts";
import type { Problem } from "#contract/errors.ts";
import { MEGABYTE } from "#contract/limits.ts";
import { paths } from "#contract/paths.ts";
import { settingsPaths } from "#contract/settings-paths.ts";
import { type Storage, storageSchema } from "#contract/storage.ts";
import type { ExportDocument } from "#contract/transfer.ts";
import { seedAccount } from "../../../testing/accounts/seeded-account.ts";
import { signUpProved, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import {
  createTestHarness,
  startTestApp,
  type TestApp,
  type TestHarness,
} from "../../../testing/app/start-test-app.ts";
import { admin } from "../../../testing/cli/run-admin.ts";
import { createPostgresDatabase, isOnPostgres } from "../../../testing/database/test-database.ts";

// Detects hanging only: the spawned processes share two cores with all other tests.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const MESSAGE = "x".repeat(100_000);
const REFUSED = [409, "quota-reached"];

let opened: AsyncDisposableStack;
let harness: TestHarness;
beforeEach(async () => {
  opened = new AsyncDisposableStack();
  harness = opened.use(await createTestHarness());
});
afterEach(() => opened.disposeAsync());

type Account = Pick<TestAccount, "token">;

const start = (on: TestHarness) => startTestApp({ harness: on, demoPause: async () => undefined });
const postgres = async (): Promise<TestHarness> => ({
  ...harness,
  env: { DATABASE_URL: opened.use(await createPostgresDatabase()).url },
});
const newChat = async (app: TestApp, { token }: Account) =>
  ((await (await app.call("POST", paths.chats, { token, body: {} })).json()) as Chat).id;
const storageOf = async (app: TestApp, { token }: Account): Promise<Storage> =>
  storageSchema.parse(await (await app.call("GET", settingsPaths.storage, { token })).json());

async function append(app: TestApp, { token }: Account, chat: string): Promise<unknown[]> {
  const body = { role: "user", content: MESSAGE };
  const response = await app.call("POST", paths.chatMessage(chat), { token, body });
  return response.ok ? [response.status] : codeOf(response);
}

async function codeOf(response: Response): Promise<unknown[]> {
  return [response.status, ((await response.json()) as Problem).code];
}

type Full = Account & { user: { username: string }; chatId: string; storage: Storage };

/** Creates an account with a full quota of 1 MB. One of its chats is deleted, but still counts. */
async function fillAccount(): Promise<Full> {
  await using app = await start(harness);
  const account = await seedAccount(app);
  const quota = ["users", "quota", account.user.username, "--mb", "1", "--json"];
  expect((await admin(harness, quota)).json).toMatchObject({ quotaMb: 1, changed: true });
  const deleted = await newChat(app, account);
  expect(await append(app, account, deleted)).toEqual([201]);
  expect((await app.call("DELETE", paths.chat(deleted), { token: account.token })).status).toBe(204);
  let answer: unknown[];
  do answer = await append(app, account, account.chatId);
  while (answer[0] === 201);
  expect(answer).toEqual(REFUSED);
  const storage = await storageOf(app, account);
  expect(storage).toMatchObject({ maxBytes: MEGABYTE, largest: [{ id: account.chatId }] });
  expect(storage.bytes).toBeGreaterThan(0.9 * MEGABYTE);
  return { ...account, storage };
}

/** Expects the same storage figures and refusals as before on another database. */
async function expectFull(on: TestHarness, account: Full): Promise<void> {
  await using app = await start(on);
  const { token, chatId, storage } = account;
  expect(await storageOf(app, account)).toEqual(storage);
  const body = { message: MESSAGE };
  expect(await codeOf(await app.call("POST", paths.chatSend(chatId), { token, body }))).toEqual(REFUSED);
  expect(await append(app, account, await newChat(app, account))).toEqual(REFUSED);
}

describe("K3 an account with a full quota", () => {
  it("shows the same storage usage after a restore on either database", async () => {
    const account = await fillAccount();
    const file = join(harness.dataDir, "full.parley");
    expect((await admin(harness, ["backup", file, "--json"])).json).toMatchObject({ ok: true });
    const same = opened.use(await createTestHarness());
    const folder = opened.use(await createTestHarness());
    const other = isOnPostgres ? { ...folder, env: {} } : { ...folder, env: (await postgres()).env };
    for (const target of [same, other]) {
      const restored = await admin(target, ["restore", file, "--keep-sessions", "--json"]);
      expect(restored.json).toMatchObject({ ok: true });
      await expectFull(target, account);
    }
  });

  // Runs only in the SQLite run, because it uses both databases.
  it.skipIf(isOnPostgres)("shows the same storage usage after a move to PostgreSQL", async () => {
    const account = await fillAccount();
    const target = await postgres();
    const moved = await admin(harness, ["move", "--to", target.env.DATABASE_URL ?? "", "--json"]);
    expect(moved.json).toMatchObject({ ok: true });
    await expectFull(target, account);
  });
});

it("K3 an imported export counts as many bytes as the exported account", async () => {
  await using app = await start(harness);
  const ada = await seedAccount(app);
  expect(await append(app, ada, ada.chatId)).toEqual([201]);
  const proof = await app.call("POST", settingsPaths.proof, { token: ada.token, body: { password: ada.password } });
  expect(proof.status).toBe(200);
  const answer = await app.call("GET", paths.export, { token: ada.token });
  const document = (await answer.json()) as ExportDocument;
  const eve = await signUpProved(app);
  const imported = await app.call("POST", paths.import, { token: eve.token, body: document });
  expect(await imported.json()).toMatchObject({ imported: 1, problems: [] });
  const { bytes, largest } = await storageOf(app, ada);
  expect(bytes).toBeGreaterThan(MESSAGE.length);
  const copied = await storageOf(app, eve);
  expect(copied).toMatchObject({ bytes, largest: largest.map((chat) => ({ bytes: chat.bytes })) });
});
