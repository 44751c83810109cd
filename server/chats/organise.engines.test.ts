import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ChatListItem } from "#contract/conversation/chats.ts";
import type { Chat } from "#contract/conversation/conversation.ts";
import type { Folder } from "#contract/conversation/folders.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { HOUR, MINUTE } from "#contract/limits.ts";
import { followAccount } from "../../testing/accounts/follow-account.ts";
import { signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp, TestClock } from "../../testing/app/start-test-app.ts";
import { newId } from "../database/new-id.ts";
import { nameChat } from "./name-chat.ts";

let app: TestApp;
let clock: TestClock;
let ada: TestAccount;
beforeAll(async () => {
  clock = new TestClock();
  app = await startTestApp({ clock, demoPause: async () => undefined });
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  ada = await signUp(app);
});

async function createChat({ token }: TestAccount = ada): Promise<string> {
  clock.advance(1000);
  return ((await (await app.call("POST", "/chat", { token })).json()) as Chat).id;
}

async function createFolder(name = "Work", { token }: TestAccount = ada): Promise<string> {
  return ((await (await app.call("POST", conversationPaths.folders, { token, body: { name } })).json()) as Folder).id;
}

async function history(query = "", { token }: TestAccount = ada): Promise<ChatListItem[]> {
  return (await (await app.call("GET", `/chat-history${query}`, { token })).json()) as ChatListItem[];
}
const idsOf = (chats: ChatListItem[]) => chats.map(({ id }) => id);

const change = async (id: string, body: unknown, { token }: TestAccount = ada) =>
  (await app.call("PATCH", `/chat/${id}`, { token, body })).status;

async function batch(ids: string[], changes: unknown, { token }: TestAccount = ada): Promise<string[]> {
  const response = await app.call("POST", conversationPaths.chatBatch, { token, body: { ids, change: changes } });
  expect(response.status).toBe(200);
  return ((await response.json()) as { changed: string[] }).changed;
}

describe("changes of a chat", () => {
  it("renames a chat, trimmed and on one line, and the model's title does not replace it", async () => {
    const id = await createChat();
    expect(await change(id, { title: "  A\ttrip\u0000 to\r\nthe fjords\u2028 " })).toBe(204);
    expect(await history()).toMatchObject([{ id, title: "A trip  to  the fjords" }]);
    await app.call("POST", `/chat/${id}/message`, { token: ada.token, body: { role: "user", content: "What?" } });
    await nameChat(app.context, ada.user.id, id, "A model’s title");
    expect(await history()).toMatchObject([{ id, title: "A trip  to  the fjords" }]);
  });

  it.each([
    {},
    { title: "" },
    { title: " \n " },
    { title: "x".repeat(201) },
    { title: null },
    { isPinned: "true" },
    { isPinned: null },
    { folderId: 1 },
    { folderId: "x".repeat(65) },
  ])("refuses the change %j of a chat, and changes nothing", async (body) => {
    const id = await createChat();
    const before = await history();
    expect(await change(id, body)).toBe(400);
    expect(await history()).toEqual(before);
  });

  it("pins, files and archives together, visible in lists, in the chat and as one event", async () => {
    const [id, folderId] = [await createChat(), await createFolder()];
    await using reader = await followAccount(app, ada.token);
    expect(await change(id, { isPinned: true, folderId, title: "Filed" })).toBe(204);
    const location = { isPinned: true, folderId };
    expect(await history()).toEqual([{ id, title: "Filed", updatedAt: clock.now(), ...location }]);
    expect(await reader.next()).toMatchObject({ at: reader.start.at + 1, chat: { id, title: "Filed", ...location } });
    const opened = (await (await app.call("GET", `/chat/${id}`, { token: ada.token })).json()) as Chat;
    expect(opened).toMatchObject(location);
    expect(await change(id, location)).toBe(204);
    expect(await change(id, { isPinned: false, folderId: null, isArchived: true })).toBe(204);
    expect(await reader.next()).toMatchObject({ at: reader.start.at + 2, chat: { id, isArchived: true } });
    expect(await history()).toEqual([]);
    expect(await history("?archived=true")).toEqual([{ id, title: "Filed", updatedAt: clock.now(), isArchived: true }]);
  });

  it("H1 filing a chat treats another account's folder and a deleted one as unknown", async () => {
    const id = await createChat();
    const foreign = await createFolder("Hers", await signUp(app));
    const deleted = await createFolder();
    await app.call("DELETE", conversationPaths.folder(deleted), { token: ada.token });
    const answers = [];
    for (const folderId of [foreign, deleted, newId(), "x"]) {
      const response = await app.call("PATCH", `/chat/${id}`, { token: ada.token, body: { folderId, isPinned: true } });
      answers.push(`${response.status} ${await response.text()}`);
    }
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toMatch(/^404 .*folder-gone/);
    expect((await history())[0]).not.toHaveProperty("isPinned");
  });

  it("H1 does not change another account's chat", async () => {
    const id = await createChat();
    const eve = await signUp(app);
    for (const missing of [id, newId()]) expect(await change(missing, { title: "Mine" }, eve)).toBe(404);
    expect(await history()).toMatchObject([{ title: "New chat" }]);
  });
});

