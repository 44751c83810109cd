import { beforeEach, expect, it } from "vitest";
import type { ChatListItem } from "#contract/conversation/chats.ts";
import type { Chat } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { DAY } from "#contract/limits.ts";
import { followAccount } from "../../testing/accounts/follow-account.ts";
import { signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../testing/app/dispose-after-all.ts";
import { startTestApp, TestClock } from "../../testing/app/start-test-app.ts";

const clock = new TestClock();
const app = disposeAfterAll(await startTestApp({ clock }));
let ada: TestAccount;
beforeEach(async () => {
  ada = await signUp(app);
});

const call = (method: string, path: string, body?: object, { token }: TestAccount = ada) =>
  app.call(method, path, { token, ...(body && { body }) });

async function create(body?: object, account = ada): Promise<string> {
  const response = await call("POST", conversationPaths.chats, body, account);
  return ((await response.json()) as Chat).id;
}

async function history(account = ada): Promise<string[]> {
  const response = await call("GET", conversationPaths.chatHistory, undefined, account);
  return ((await response.json()) as ChatListItem[]).map(({ id }) => id);
}

it("the sweep deletes empty chats of all accounts that nobody used for a day, and no younger ones", async () => {
  const other = await signUp(app);
  await create();
  await create({ effort: "high" });
  await create({}, other);
  clock.advance(DAY / 2);
  const younger = await create();
  await app.context.sweep.run();
  expect(await history()).toHaveLength(3);
  clock.advance(DAY / 2);
  await app.context.sweep.run();
  expect([await history(), await history(other)]).toEqual([[younger], []]);
  clock.advance(DAY / 2);
  await app.context.sweep.run();
  expect(await history()).toEqual([]);
});

it("the sweep keeps empty chats with a draft, a preset, instructions, a title, a pin, a folder, or an archive", async () => {
  const preset = await call("POST", conversationPaths.presets, {
    name: "P",
    instructions: "Rhyme.",
    model: null,
    temperature: null,
  });
  const folder = await call("POST", conversationPaths.folders, { name: "F" });
  const { id: presetId } = (await preset.json()) as { id: string };
  const { id: folderId } = (await folder.json()) as { id: string };
  const born = [{ presetId }, { instructions: "Rhyme." }, { folderId }];
  const kept = await Promise.all(born.map((body) => create(body)));
  const changes = [{ isPinned: true }, { title: "Later" }, { instructions: "Be brief." }];
  for (const change of changes) {
    const id = await create();
    expect((await call("PATCH", conversationPaths.chat(id), change)).status).toBe(204);
    kept.push(id);
  }
  const [drafted, asked, archived] = [await create(), await create(), await create()];
  await call("POST", `/chat/${asked}/message`, { role: "user", content: "How do tides work?" });
  await call("PATCH", conversationPaths.chat(archived), { isArchived: true });
  clock.advance(1000);
  expect((await call("PATCH", conversationPaths.chat(drafted), { isLatest: true })).status).toBe(204);
  clock.advance(2 * DAY);
  await app.context.sweep.run();
  expect(new Set(await history())).toEqual(new Set([...kept, drafted, asked]));
  expect((await call("GET", conversationPaths.chat(archived))).status).toBe(200);
});

it("a page that shows the list receives the deletion of an unused chat as an event", async () => {
  const deleted = await create();
  await using reader = await followAccount(app, ada.token);
  clock.advance(DAY);
  await app.context.sweep.run();
  expect(await reader.next()).toEqual({ at: reader.start.at + 1, deleted });
});
