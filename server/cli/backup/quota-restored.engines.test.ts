import { describe, expect, it } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import type { Chat } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { filePaths } from "#contract/files/paths.ts";
import { type Storage, storageSchema } from "#contract/files/storage.ts";
import { MEGABYTE } from "#contract/limits.ts";
import type { Problem } from "#contract/problem.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import type { ExportDocument } from "#contract/transfer/transfer.ts";
import { seedAccount } from "../../../testing/accounts/seeded-account.ts";
import { signUpProved, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import type { TestApp, TestHarness } from "../../../testing/app/start-test-app.ts";
import { setUpBackups } from "../../../testing/cli/set-up-backups.ts";
import { isOnPostgres } from "../../../testing/database/test-database.ts";

const MESSAGE = "x".repeat(100_000);
const REFUSED = [409, "quota-reached"];

const backups = setUpBackups();
const { run, start } = backups;

type Account = Pick<TestAccount, "token">;

const newChat = async (app: TestApp, { token }: Account) =>
  ((await (await app.call("POST", conversationPaths.chats, { token, body: {} })).json()) as Chat).id;
const storageOf = async (app: TestApp, { token }: Account): Promise<Storage> =>
  storageSchema.parse(await (await app.call("GET", filePaths.storage, { token })).json());

async function append(app: TestApp, { token }: Account, chat: string): Promise<unknown[]> {
  const body = { role: "user", content: MESSAGE };
  const response = await app.call("POST", conversationPaths.chatMessage(chat), { token, body });
  return response.ok ? [response.status] : codeOf(response);
}

async function codeOf(response: Response): Promise<unknown[]> {
  return [response.status, ((await response.json()) as Problem).code];
}

type Full = Account & { user: { username: string }; chatId: string; storage: Storage };

/** Creates an account with a full quota of 1 MB. One of its chats is deleted, but still counts. */
async function fillAccount(): Promise<Full> {
  await using app = await start();
  const account = await seedAccount(app);
  const quota = ["users", "quota", account.user.username, "--mb", "1"];
  expect((await run(quota)).json).toMatchObject({ quotaMb: 1, changed: true });
  const deleted = await newChat(app, account);
  expect(await append(app, account, deleted)).toEqual([201]);
  expect((await app.call("DELETE", conversationPaths.chat(deleted), { token: account.token })).status).toBe(204);
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
  expect(await codeOf(await app.call("POST", conversationPaths.chatSend(chatId), { token, body }))).toEqual(REFUSED);
  expect(await append(app, account, await newChat(app, account))).toEqual(REFUSED);
}

describe("K3 storage of an account with a full quota", () => {
  it("an account with a full quota has the same storage usage after a restore on either database", async () => {
    const account = await fillAccount();
    expect((await run(["backup", backups.file])).json).toMatchObject({ ok: true });
    for (const target of [await backups.createTarget(), await backups.createOtherTarget()]) {
      const restored = await run(["restore", backups.file, "--keep-sessions"], target);
      expect(restored.json).toMatchObject({ ok: true });
      await expectFull(target, account);
    }
  });

  // Runs only in the SQLite run, because it uses both databases.
  it.skipIf(isOnPostgres)(
    "an account with a full quota has the same storage usage after a move to PostgreSQL",
    async () => {
      const account = await fillAccount();
      const url = await backups.createPostgres();
      expect((await run(["move", "--to", url])).json).toMatchObject({ ok: true });
      await expectFull({ ...backups.harness, env: { DATABASE_URL: url } }, account);
    },
  );
});

it("K3 an imported export counts as many bytes as the exported account", async () => {
  await using app = await start();
  const ada = await seedAccount(app);
  expect(await append(app, ada, ada.chatId)).toEqual([201]);
  const proof = await app.call("POST", accountPaths.proof, { token: ada.token, body: { password: ada.password } });
  expect(proof.status).toBe(200);
  const answer = await app.call("GET", transferPaths.export, { token: ada.token });
  const document = (await answer.json()) as ExportDocument;
  const eve = await signUpProved(app);
  const imported = await app.call("POST", transferPaths.import, { token: eve.token, body: document });
  expect(await imported.json()).toMatchObject({ imported: 1, problems: [] });
  const { bytes, largest } = await storageOf(app, ada);
  expect(bytes).toBeGreaterThan(MESSAGE.length);
  const copied = await storageOf(app, eve);
  expect(copied).toMatchObject({ bytes, largest: largest.map((chat) => ({ bytes: chat.bytes })) });
});