describe("filtered histories", () => {
  it("lists pinned chats, archived chats and the chats of a folder by pages", async () => {
    const folderId = await createFolder();
    const ids: string[] = [];
    for (let count = 0; count < 9; count++) ids.unshift(await createChat());
    const [pinned, archived, filed] = [ids.slice(0, 3), ids.slice(3, 6), ids.slice(6)];
    await batch(pinned, { isPinned: true });
    await batch(archived, { isArchived: true });
    await batch(filed, { folderId });
    const cases: [string, string[]][] = [
      ["pinned=true", pinned],
      ["archived=true", archived],
      [`folder=${folderId}`, filed],
    ];
    for (const [query, expected] of cases) {
      expect(idsOf(await history(`?${query}`))).toEqual(expected);
      expect(idsOf(await history(`?${query}&limit=2`))).toEqual(expected.slice(0, 2));
      expect(idsOf(await history(`?${query}&limit=2&before=${expected[1]}`))).toEqual(expected.slice(2));
      expect(await history(`?${query}`, await signUp(app))).toEqual([]);
    }
    expect(idsOf(await history())).toEqual([...pinned, ...filed]);
    await batch(pinned, { isArchived: true });
    expect(await history("?pinned=true")).toEqual([]);
  });

  it("continues after a chat that was deleted meanwhile", async () => {
    const ids = [await createChat(), await createChat(), await createChat()].reverse();
    await app.call("DELETE", `/chat/${ids[1]}`, { token: ada.token });
    expect(idsOf(await history(`?limit=2&before=${ids[1]}`))).toEqual([ids[2]]);
  });

  it.each(["pinned=1", "archived=false", `folder=${"x".repeat(65)}`])(
    "refuses the history filter ?%s",
    async (query) => {
      expect((await app.call("GET", `/chat-history?${query}`, { token: ada.token })).status).toBe(400);
    },
  );
});

it("unarchives a chat when a message is sent to it", async () => {
  const ids = [await createChat(), await createChat()];
  await batch(ids, { isArchived: true });
  const [sent, added] = ids;
  await app.call("POST", `/chat/${sent}/send`, { token: ada.token, body: { message: "Hello" } });
  await app.call("POST", `/chat/${added}/message`, { token: ada.token, body: { role: "user", content: "Hello" } });
  expect(new Set(idsOf(await history()))).toEqual(new Set(ids));
  expect(await history("?archived=true")).toEqual([]);
});

