import { sql } from "kysely";
import { expect, it } from "vitest";
import type { Chat } from "#contract/conversation/conversation.ts";
import type { Folder } from "#contract/conversation/folders.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { HOUR, MINUTE } from "#contract/limits.ts";
import { signUp } from "../../testing/accounts/sign-up.ts";
import { startTestApp, TestClock } from "../../testing/app/start-test-app.ts";
import { isOnPostgres } from "../../testing/database/test-database.ts";
import { startScriptedProvider } from "../../testing/provider/scripted-provider.ts";
import { holdRuns } from "../conversation/reply/reply-store.ts";
import { removeDeleted } from "./delete-chats.ts";

async function startWithDeleted(clock: TestClock) {
  const app = await startTestApp({ clock });
  const { token } = await signUp(app);
  const ids: string[] = [];
  for (let count = 0; count < 3; count++) {
    const { id } = (await (await app.call("POST", conversationPaths.chats, { token })).json()) as Chat;
    await app.call("POST", conversationPaths.chatMessage(id), { token, body: { role: "user", content: "Once" } });
    await app.call("DELETE", conversationPaths.chat(id), { token });
    ids.push(id);
  }
  const folder = (await (
    await app.call("POST", conversationPaths.folders, { token, body: { name: "Old" } })
  ).json()) as Folder;
  await app.call("DELETE", conversationPaths.folder(folder.id), { token });
  return { app, ids };
}

it("removes the other chats and folders of an account if one chat cannot be removed, and that one later", async () => {
  const clock = new TestClock();
  const { app, ids } = await startWithDeleted(clock);
  await using _app = app;
  const { database, sweep } = app.context;
  const held = ids[0] ?? "";
  const left = async () => (await database.selectFrom("chats").select("id").execute()).map(({ id }) => id);
  await sql`create table bystanders (chat_id text references chats (id))`.execute(database);
  await sql`insert into bystanders (chat_id) values (${held})`.execute(database);
  clock.advance(HOUR + MINUTE + 1);
  await sweep.run();
  expect(await left()).toEqual([held]);
  expect(await database.selectFrom("folders").select("id").execute()).toEqual([]);
  expect(app.logLines.join("")).toContain("deleted chat not removed");

  await sql`drop table bystanders`.execute(database);
  await sweep.run();
  expect(await left()).toEqual([]);
});

it("stops the removal of chats at a shutdown and leaves the rest to the next sweep", async () => {
  const clock = new TestClock();
  const { app, ids } = await startWithDeleted(clock);
  await using _app = app;
  clock.advance(HOUR + MINUTE + 1);
  await removeDeleted(app.context, clock.now(), AbortSignal.abort());
  expect(await app.context.database.selectFrom("chats").select("id").execute()).toHaveLength(ids.length);
});

it.runIf(isOnPostgres)("the removal of chats does not deadlock with checkpoints of replies in them", async () => {
  await using provider = await startScriptedProvider();
  const env = { OPENAI_API_KEY: "scripted-key", OPENAI_BASE_URL: provider.baseUrl };
  await using app = await startTestApp({ env });
  const { token } = await signUp(app);
  const { database } = app.context;
  const newChat = async () => ((await (await app.call("POST", conversationPaths.chats, { token })).json()) as Chat).id;
  const ids = [await newChat(), await newChat()];
  await using sent = new AsyncDisposableStack();
  // In reverse order, so that the order of replies differs from the order of chats.
  for (const id of ids.toReversed()) {
    const body = { message: "[scenario:held]", model: "GPT:gpt-5-mini" };
    const answer = await app.call("POST", `${conversationPaths.chatSend(id)}?stream=1`, { token, body });
    sent.defer(async () => answer.body?.cancel());
  }
  const writing = database.selectFrom("messages").select("id").where("state", "=", "writing").orderBy("id");
  const [first = "", second = ""] = (await writing.execute()).map(({ id }) => id);
  const deletion = await database.transaction().execute(async (db) => {
    await holdRuns(db, [first], true);
    const asked = app.call("POST", conversationPaths.chatBatch, { token, body: { ids, change: { isDeleted: true } } });
    const waiting = sql<{ count: number }>`select count(*) as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await waiting.execute(database)).rows[0]?.count).toBe(1);
    await holdRuns(db, [second], true);
    return { asked };
  });
  expect((await deletion.asked).status).toBe(200);
});
