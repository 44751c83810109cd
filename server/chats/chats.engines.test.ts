import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ChatListItem } from "#contract/conversation/chats.ts";
import type { Chat } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { CHATS_LISTED_MAX, HOUR, MINUTE } from "#contract/limits.ts";
import { signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp, TestClock } from "../../testing/app/start-test-app.ts";
import { whileBusy } from "../../testing/chats/while-busy.ts";
import { newId } from "../database/new-id.ts";

let app: TestApp;
let clock: TestClock;
let ada: TestAccount;
beforeAll(async () => {
  clock = new TestClock();
  app = await startTestApp({ clock });
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  ada = await signUp(app);
});

async function createChat({ token }: TestAccount = ada, headers: Record<string, string> = {}): Promise<Chat> {
  clock.advance(1000);
  const response = await whileBusy(app, () => app.call("POST", "/chat", { token, headers }));
  expect(response.status).toBe(201);
  return (await response.json()) as Chat;
}

async function history(query = "", { token }: TestAccount = ada): Promise<ChatListItem[]> {
  const response = await app.call("GET", `/chat-history${query}`, { token });
  expect(response.status).toBe(200);
  return (await response.json()) as ChatListItem[];
}

describe("creating chats", () => {
  it("creates an empty chat", async () => {
    const chat = await createChat();
    const named = { title: "New chat", isUntitled: true, updatedAt: clock.now() };
    expect(chat).toEqual({ id: expect.any(String), ...named, messages: [] });
    expect(await history()).toEqual([{ id: chat.id, ...named }]);
  });

  it("marks a chat as untitled until its first message or a rename", async () => {
    const [asked, named] = [await createChat(), await createChat()];
    const call = (method: string, path: string, body: object) => app.call(method, path, { token: ada.token, body });
    await call("POST", `/chat/${asked.id}/message`, { role: "user", content: "How do tides work?" });
    await call("PATCH", `/chat/${named.id}`, { title: "New chat" });
    const read = await Promise.all(
      [asked, named].map(({ id }) => app.call("GET", `/chat/${id}`, { token: ada.token })),
    );
    const chats = await Promise.all(read.map(async (response) => (await response.json()) as Chat));
    expect(chats.map(({ title, isUntitled }) => [title, isUntitled])).toEqual([
      ["How do tides work?", undefined],
      ["New chat", undefined],
    ]);
    expect((await history()).map(({ isUntitled }) => isUntitled)).toEqual([undefined, undefined]);
  });

  it("R11 creates one chat for one key, for any number of concurrent requests", async () => {
    const headers = { "idempotency-key": "one" };
    const chats = await Promise.all(Array.from({ length: 10 }, () => createChat(ada, headers)));
    expect(new Set(chats.map(({ id }) => id)).size).toBe(1);
    expect(await history()).toHaveLength(1);
    expect((await createChat(await signUp(app), headers)).id).not.toBe(chats[0]?.id);
  });

  it("refuses an invalid idempotency key", async () => {
    const response = await app.call("POST", "/chat", { token: ada.token, headers: { "idempotency-key": "a b" } });
    expect(response.status).toBe(400);
  });
});

it("isLatest moves an empty chat to the top at its first report, but not one with a message", async () => {
  const [empty, asked] = [await createChat(), await createChat()];
  const call = (method: string, path: string, body: object) => app.call(method, path, { token: ada.token, body });
  const ids = async () => (await history()).map(({ id }) => id);
  await call("POST", `/chat/${asked.id}/message`, { role: "user", content: "How do tides work?" });
  expect(await ids()).toEqual([asked.id, empty.id]);
  clock.advance(1000);
  expect((await call("PATCH", `/chat/${empty.id}`, { isLatest: true })).status).toBe(204);
  expect(await ids()).toEqual([empty.id, asked.id]);
  expect((await history())[0]?.updatedAt).toBe(clock.now());
  clock.advance(1000);
  expect((await call("PATCH", `/chat/${asked.id}`, { isLatest: true })).status).toBe(204);
  expect(await ids()).toEqual([empty.id, asked.id]);
  const { updatedAt } = (await history())[0] ?? {};
  expect((await call("PATCH", `/chat/${empty.id}`, { isLatest: true })).status).toBe(204);
  expect((await history())[0]?.updatedAt).toBe(updatedAt);
});