describe("changes of several chats", () => {
  it("changes the account's own chats at once, with an event for each, and returns the changed ids", async () => {
    const ids = [await createChat(), await createChat(), await createChat()];
    const foreign = await createChat(await signUp(app));
    await change(ids[1] ?? "", { isPinned: true });
    await using reader = await followAccount(app, ada.token);
    const changed = await batch([...ids, ids[0] ?? "", foreign, "x"], { isPinned: true });
    expect(new Set(changed)).toEqual(new Set([ids[0], ids[2]]));
    expect(changed).toHaveLength(2);
    const events = [await reader.next(), await reader.next()];
    expect(events.map((event) => event && "at" in event && event.at)).toEqual([
      reader.start.at + 1,
      reader.start.at + 2,
    ]);
    expect((await history("?pinned=true")).length).toBe(3);
  });

  it("changes all chats of a batch or none", async () => {
    const ids = [await createChat(), await createChat()];
    const body = { ids, change: { isPinned: true, folderId: newId() } };
    expect((await app.call("POST", conversationPaths.chatBatch, { token: ada.token, body })).status).toBe(404);
    expect(await history("?pinned=true")).toEqual([]);
  });

  it("deletes chats and restores them with all their data, with events", async () => {
    const [folderId, ...ids] = [await createFolder(), await createChat(), await createChat()];
    const message = { role: "user", content: "Kept" };
    for (const id of ids) await app.call("POST", `/chat/${id}/message`, { token: ada.token, body: message });
    await batch(ids, { isPinned: true, folderId });
    const before = await history();
    await using reader = await followAccount(app, ada.token);
    expect(await batch(ids, { isDeleted: true })).toEqual(ids);
    expect(await batch(ids, { isDeleted: true })).toEqual([]);
    expect(await batch(ids, { isPinned: false })).toEqual([]);
    expect(await history()).toEqual([]);
    for (const id of ids) expect(await reader.next()).toMatchObject({ deleted: id });
    clock.advance(HOUR);
    expect(await batch(ids, { isDeleted: false })).toEqual(ids);
    expect(await batch(ids, { isDeleted: false })).toEqual([]);
    expect(await history()).toEqual(before);
    for (const id of ids) expect(await reader.next()).toMatchObject({ chat: { id, isPinned: true, folderId } });
    const opened = (await (await app.call("GET", `/chat/${ids[0]}`, { token: ada.token })).json()) as Chat;
    expect(opened.messages).toMatchObject([{ content: "Kept" }]);
    await using later = await followAccount(app, ada.token, reader.start.at);
    for (const id of ids) expect(await later.next()).toMatchObject({ chat: { id } });
  });

  it("restores neither chats deleted more than an hour ago nor another account's", async () => {
    const id = await createChat();
    await batch([id], { isDeleted: true });
    expect(await batch([id], { isDeleted: false }, await signUp(app))).toEqual([]);
    clock.advance(HOUR + MINUTE + 1);
    expect(await batch([id], { isDeleted: false })).toEqual([]);
    await app.context.sweep.run();
    const rows = app.context.database.selectFrom("chats").selectAll().where("id", "=", id);
    expect(await rows.execute()).toEqual([]);
  });

  it("deletes a restored chat again", async () => {
    const id = await createChat();
    for (const isDeleted of [true, false, true, false]) expect(await batch([id], { isDeleted })).toEqual([id]);
    expect(await history()).toMatchObject([{ id }]);
  });

  it("a batch does not deadlock with concurrent changes of the same chats in reverse order", async () => {
    const ids = [await createChat(), await createChat(), await createChat()];
    const both = [ids, ids.toReversed()].flatMap((order) =>
      [true, false].map((isPinned) => batch(order, { isPinned })),
    );
    const singly = ids.map((id) => change(id, { title: "Again" }));
    await Promise.all([...both, ...singly]);
  });

  it.each([
    {},
    { ids: [], change: { isPinned: true } },
    { ids: ["x"], change: {} },
    { ids: ["x"] },
    { ids: "x", change: { isPinned: true } },
    { ids: Array(201).fill("x"), change: { isPinned: true } },
    { ids: ["x"], change: { isDeleted: null } },
    { ids: ["x"], change: { title: "All alike" } },
  ])("refuses the batch %j", async (body) => {
    expect((await app.call("POST", conversationPaths.chatBatch, { token: ada.token, body })).status).toBe(400);
  });

  it("a batch requires a session", async () => {
    const body = { ids: ["x"], change: { isPinned: true } };
    expect((await app.call("POST", conversationPaths.chatBatch, { body })).status).toBe(401);
  });
});
