import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ChatListItem } from "#contract/conversation/chats.ts";
import type { Folder } from "#contract/conversation/folders.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { HOUR, MINUTE } from "#contract/limits.ts";
import { followAccount } from "../../../testing/accounts/follow-account.ts";
import { signUp, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp, TestClock } from "../../../testing/app/start-test-app.ts";
import { whileBusy } from "../../../testing/chats/while-busy.ts";
import { newId } from "../../database/new-id.ts";

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

const create = (body: unknown, { token }: TestAccount = ada) =>
  whileBusy(app, () => app.call("POST", conversationPaths.folders, { token, body }));
async function createFolder(name: string, account = ada): Promise<Folder> {
  const response = await create({ name }, account);
  expect(response.status).toBe(201);
  return (await response.json()) as Folder;
}
async function folders({ token }: TestAccount = ada): Promise<Folder[]> {
  return (await (await app.call("GET", conversationPaths.folders, { token })).json()) as Folder[];
}
const call = async (method: string, path: string, body?: unknown, { token }: TestAccount = ada) =>
  (await app.call(method, path, { token, body })).status;

async function chatIn(folderId: string): Promise<string> {
  const { token } = ada;
  const { id } = (await (await app.call("POST", "/chat", { token })).json()) as { id: string };
  expect(await call("PATCH", `/chat/${id}`, { folderId })).toBe(204);
  return id;
}
async function history(query = ""): Promise<ChatListItem[]> {
  return (await (await app.call("GET", `/chat-history${query}`, { token: ada.token })).json()) as ChatListItem[];
}

