import { DatabaseSync, StatementSync } from "node:sqlite";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { type Chat, chatSchema } from "#contract/conversation/conversation.ts";
import { type ChatTree, chatTreeSchema } from "#contract/conversation/conversation-calls.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { filePaths } from "#contract/files/paths.ts";
import { type Storage, storageSchema } from "#contract/files/storage.ts";
import { MEGABYTE, PARTS_MAX } from "#contract/limits.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import {
  type ExportDocument,
  type ExportedMessage,
  exportSchema,
  importResultSchema,
} from "#contract/transfer/transfer.ts";
import { signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../testing/app/start-test-app.ts";
import { expectExactCounters } from "../../testing/chats/exact-counters.ts";
import { documentOf, exported, message } from "../../testing/chats/exported-chats.ts";
import { isOnPostgres } from "../../testing/database/test-database.ts";
import { uploadFile } from "../../testing/files/upload.ts";
import { weighedParts } from "../database/migrations/0026-weighed-parts.ts";
import { sqliteFile } from "../database/sqlite/sqlite-file.ts";

/** The smallest parts that the contract accepts, as many as it accepts. */
const tiny = Array.from({ length: PARTS_MAX }, (_, seq) => ({ seq, at: 0, kind: "k" }));
/** What a part without fields weighs: 300 bytes beside its body, `{}`. */
const PART_BYTES = 302;
const MESSAGES = 3;

let app: TestApp;
let ada: TestAccount;
beforeAll(async () => {
  app = await startTestApp({ env: { MAX_CHAT_MB: "1" } });
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  ada = await signUp(app);
});

const call = (method: string, path: string, body?: unknown) => app.call(method, path, { token: ada.token, body });
const newChat = async () => ((await (await call("POST", conversationPaths.chats, {})).json()) as Chat).id;
const append = (chat: string) =>
  call("POST", conversationPaths.chatMessage(chat), { role: "assistant", content: "a", parts: tiny });
const textOf = async (path: string) => (await call("GET", path)).text();
const storage = async (): Promise<Storage> => storageSchema.parse(await (await call("GET", filePaths.storage)).json());

/** Creates a chat that is as full of tiny parts as the quota of 1 MB admits. */
async function fullChat(): Promise<string> {
  const chat = await newChat();
  for (let at = 0; at < MESSAGES; at++) expect((await append(chat)).status).toBe(201);
  return chat;
}

it("K9 a part counts 300 bytes beside its body, and a chat full of them is refused more, but read whole", async () => {
  const chat = await fullChat();
  const { bytes } = await storage();
  expect(bytes).toBeGreaterThan(MESSAGES * PARTS_MAX * PART_BYTES);
  expect(bytes).toBeLessThan(MEGABYTE);
  const refused = await append(chat);
  expect([refused.status, await refused.json()]).toEqual([409, expect.objectContaining({ code: "quota-reached" })]);
  const { messages } = chatSchema.parse(JSON.parse(await textOf(conversationPaths.chat(chat))));
  const tree: ChatTree = chatTreeSchema.parse(JSON.parse(await textOf(conversationPaths.chatTree(chat))));
  const file: ExportDocument = exportSchema.parse(
    JSON.parse(await textOf(`${transferPaths.chatExport(chat)}?format=json`)),
  );
  for (const read of [messages, tree.messages, file.chats[0]?.messages ?? []]) {
    expect(read.map(({ parts }) => parts)).toEqual(Array(MESSAGES).fill(tiny));
  }
  await expectExactCounters(app.context.database);
});

it("K9 a chat that is over the quota by the weight of its parts is read whole, and only refused more", async () => {
  const chat = await newChat();
  await append(chat);
  await app.context.database
    .updateTable("chats")
    .set({ stored_bytes: 2 * MEGABYTE })
    .where("id", "=", chat)
    .execute();
  expect(await (await append(chat)).json()).toMatchObject({ code: "quota-reached" });
  expect(chatSchema.parse(JSON.parse(await textOf(conversationPaths.chat(chat)))).messages[0]?.parts).toEqual(tiny);
});

it("K9 an import of a chat with more parts than the quota admits is too large", async () => {
  const messages = Array.from({ length: MESSAGES + 1 }, () =>
    message({ role: "assistant", content: "a", parts: tiny, parent: null }),
  );
  const response = await call(
    "POST",
    transferPaths.import,
    documentOf({ chats: [exported({ messages, leaf: null })] }),
  );
  expect(importResultSchema.parse(await response.json())).toMatchObject({
    imported: 0,
    problems: [{ reason: "too-large" }],
  });
});

it("K9 parts from before they had a weight count with it after an upgrade", async () => {
  const { database } = app.context;
  await fullChat();
  const before = MESSAGES * PARTS_MAX * 260;
  for (const table of ["chats", "users"] as const) {
    await database
      .updateTable(table)
      .set((eb) => ({ stored_bytes: eb("stored_bytes", "-", before) }))
      .where(table === "chats" ? "user_id" : "id", "=", ada.user.id)
      .execute();
  }
  // The migration counts the parts of all accounts; those of the other tests have their weight already.
  const own = database.selectFrom("messages").select("id").where("user_id", "=", ada.user.id);
  await database.deleteFrom("message_parts").where("message_id", "not in", own).execute();
  await sql`drop index messages_tree`.execute(database);
  await sql`create index messages_chat on messages (chat_id)`.execute(database);
  await weighedParts.up(database);
  const { bytes, largest } = await storage();
  expect(bytes).toBe(largest[0]?.bytes);
  expect(bytes).toBeGreaterThan(MESSAGES * PARTS_MAX * PART_BYTES);
});

// Counts at SQLite's driver, because each statement blocks the event loop.
it.skipIf(isOnPostgres)("K9 no SQL statement reads more than 500 parts, whatever reads the chat", async () => {
  const chat = await fullChat();
  // Short ones too, which share a page: the planner's choice depends on their number.
  for (let at = 0; at < 5; at++)
    await call("POST", conversationPaths.chatMessage(chat), { role: "user", content: `${at}` });
  const all = vi.spyOn(StatementSync.prototype, "all");
  try {
    await textOf(conversationPaths.chat(chat));
    await textOf(conversationPaths.chatTree(chat));
    for (const format of ["json", "html", "markdown"])
      await textOf(`${transferPaths.chatExport(chat)}?format=${format}`);
    expect((await call("POST", conversationPaths.chatSend(chat), { message: "And?" })).status).toBe(200);
    const statements = all.mock.results.map(({ value }) => value as Record<string, unknown>[]);
    const parts = statements.filter(([row]) => row !== undefined && "body" in row);
    expect(parts.flat().length).toBeGreaterThanOrEqual(6 * MESSAGES * PARTS_MAX);
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(500);
    expect(Math.max(...statements.map(({ length }) => length))).toBeLessThanOrEqual(PARTS_MAX);
    // Nor does one search a page's messages among all messages of the account, which may be a million.
    using database = new DatabaseSync(sqliteFile(app.context.config.dataDir), { readOnly: true });
    const read = new Set(all.mock.contexts.map((statement) => (statement as StatementSync).sourceSQL));
    const plans = [...read].flatMap((text) => database.prepare(`explain query plan ${text}`).all());
    expect(plans.map(({ detail }) => String(detail))).toContainEqual(expect.stringContaining("messages_tree"));
    expect(plans.filter(({ detail }) => String(detail).includes("messages_user "))).toEqual([]);
  } finally {
    all.mockRestore();
  }
});

it.skipIf(isOnPostgres)("K9 a send reads no files of replies whose parts are of other kinds", async () => {
  const chat = await newChat();
  for (let at = 0; at < 10; at++) {
    const parts = [{ seq: 0, at: 0, kind: "k" }];
    await call("POST", conversationPaths.chatMessage(chat), { role: "assistant", content: `${at}`, parts });
  }
  const reading = await filesReadBy(() => call("POST", conversationPaths.chatSend(chat), { message: "And?" }));
  expect(reading).toEqual([]);
});

it.skipIf(isOnPostgres)("K9 a send reads the files of many replies in one SQL statement", async () => {
  const file = await uploadFile(app, { ...ada, name: "a.txt", bytes: "a" });
  const parts = [...tiny.slice(0, PARTS_MAX / 10), { seq: PARTS_MAX / 10, at: 0, kind: "file", ...file }];
  const messages: ExportedMessage[] = [];
  for (let at = 0; at < 10; at++) {
    messages.push(message({ role: "assistant", content: "a", parts, parent: messages.at(-1)?.id ?? null }));
  }
  const document = documentOf({ chats: [exported({ messages, leaf: messages.at(-1)?.id ?? null })] });
  expect((await call("POST", transferPaths.import, document)).status).toBe(200);
  const [chat] = (await (await call("GET", conversationPaths.chatHistory)).json()) as Chat[];
  const send = () => call("POST", conversationPaths.chatSend(chat?.id ?? ""), { message: "And?" });
  expect((await filesReadBy(send)).map(({ length }) => length)).toEqual([10]);
});

/** Returns the rows of each SQL statement that read files of messages while `work` ran. */
async function filesReadBy(work: () => Promise<unknown>): Promise<unknown[][]> {
  const all = vi.spyOn(StatementSync.prototype, "all");
  try {
    await work();
    return all.mock.contexts.flatMap((statement, at) =>
      (statement as StatementSync).sourceSQL.includes('"message_files" inner join "files"')
        ? [all.mock.results[at]?.value as unknown[]]
        : [],
    );
  } finally {
    all.mockRestore();
  }
}