describe("the history of chats", () => {
  it("K2 lists up to 10,000 chats, and older ones by pages", async () => {
    const { id } = await createChat();
    const { database } = app.context;
    const row = await database.selectFrom("chats").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    const older = Array.from({ length: CHATS_LISTED_MAX + 1 }, (_, at) => ({
      ...row,
      id: newId(),
      updated_at: row.updated_at - 1 - at,
    }));
    // PostgreSQL allows at most 65,535 parameters.
    while (older.length > 0) await database.insertInto("chats").values(older.splice(0, 1000)).execute();
    const whole = await history();
    expect(whole).toHaveLength(CHATS_LISTED_MAX);
    const times = whole.map(({ updatedAt }) => updatedAt);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(await history(`?before=${whole.at(-1)?.id}`)).toHaveLength(2);
  });

  it("lists chats by the newest activity first, optionally by pages", async () => {
    const ids = [];
    for (let count = 0; count < 5; count++) ids.unshift((await createChat()).id);
    expect((await history()).map(({ id }) => id)).toEqual(ids);
    expect((await history("?limit=2")).map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect((await history(`?limit=2&before=${ids[1]}`)).map(({ id }) => id)).toEqual(ids.slice(2, 4));
    expect((await history(`?before=${ids[3]}`)).map(({ id }) => id)).toEqual(ids.slice(4));
  });

  it("pages through chats with equal times without gaps or repetitions", async () => {
    const ids = new Set<string>();
    for (let count = 0; count < 5; count++) {
      const response = await app.call("POST", "/chat", { token: ada.token });
      ids.add(((await response.json()) as Chat).id);
    }
    const seen: string[] = [];
    for (
      let page = await history("?limit=2");
      page.length > 0;
      page = await history(`?limit=2&before=${seen.at(-1)}`)
    ) {
      seen.push(...page.map(({ id }) => id));
    }
    expect(seen).toHaveLength(5);
    expect(new Set(seen)).toEqual(ids);
  });

  it("does not list chats of other accounts", async () => {
    const chat = await createChat();
    const other = await signUp(app);
    expect(await history("", other)).toEqual([]);
    expect(await history(`?before=${chat.id}`, other)).toEqual([]);
  });

  it.each(["?limit=0", "?limit=201", "?limit=two", "?limit=1.5"])(
    "refuses the history of chats with %s",
    async (query) => {
      expect((await app.call("GET", `/chat-history${query}`, { token: ada.token })).status).toBe(400);
    },
  );
});

describe("deleting chats", () => {
  it("H5 hides a deleted chat from every call at once, and an hour later removes all its data", async () => {
    const chat = await createChat(ada, { "idempotency-key": "made-once" });
    const message = { role: "user", content: "Hello" };
    expect((await app.call("POST", `/chat/${chat.id}/message`, { token: ada.token, body: message })).status).toBe(201);
    const response = await app.call("DELETE", `/chat/${chat.id}`, { token: ada.token });
    expect(response.status).toBe(204);
    expect(await response.text()).toBe("");
    // Another account cannot undo the deletion.
    const undo = { ids: [chat.id], change: { isDeleted: false } };
    await app.call("POST", conversationPaths.chatBatch, { token: (await signUp(app)).token, body: undo });
    for (const query of ["", "?archived=true", "?pinned=true"]) expect(await history(query)).toEqual([]);
    const calls: [string, string, unknown?][] = [
      ["GET", ""],
      ["PATCH", "", { title: "There again" }],
      ["DELETE", ""],
      ["POST", "/message", message],
      ["POST", "/send", { message: "Hello" }],
      ["GET", "/reply"],
      ["POST", "/reply", { mode: "retry" }],
      ["POST", "/stop"],
    ];
    for (const [method, path, body] of calls) {
      const { status } = await app.call(method, `/chat/${chat.id}${path}`, { token: ada.token, body });
      expect([method, path, status]).toEqual([method, path, 404]);
    }
    const again = await app.call("POST", "/chat", { token: ada.token, headers: { "idempotency-key": "made-once" } });
    expect(again.status).toBe(404);
    const left = app.context.database.selectFrom("messages").selectAll().where("chat_id", "=", chat.id);
    clock.advance(HOUR);
    await app.context.sweep.run();
    expect(await left.execute()).toHaveLength(1);
    clock.advance(MINUTE + 1);
    await app.context.sweep.run();
    expect(await left.execute()).toEqual([]);
  });

  it("H1 a deletion answers the same for another account's chat and an unknown one, and does not change it", async () => {
    const chat = await createChat();
    const { token } = await signUp(app);
    const answers = await Promise.all(
      [chat.id, "018f0000-0000-7000-8000-000000000000", "x"].map(async (id) => {
        const response = await app.call("DELETE", `/chat/${id}`, { token });
        return `${response.status} ${await response.text()}`;
      }),
    );
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toMatch(/^404 .*not-found/);
    expect(await history()).toHaveLength(1);
  });
});
