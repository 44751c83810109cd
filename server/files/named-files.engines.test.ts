import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Chat } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { filePaths } from "#contract/files/paths.ts";
import { DAY, HOUR } from "#contract/limits.ts";
import { signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../testing/app/start-test-app.ts";
import { isOnPostgres } from "../../testing/database/test-database.ts";
import { uploadFile } from "../../testing/files/upload.ts";
import { removeDeleted } from "../chats/delete-chats.ts";
import { newMessage } from "../conversation/message-rows.ts";
import { insertMessages } from "../conversation/message-store.ts";
import { newId } from "../database/new-id.ts";
import type { Schema } from "../database/schema.ts";
import { tokenise } from "../search/search-index-store.ts";
import { nameFiles, takeFiles } from "./attached-file-store.ts";

let app: TestApp;
let ada: TestAccount;
beforeAll(async () => {
  app = await startTestApp();
  ada = await signUp(app);
});
afterAll(() => app[Symbol.asyncDispose]());

const newChat = async () => ((await (await app.call("POST", conversationPaths.chats, ada)).json()) as Chat).id;

/** Names a file in a new message as a send and an import do. @returns commits, and resolves when that is done */
async function nameWithoutCommit(fileId: string): Promise<() => Promise<void>> {
  const { database } = app.context;
  const chatId = await newChat();
  const chat = await database.selectFrom("chats").selectAll().where("id", "=", chatId).executeTakeFirstOrThrow();
  const message = newMessage(chat, Date.now(), { id: newId(), role: "user", content: "two", parent: null });
  const tokens = await tokenise(["two"]);
  const named = Promise.withResolvers<void>();
  const committing = Promise.withResolvers<void>();
  const naming = database.transaction().execute(async (db) => {
    const files = await takeFiles(db, ada.user.id, [fileId]);
    await insertMessages(db, [message], tokens);
    await nameFiles(db, message.id, files ?? []);
    named.resolve();
    await committing.promise;
  });
  await Promise.race([named.promise, naming]);
  return () => {
    committing.resolve();
    return naming;
  };
}

/** Waits until a statement waits for a lock in this database. */
async function lockIsAwaited(db: Kysely<Schema>): Promise<void> {
  const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await vi.waitUntil(async () => (await waiting.execute(db)).rows.length > 0);
}

const statusOf = async (fileId: string) => (await app.call("GET", filePaths.file(fileId), ada)).status;

// SQLite has one writer, so that no other transaction is between the name and its commit.
describe.runIf(isOnPostgres)("a file that a transaction has named and not committed", () => {
  test("M7 a file that is being named survives the removal of the message that named it before", async () => {
    const file = await uploadFile(app, { ...ada, bytes: "hello" });
    const first = await newChat();
    const body = { role: "user", content: "one", files: [file.id] };
    expect((await app.call("POST", conversationPaths.chatMessage(first), { ...ada, body })).status).toBe(201);
    expect((await app.call("DELETE", conversationPaths.chat(first), ada)).status).toBe(204);
    const commit = await nameWithoutCommit(file.id);
    const { database, log } = app.context;
    const purge = removeDeleted({ database, log }, Date.now() + 2 * HOUR, new AbortController().signal);
    await lockIsAwaited(database);
    await commit();
    await purge;
    expect(await statusOf(file.id)).toBe(200);
  });

  test("M7 a file that is being named survives the hourly sweep of files that no message names", async () => {
    const file = await uploadFile(app, { ...ada, bytes: "old" });
    const commit = await nameWithoutCommit(file.id);
    await app.context.files.sweep(Date.now() + 2 * DAY, new AbortController().signal);
    await commit();
    await app.context.files.sweep(Date.now() + 2 * DAY, new AbortController().signal);
    expect(await statusOf(file.id)).toBe(200);
  });
});

test("the hourly sweep removes files that no message names, and keeps the others", async () => {
  const [unnamed, named] = [
    await uploadFile(app, { ...ada, bytes: "1" }),
    await uploadFile(app, { ...ada, bytes: "2" }),
  ];
  await (await nameWithoutCommit(named.id))();
  await app.context.files.sweep(Date.now() + 2 * DAY, new AbortController().signal);
  expect([await statusOf(unnamed.id), await statusOf(named.id)]).toEqual([404, 200]);
});

test.runIf(isOnPostgres)(
  "a message locks its files in the order of their ids, whatever the order of its request",
  async () => {
    const { database } = app.context;
    const [low = "", high = ""] = [crypto.randomUUID(), crypto.randomUUID()].sort();
    // Rows that are found in the order of their insertion would be locked in the other order.
    for (const id of [high, low]) await uploadFile(app, { ...ada, id, bytes: id });
    const released = Promise.withResolvers<void>();
    const holding = Promise.withResolvers<void>();
    const holder = database.transaction().execute(async (db) => {
      await takeFiles(db, ada.user.id, [low]);
      holding.resolve();
      await released.promise;
    });
    await holding.promise;
    const naming = database.transaction().execute((db) => takeFiles(db, ada.user.id, [high, low]));
    await lockIsAwaited(database);
    const free = database.selectFrom("files").select("id").where("id", "=", high).forNoKeyUpdate().noWait();
    expect(await database.transaction().execute((db) => db.executeQuery(free).then(({ rows }) => rows))).toEqual([
      { id: high },
    ]);
    released.resolve();
    await holder;
    expect((await naming)?.map(({ id }) => id)).toEqual([high, low]);
  },
);
