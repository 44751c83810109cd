import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AccountEvent } from "#contract/conversation/account-events.ts";
import type { ChatListItem } from "#contract/conversation/chats.ts";
import { DAY } from "#contract/limits.ts";
import { chatOf, followAccount } from "../../testing/accounts/follow-account.ts";
import { signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp, TestClock } from "../../testing/app/start-test-app.ts";
import { whileBusy } from "../../testing/chats/while-busy.ts";
import { type ScriptedProvider, startScriptedProvider } from "../../testing/provider/scripted-provider.ts";
import { topics } from "../bus/bus.ts";
import { markChanged } from "./change-store.ts";

let provider: ScriptedProvider;
let app: TestApp;
let clock: TestClock;
let ada: TestAccount;
beforeAll(async () => {
  clock = new TestClock();
  provider = await startScriptedProvider();
  app = await startTestApp({ clock, env: { OPENAI_API_KEY: "key", OPENAI_BASE_URL: provider.baseUrl } });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});
beforeEach(async () => {
  ada = await signUp(app);
});

const follow = (from?: number, { token }: TestAccount = ada) => followAccount(app, token, from);

async function createChat({ token }: TestAccount = ada): Promise<string> {
  const response = await whileBusy(app, () => app.call("POST", "/chat", { token }));
  return ((await response.json()) as { id: string }).id;
}

async function deleteChat(id: string): Promise<void> {
  expect((await app.call("DELETE", `/chat/${id}`, { token: ada.token })).status).toBe(204);
}

async function history(): Promise<ChatListItem[]> {
  return (await (await app.call("GET", "/chat-history", { token: ada.token })).json()) as ChatListItem[];
}

/** Marks a chat as unread, like the end of a reply without readers. */
async function markUnread(chatId: string): Promise<void> {
  const { database, bus } = app.context;
  await database.transaction().execute(async (db) => {
    await db.updateTable("chats").set({ unread: 1 }).where("id", "=", chatId).execute();
    await markChanged(db, ada.user.id, chatId);
  });
  bus.publish(topics.account(ada.user.id));
}

const markRead = (chatId: string, { token }: TestAccount = ada) =>
  app.call("PATCH", `/chat/${chatId}`, { token, body: { isUnread: false } });

const isDeletion = (event: AccountEvent) => "deleted" in event;

describe("events of an account", () => {
  it("events without a position begin with a start that resets the client, then changes of chats in order", async () => {
    await createChat();
    await using reader = await follow();
    expect(reader.start).toEqual({ at: expect.any(Number), isReset: true });
    const id = await createChat();
    const created = await reader.next();
    expect(created).toEqual({
      at: reader.start.at + 1,
      chat: { id, title: "New chat", isUntitled: true, updatedAt: clock.now(), leaf: null, replyId: null },
    });
    await deleteChat(id);
    expect(await reader.next()).toEqual({ at: reader.start.at + 2, deleted: id });
  });

  it("notifies every reader of the account, and no other account", async () => {
    const other = await signUp(app);
    await using foreign = await follow(undefined, other);
    await using first = await follow();
    await using second = await follow();
    const id = await createChat();
    expect([chatOf(await first.next()), chatOf(await second.next())]).toEqual([id, id]);
    const theirs = await createChat(other);
    expect(chatOf(await foreign.next())).toBe(theirs);
  });

  it("resumes events after a position with the current state of each chat that has changed, once", async () => {
    const { start } = await follow();
    const [kept, gone] = [await createChat(), await createChat()];
    await deleteChat(gone);
    await markUnread(kept);
    await using reader = await follow(start.at);
    expect(reader.start).toEqual({ at: start.at, isReset: false });
    const [deletion, change] = await reader.until((event) => "chat" in event);
    expect([deletion, change]).toMatchObject([
      { at: start.at + 3, deleted: gone },
      { at: start.at + 4, chat: { id: kept, isUnread: true } },
    ]);
    await using later = await follow(start.at + 3);
    expect(await later.next()).toEqual(change);
  });

  it("resets a client whose position is unknown or who missed too many changes", async () => {
    const { start } = await follow();
    expect((await follow(start.at + 1)).start).toEqual({ at: start.at, isReset: true });
    const { database } = app.context;
    const change_seq = start.at + 1001;
    await database.updateTable("users").set({ change_seq }).where("id", "=", ada.user.id).execute();
    expect((await follow(start.at)).start).toEqual({ at: change_seq, isReset: true });
    expect((await follow(start.at + 1)).start).toEqual({ at: start.at + 1, isReset: false });
  });

  it("resets a client if records of deletions may have expired, and only then", async () => {
    const [first, second, kept] = [await createChat(), await createChat(), await createChat()];
    // An unused chat is removed after a day.
    await app.call("PATCH", `/chat/${kept}`, { token: ada.token, body: { isPinned: true } });
    const { start } = await follow();
    await deleteChat(first);
    await deleteChat(second);
    clock.advance(2 * DAY + 1);
    await app.context.sweep.run();
    expect((await follow(start.at)).start.isReset).toBe(true);
    expect((await follow(start.at + 1)).start.isReset).toBe(true);
    expect((await follow(start.at + 2)).start.isReset).toBe(false);
    const rows = app.context.database.selectFrom("deleted_chats").selectAll().where("user_id", "=", ada.user.id);
    expect(await rows.execute()).toHaveLength(1);
    await deleteChat(kept);
    await app.context.sweep.run();
    await using reader = await follow(start.at + 2);
    expect(await reader.next()).toEqual({ at: start.at + 3, deleted: kept });
  });

  it("sends the titles that the model wrote", async () => {
    provider.title = "Narrow inlets";
    await using reader = await follow();
    const id = await createChat();
    await app.call("POST", `/chat/${id}/send`, { token: ada.token, body: { message: "What is a fjord?" } });
    const events = await reader.until((event) => "chat" in event && event.chat.title === "Narrow inlets");
    expect(events.at(-1)).toMatchObject({ chat: { id } });
  });

  it("sends many concurrent changes without loss, in ascending order", async () => {
    await using reader = await follow();
    const ids = await Promise.all(Array.from({ length: 30 }, () => createChat()));
    await deleteChat(ids[0] ?? "");
    const events = await reader.until(isDeletion);
    const positions = events.map(({ at }) => at);
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
    expect(new Set(events.map(chatOf))).toEqual(new Set(ids));
  });

  it("events require a session, and refuse an invalid position", async () => {
    expect((await app.call("GET", "/events")).status).toBe(401);
    for (const from of ["-1", "1.5", "x"]) {
      expect((await app.call("GET", `/events?from=${from}`, { token: ada.token })).status).toBe(400);
    }
  });

  it("E4 the stream of events ends with its session", async () => {
    const reader = await follow();
    expect((await app.call("POST", "/auth/logout", { token: ada.token })).status).toBe(204);
    expect(await reader.next()).toBeUndefined();
  });
});

