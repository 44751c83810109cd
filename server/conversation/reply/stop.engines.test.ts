import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { signUp } from "../../../testing/accounts/sign-up.ts";
import { type ScriptedChat, startScriptedChat } from "../../../testing/chats/scripted-chat.ts";
import { isOnPostgres } from "../../../testing/database/test-database.ts";
import { readEvents, readReply } from "../../../testing/http/read-events.ts";
import { openAsItIs } from "../../database/open.ts";
import type { Queryable } from "../../database/schema.ts";
import { insertChunks } from "./reply-store.ts";

let chat: ScriptedChat;
beforeAll(async () => {
  chat = await startScriptedChat();
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(async () => {
  chat.provider.reset();
  await chat.renew();
});

describe("stopped replies", () => {
  it("R2 Stop ends the reply, closes the provider's connection and keeps the text", async () => {
    const response = await chat.stream({ message: "[scenario:held]" });
    chat.provider.release("Kept words");
    await readFirstWord(response);
    expect((await chat.app.call("POST", `/chat/${chat.chatId}/stop`, { token: chat.ada.token })).status).toBe(204);
    await (await chat.provider.chat(1)).closed;
    expect(chat.provider.chats[0]?.isAborted).toBe(true);
    expect((await chat.open()).messages[1]).toMatchObject({ content: "Kept words", state: "stopped" });
  });

  it("Stop does nothing without a running reply, and returns 404 to another account", async () => {
    expect((await chat.app.call("POST", `/chat/${chat.chatId}/stop`, { token: chat.ada.token })).status).toBe(204);
    const { token } = await signUp(chat.app);
    expect((await chat.app.call("POST", `/chat/${chat.chatId}/stop`, { token })).status).toBe(404);
  });

  it.runIf(isOnPostgres)(
    "R2 Stop ends the running reply, not an earlier one that has ended but is not removed yet",
    async () => {
      const { app, provider } = chat;
      const held = await startHeldReplies(2);
      // A separate connection, because the server closes its own after a long silence.
      const holder = await openAsItIs({ dataDir: app.dataDir, postgresUrl: app.context.secrets.databaseUrl ?? "" });
      await holder.transaction().execute(async (db) => {
        const writing = db.selectFrom("messages").select("id").where("chat_id", "in", held);
        const ids = (await writing.where("state", "=", "writing").execute()).map(({ id }) => id);
        expect(ids).toHaveLength(held.length);
        // Storing the first words of these replies waits for the end of this transaction. A reply that ends meanwhile
        // is removed from memory only after that.
        await insertChunks(
          db,
          ids.map((id) => ({ message_id: id, at: 0, text: "" })),
        );
        for (const _ of held) provider.release("Held words");
        await vi.waitUntil(() => isWaitedFor(db));
        provider.next("fast");
        void (await chat.stream()).body?.cancel();
        await vi.waitUntil(async () => {
          // An idle transaction would be ended.
          await isWaitedFor(db);
          return (await chat.open()).messages[1]?.state === "complete";
        });
        const calls = provider.chats.length;
        provider.next("slow");
        provider.reply = "word ".repeat(2000);
        await readFirstWord(await chat.stream());
        expect((await chat.call("POST", "/stop")).status).toBe(204);
        expect((await chat.open()).messages.at(-1)).toMatchObject({ role: "assistant", state: "stopped" });
        expect((await provider.chat(calls + 1)).isAborted).toBe(true);
      });
      await holder.destroy();
      for (const _ of held) provider.finish();
    },
  );
});

/** Whether a transaction waits for a lock. Statistics are cached per transaction, so the cache is cleared first. */
async function isWaitedFor(db: Queryable): Promise<boolean> {
  await sql`select pg_stat_clear_snapshot()`.execute(db);
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows.length > 0;
}

/** Starts replies in new chats, without text yet. @returns the ids of the chats */
async function startHeldReplies(count: number): Promise<string[]> {
  const chats: string[] = [];
  for (let started = 0; started < count; started++) {
    const id = await chat.createChat();
    const body = { message: "[scenario:held]", model: "GPT:gpt-5-mini" };
    const response = await chat.app.call("POST", `/chat/${id}/send?stream=1`, { token: chat.ada.token, body });
    await response.body?.cancel();
    await chat.provider.chat(started + 1);
    chats.push(id);
  }
  return chats;
}

async function readFirstWord(response: Response): Promise<void> {
  for await (const event of readEvents(response)) if (event !== "[DONE]" && event.token) return;
}

it("a deletion of a chat stops its reply", async () => {
  const response = await chat.stream({ message: "[scenario:held]" });
  chat.provider.release("Gone");
  expect((await chat.app.call("DELETE", `/chat/${chat.chatId}`, { token: chat.ada.token })).status).toBe(204);
  await (await chat.provider.chat(1)).closed;
  expect(chat.provider.chats[0]?.isAborted).toBe(true);
  await readReply(response);
});

it("a reply whose chat was deleted meanwhile keeps all text, in case that is undone", async () => {
  const { app, chatId, ada } = chat;
  const response = await chat.stream({ message: "[scenario:held]" });
  chat.provider.release("These words came");
  await readFirstWord(response);
  expect((await app.call("DELETE", `/chat/${chatId}`, { token: ada.token })).status).toBe(204);
  const body = { ids: [chatId], change: { isDeleted: false } };
  const undone = await app.call("POST", "/chat-batch", { token: ada.token, body });
  expect(await undone.json()).toEqual({ changed: [chatId] });
  await (await chat.provider.chat(1)).closed;
  const writing = app.context.database.selectFrom("messages").select("id").where("state", "=", "writing");
  await vi.waitUntil(async () => (await writing.execute()).length === 0);
  expect((await chat.open()).messages).toMatchObject([
    { content: "[scenario:held]" },
    { content: "These words came", state: "stopped" },
  ]);
});

it("a reply that ends before its chat is deleted keeps its text", async () => {
  const { app, chatId, ada } = chat;
  await chat.stream({ message: "[scenario:held]" });
  chat.provider.release("These words came");
  const live = await vi.waitUntil(() => app.context.replies.findInChat(chatId));
  await vi.waitUntil(() => live.text === "These words came");
  await app.call("DELETE", `/chat/${chatId}`, { token: ada.token });
  await vi.waitUntil(() => app.context.replies.findInChat(chatId) === undefined);
  const body = { ids: [chatId], change: { isDeleted: false } };
  await app.call("POST", "/chat-batch", { token: ada.token, body });
  expect((await chat.open()).messages[1]).toMatchObject({ content: "These words came", state: "stopped" });
});
