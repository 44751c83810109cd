import { sql } from "kysely";
import { expect, it } from "vitest";
import type { Chat } from "#contract/conversation.ts";
import type { Folder } from "#contract/folders.ts";
import { HOUR, MINUTE } from "#contract/limits.ts";
import { paths } from "#contract/paths.ts";
import { signUp } from "../../testing/sign-up.ts";
import { startTestApp, TestClock } from "../../testing/start-test-app.ts";
import { removeDeleted } from "./delete-chats.ts";

async function startWithDeleted(clock: TestClock) {
  const app = await startTestApp({ clock });
  const { token } = await signUp(app);
  const ids: string[] = [];
  for (let count = 0; count < 3; count++) {
    const { id } = (await (await app.call("POST", paths.chats, { token })).json()) as Chat;
    await app.call("POST", paths.chatMessage(id), { token, body: { role: "user", content: "Once" } });
    await app.call("DELETE", paths.chat(id), { token });
    ids.push(id);
  }
  const folder = (await (await app.call("POST", paths.folders, { token, body: { name: "Old" } })).json()) as Folder;
  await app.call("DELETE", paths.folder(folder.id), { token });
  return { app, ids };
}

it("removes the other chats and the folders where one chat cannot be removed, and that one later", async () => {
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

it("leaves what is to be removed to the next time once the process ends", async () => {
  const clock = new TestClock();
  const { app, ids } = await startWithDeleted(clock);
  await using _app = app;
  clock.advance(HOUR + MINUTE + 1);
  await removeDeleted(app.context, clock.now(), AbortSignal.abort());
  expect(await app.context.database.selectFrom("chats").select("id").execute()).toHaveLength(ids.length);
});
