import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import { type ExportDocument, type ImportResult, importResultSchema } from "#contract/transfer/transfer.ts";
import { PASSWORD, signUp, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../../testing/app/start-test-app.ts";
import { documentOf, exported, type LooseDocument } from "../../../testing/chats/exported-chats.ts";

const ORIGIN = { service: "chatgpt", id: "67f0-conversation" } as const;
let app: TestApp;
let ada: TestAccount;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  ada = await signUp(app);
});

async function importAll(given: LooseDocument, { token } = ada): Promise<ImportResult> {
  const response = await app.call("POST", transferPaths.import, { token, body: documentOf(given) });
  return importResultSchema.parse(await response.json());
}
const chatsOf = async ({ token } = ada) =>
  (await (await app.call("GET", conversationPaths.chatHistory, { token })).json()) as { id: string }[];
async function deleteAll({ token } = ada) {
  for (const { id } of await chatsOf()) await app.call("DELETE", conversationPaths.chat(id), { token });
}
async function exportOf({ token } = ada): Promise<ExportDocument> {
  await app.call("POST", accountPaths.proof, { token, body: { password: PASSWORD } });
  return (await (await app.call("GET", transferPaths.export, { token })).json()) as ExportDocument;
}

describe("chats of other services", () => {
  it("a chat is imported once, whatever its id in the file", async () => {
    expect(await importAll({ chats: [exported({ origin: ORIGIN })] })).toMatchObject({ imported: 1 });
    expect(await importAll({ chats: [exported({ origin: ORIGIN })] })).toMatchObject({ imported: 0, skipped: 1 });
    const other = exported({ origin: { ...ORIGIN, service: "claude" } });
    expect(await importAll({ chats: [other] })).toMatchObject({ imported: 1 });
  });

  it("a deleted chat stays deleted, unless it is wanted again", async () => {
    await importAll({ chats: [exported({ origin: ORIGIN })] });
    await deleteAll();
    const second = await importAll({ again: false, chats: [exported({ origin: ORIGIN })] });
    expect(second).toMatchObject({ imported: 0, skipped: 0, deleted: 1, outcomes: ["deleted"], problems: [] });
    expect(await chatsOf()).toEqual([]);
    expect(await importAll({ again: true, chats: [exported({ origin: ORIGIN })] })).toMatchObject({ imported: 1 });
    expect(await chatsOf()).toHaveLength(1);
  });

  it("a deleted chat of our own is imported again", async () => {
    const chat = exported();
    await importAll({ chats: [chat] });
    await deleteAll();
    expect(await importAll({ chats: [chat] })).toMatchObject({ imported: 1, deleted: 0 });
  });

  it("an export of our own brings back a deleted chat of another service", async () => {
    await importAll({ chats: [exported({ origin: ORIGIN })] });
    const { chats } = await exportOf();
    await deleteAll();
    expect(await importAll({ chats })).toMatchObject({ imported: 1, deleted: 0 });
  });

  it("another account imports what one has deleted", async () => {
    await importAll({ chats: [exported({ origin: ORIGIN })] });
    await deleteAll();
    const eve = await signUp(app);
    const document = { again: false, chats: [exported({ origin: ORIGIN })] };
    expect(await importAll(document, eve)).toMatchObject({ imported: 1 });
  });

  it("an export names where a chat is from, and its import elsewhere does as well", async () => {
    await importAll({ chats: [exported({ origin: ORIGIN }), exported()] });
    const document = await exportOf();
    expect(document.chats.map(({ origin }) => origin)).toEqual([ORIGIN, undefined]);
    const eve = await signUp(app);
    await importAll({ chats: document.chats }, eve);
    expect(await importAll({ chats: [exported({ origin: ORIGIN })] }, eve)).toMatchObject({ skipped: 1 });
  });

  it("what is kept of a deleted chat names it to nobody, and goes with the account", async () => {
    await importAll({ chats: [exported({ origin: ORIGIN })] });
    const [first, ...others] = await digestsOf(ada);
    expect(others).toEqual([]);
    expect(first?.digest).toMatch(/^[\w-]{43}$/);
    const { token } = ada;
    await app.call("POST", accountPaths.proof, { token, body: { password: PASSWORD } });
    await app.call("POST", accountPaths.accountDeletion, { token, body: { isImmediate: true } });
    expect(await digestsOf(ada)).toEqual([]);
  });
});

const digestsOf = async ({ user }: TestAccount) =>
  app.context.database.selectFrom("imported_origins").selectAll().where("user_id", "=", user.id).execute();