describe("changes of a chat", () => {
  it("marks the newest reply as seen, and notifies once", async () => {
    const id = await createChat();
    await markUnread(id);
    expect(await history()).toMatchObject([{ id, isUnread: true }]);
    await using reader = await follow();
    expect((await markRead(id)).status).toBe(204);
    expect((await markRead(id)).status).toBe(204);
    expect(await history()).toEqual([{ id, title: "New chat", isUntitled: true, updatedAt: clock.now() }]);
    const seen = await reader.next();
    expect(seen).toMatchObject({ at: reader.start.at + 1, chat: { id } });
    expect(seen).not.toHaveProperty("chat.isUnread");
    await deleteChat(id);
    expect(await reader.next()).toEqual({ at: reader.start.at + 2, deleted: id });
  });

  it("a change answers the same for another account's chat and an unknown one, and refuses unknown fields", async () => {
    const id = await createChat();
    await markUnread(id);
    const other = await signUp(app);
    for (const missing of [id, "x"]) expect((await markRead(missing, other)).status).toBe(404);
    expect(await history()).toMatchObject([{ isUnread: true }]);
    for (const body of [{}, { isUnread: true }, { isUnread: "false" }]) {
      expect((await app.call("PATCH", `/chat/${id}`, { token: ada.token, body })).status).toBe(400);
    }
    expect((await app.call("PATCH", `/chat/${id}`, { body: { isUnread: false } })).status).toBe(401);
  });
});

it("marks chats with a running reply in the history", async () => {
  const id = await createChat();
  const body = { message: "[scenario:held]" };
  const sending = app.call("POST", `/chat/${id}/send`, { token: ada.token, body });
  const count = provider.chats.length;
  await provider.chat(count + 1);
  expect(await history()).toMatchObject([{ id, isWriting: true }]);
  provider.release("A narrow inlet");
  provider.finish();
  await sending;
  expect((await history())[0]).not.toHaveProperty("isWriting");
});

it("R4 a shutdown ends the streams of events, and starts none", async () => {
  await using closing = await startTestApp();
  const { token } = await signUp(closing);
  const reader = await followAccount(closing, token);
  await closing.context.replies.drain();
  const refused = await closing.call("GET", "/events", { token });
  expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([503, true]);
  await closing[Symbol.asyncDispose]();
  expect(await reader.next()).toBeUndefined();
});