describe("folders", () => {
  it("folders are created in order, renamed and moved, and sent as the whole list", async () => {
    await using reader = await followAccount(app, ada.token);
    const work = await createFolder(" Work\n");
    expect(work).toEqual({ id: expect.any(String), name: "Work" });
    expect(await reader.next()).toEqual({ at: reader.start.at + 1, folders: [work] });
    const [home, garden] = [await createFolder("Home"), await createFolder("Garden")];
    expect(await folders()).toEqual([work, home, garden]);
    expect(await call("PATCH", conversationPaths.folder(garden.id), { position: 0, name: "Flowers" })).toBe(204);
    const flowers = { ...garden, name: "Flowers" };
    expect(await folders()).toEqual([flowers, work, home]);
    expect(await call("PATCH", conversationPaths.folder(garden.id), { position: 200 })).toBe(204);
    expect(await folders()).toEqual([work, home, flowers]);
    const told = await reader.until((event) => "at" in event && event.at === reader.start.at + 5);
    expect(told.at(-1)).toEqual({ at: reader.start.at + 5, folders: [work, home, flowers] });
    expect(await folders(await signUp(app))).toEqual([]);
  });

  it("folders are listed with the numbers of their chats, without archived, pinned and deleted ones", async () => {
    const [work, home] = [await createFolder("Work"), await createFolder("Home")];
    const [, archived, pinned, deleted] = [
      await chatIn(work.id),
      await chatIn(work.id),
      await chatIn(work.id),
      await chatIn(work.id),
      await chatIn(work.id),
    ];
    expect(await folders()).toEqual([{ ...work, chats: 5 }, home]);
    await call("PATCH", `/chat/${archived}`, { isArchived: true });
    await call("PATCH", `/chat/${pinned}`, { isPinned: true });
    await call("DELETE", `/chat/${deleted}`);
    expect(await folders()).toEqual([{ ...work, chats: 2 }, home]);
  });

  it("folders are deleted without their chats, and restored with them", async () => {
    const { id } = await createFolder("Work");
    const chat = await chatIn(id);
    expect(await history(`?folder=${id}`)).toMatchObject([{ id: chat, folderId: id }]);
    await using reader = await followAccount(app, ada.token);
    expect(await call("DELETE", conversationPaths.folder(id))).toBe(204);
    expect(await call("DELETE", conversationPaths.folder(id))).toBe(404);
    expect(await call("PATCH", conversationPaths.folder(id), { name: "Gone" })).toBe(404);
    expect(await reader.next()).toEqual({ at: reader.start.at + 1, folders: [] });
    expect(await folders()).toEqual([]);
    expect(await history(`?folder=${id}`)).toEqual([]);
    const [line] = await history();
    expect(line).toMatchObject({ id: chat });
    expect(line).not.toHaveProperty("folderId");
    clock.advance(HOUR);
    await app.context.sweep.run();
    expect(await call("POST", conversationPaths.folderRestore(id))).toBe(204);
    expect(await call("POST", conversationPaths.folderRestore(id))).toBe(204);
    expect(await folders()).toEqual([{ id, name: "Work", chats: 1 }]);
    expect(await history(`?folder=${id}`)).toMatchObject([{ id: chat, folderId: id }]);
  });

  it("deletes a folder that must be empty only without chats, archived and deleted ones included", async () => {
    const [used, unused] = [await createFolder("Used"), await createFolder("Unused")];
    const deleteEmpty = ({ id }: Folder) => call("DELETE", `${conversationPaths.folder(id)}?empty=true`);
    const chat = await chatIn(used.id);
    expect(await deleteEmpty(used)).toBe(404);
    await call("PATCH", `/chat/${chat}`, { isArchived: true });
    expect(await deleteEmpty(used)).toBe(404);
    await call("DELETE", `/chat/${chat}`);
    expect(await deleteEmpty(used)).toBe(404);
    expect(await deleteEmpty(unused)).toBe(204);
    expect(await folders()).toEqual([used]);
  });

  it("deleted folders are removed after an hour, but not their chats", async () => {
    const { id } = await createFolder("Work");
    const chat = await chatIn(id);
    await call("DELETE", conversationPaths.folder(id));
    clock.advance(HOUR + MINUTE + 1);
    expect(await call("POST", conversationPaths.folderRestore(id))).toBe(404);
    await app.context.sweep.run();
    const { database } = app.context;
    expect(await database.selectFrom("folders").selectAll().where("id", "=", id).execute()).toEqual([]);
    const rows = await database.selectFrom("chats").select("folder_id").where("id", "=", chat).execute();
    expect(rows).toEqual([{ folder_id: null }]);
  });

  it("folders are limited to two hundred, including restored ones", async () => {
    const first = await createFolder("First");
    await call("DELETE", conversationPaths.folder(first.id));
    const { database } = app.context;
    const row = { user_id: ada.user.id, name: "More", created_at: 0, deleted_at: null };
    const rows = Array.from({ length: 199 }, (_, position) => ({ ...row, id: newId(), position }));
    await database.insertInto("folders").values(rows).execute();
    await createFolder("Last");
    const refused = await create({ name: "Too many" });
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: "too-many-folders" }]);
    expect(await call("POST", conversationPaths.folderRestore(first.id))).toBe(409);
    expect(await folders()).toHaveLength(200);
  });

  it("folders are limited also for concurrent requests", async () => {
    const { database } = app.context;
    const row = { user_id: ada.user.id, name: "More", created_at: 0, deleted_at: null };
    const rows = Array.from({ length: 197 }, (_, position) => ({ ...row, id: newId(), position }));
    await database.insertInto("folders").values(rows).execute();
    const made = await Promise.all(Array.from({ length: 8 }, () => create({ name: "At once" })));
    expect(made.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(await folders()).toHaveLength(200);
  });

  it.each([{}, { name: "" }, { name: " \n" }, { name: "x".repeat(61) }, { name: 1 }])(
    "refuses a new folder of %j",
    async (body) => {
      const { id } = await createFolder("Work");
      expect((await create(body)).status).toBe(400);
      expect(await call("PATCH", conversationPaths.folder(id), body)).toBe(400);
      expect(await folders()).toEqual([{ id, name: "Work" }]);
    },
  );

  it.each([{ position: -1 }, { position: 1.5 }, { position: 201 }, { position: "0" }])(
    "refuses to change a folder to %j",
    async (body) => {
      const { id } = await createFolder("Work");
      expect(await call("PATCH", conversationPaths.folder(id), body)).toBe(400);
    },
  );

  it("H1 folders of other accounts are not accessible", async () => {
    const { id } = await createFolder("Work");
    const eve = await signUp(app);
    for (const folder of [id, newId()]) {
      expect(await call("PATCH", conversationPaths.folder(folder), { name: "Hers" }, eve)).toBe(404);
      expect(await call("DELETE", conversationPaths.folder(folder), undefined, eve)).toBe(404);
      expect(await call("POST", conversationPaths.folderRestore(folder), undefined, eve)).toBe(404);
    }
    expect(await folders()).toEqual([{ id, name: "Work" }]);
    expect((await app.call("GET", conversationPaths.folders)).status).toBe(401);
    expect((await app.call("POST", conversationPaths.folders, { body: { name: "Work" } })).status).toBe(401);
  });
});

it("sends folders to a reader that resumes only if they have changed meanwhile", async () => {
  const work = await createFolder("Work");
  const { start } = await followAccount(app, ada.token);
  const chat = await chatIn(work.id);
  await using reader = await followAccount(app, ada.token, start.at);
  const seen = await reader.until((event) => "chat" in event && event.chat.folderId === work.id);
  expect(seen.some((event) => "folders" in event)).toBe(false);
  expect(seen.at(-1)).toMatchObject({ chat: { id: chat } });
  await using earlier = await followAccount(app, ada.token, start.at - 1);
  expect(await earlier.next()).toEqual({ at: start.at, folders: [work] });
});
