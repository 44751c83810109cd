import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { conversationPaths } from "#contract/conversation/paths.ts";
import type { Preset } from "#contract/conversation/presets.ts";
import { modelPaths } from "#contract/models/paths.ts";
import { type Api, ApiError } from "../api/client.ts";
import { chatEvents } from "../chats/state/chats-slice.ts";
import { createChatsStore } from "../chats/state/chats-store.ts";
import { createChat } from "../chats/state/chats-thunks.ts";
import "../testing/english-texts.ts";
import { type ModelGroup, modelListSchema } from "#contract/models/models.ts";
import { ModelChoice } from "../models/model-choice.ts";
import { Query } from "../queries/query.ts";
import { clearNotifications, currentNotifications } from "../ui/notifications/notify.ts";
import { PresetChoice, selectPresetId } from "./preset-choice.ts";
import { PresetList } from "./preset-list.ts";

beforeEach(() => localStorage.clear());
afterEach(clearNotifications);

const a = { id: "a", title: "T", updatedAt: 1, messages: [] };
const models = [{ label: "GPT", models: [{ label: "small", value: "GPT:small", available: true }] }];
const poet: Preset = { id: "poet", name: "Poet", instructions: "", model: null, temperature: null };

/** Opens the chat `a` on a server whose responses to changes the test sends one by one. */
function setUp() {
  const patches: { body: unknown; answer: (refusal?: ApiError) => void }[] = [];
  const patch = (_path: string, body: unknown) =>
    new Promise<void>((resolve, reject) => {
      patches.push({ body, answer: (refusal) => (refusal ? reject(refusal) : resolve()) });
    });
  const open = vi.fn(async () => new Response());
  const post = vi.fn(async (_path: string, _body: unknown) => ({ ...a, id: "new", presetId: "poet" }));
  const calls = { patch, open, post } as unknown as Api;
  const store = createChatsStore(calls);
  store.dispatch(chatEvents.loadChatSuccess({ chat: a }));
  store.dispatch(chatEvents.selectChat({ chat: "a" }));
  const list = new PresetList(calls);
  const shown = () => selectPresetId(store.getState());
  return { store, list, calls, patches, open, post, shown, choice: new PresetChoice(store, list, calls) };
}

test("a chosen preset is shown at once, and choices are sent one by one, the last one last", async () => {
  const { choice, patches, shown } = setUp();
  choice.choose("poet");
  choice.choose("critic");
  choice.choose(null);
  choice.choose("judge");
  expect(shown()).toBe("judge");
  expect(patches.map(({ body }) => body)).toEqual([{ presetId: "poet" }]);
  patches[0]?.answer();
  await vi.waitFor(() => expect(patches).toHaveLength(2));
  patches[1]?.answer();
  expect(patches.map(({ body }) => body)).toEqual([{ presetId: "poet" }, { presetId: "judge" }]);
});

test("a refused preset is rolled back, with a notification", async () => {
  const { choice, patches, shown } = setUp();
  choice.choose("poet");
  patches[0]?.answer();
  await vi.waitFor(() => expect(shown()).toBe("poet"));
  await Promise.resolve();
  choice.choose("critic");
  await vi.waitFor(() => expect(patches).toHaveLength(2));
  patches[1]?.answer(new ApiError(404, "Gone", { code: "preset-gone" }));
  await vi.waitFor(() => expect(shown()).toBe("poet"));
  expect(currentNotifications().map(({ text }) => text)).toEqual(["This preset no longer exists."]);
});

test("a request for a reply waits for a pending choice of a preset; reading does not", async () => {
  const { choice, list, calls, patches, open } = setUp();
  const ordered = list.before(calls);
  choice.choose("poet");
  const asking = ordered.open("/chat/a/send?stream=1", { method: "POST" });
  await ordered.open("/chat/a/reply");
  expect(open).toHaveBeenCalledTimes(1);
  patches[0]?.answer();
  await asking;
  expect(open).toHaveBeenCalledTimes(2);
});

test("a new chat is created with the preset chosen for it, which applies to that chat only", async () => {
  const { store, choice, patches, post, shown } = setUp();
  store.dispatch(chatEvents.selectChat({ chat: null }));
  choice.choose("poet");
  expect([shown(), patches]).toEqual(["poet", []]);
  await store.dispatch(createChat());
  expect(post.mock.calls[0]?.[1]).toEqual({ presetId: "poet" });
  expect(shown()).toBe("poet");
  store.dispatch(chatEvents.selectChat({ chat: null }));
  expect(shown()).toBeNull();
});

test("the preset that another device has set applies here", () => {
  const { store, shown } = setUp();
  const chat = { id: "a", title: "T", updatedAt: 1, leaf: null, replyId: null, presetId: "poet", instructions: "Hm." };
  store.dispatch(chatEvents.changeChat({ chat }));
  expect([shown(), store.getState().chats.conversations.a?.instructions]).toEqual(["poet", "Hm."]);
  const { presetId: _, instructions: __, ...bare } = chat;
  store.dispatch(chatEvents.changeChat({ chat: bare }));
  expect([shown(), store.getState().chats.conversations.a?.instructions]).toEqual([null, ""]);
});

test("concurrent loads of presets share one read, and subscribers are notified", async () => {
  const get = vi.fn(async () => [poet]);
  const list = new PresetList({ get } as unknown as Api);
  const listener = vi.fn();
  list.subscribe(listener);
  await Promise.all([list.load(), list.load()]);
  expect(list.current()).toEqual([poet]);
  expect([get, listener].map((each) => each.mock.calls.length)).toEqual([1, 1]);
});

test("a failed read of presets is retried once when the server is reachable again", async () => {
  const warn = vi.spyOn(console, "warn");
  const unreachable = new ApiError(0, "No answer", { code: "unreachable" });
  const get = vi.fn(async (path: string): Promise<unknown> => (path === conversationPaths.presets ? [poet] : models));
  get.mockRejectedValueOnce(unreachable).mockRejectedValueOnce(unreachable);
  const calls = { get } as unknown as Api;
  const [list, choice] = [
    new PresetList(calls),
    new ModelChoice("1", new Query(() => calls.get(modelPaths.models, modelListSchema))),
  ];
  await Promise.all([list.load(), choice.load()]);
  expect([list.current(), choice.current().groups]).toEqual([[], []]);
  for (const each of [list, choice]) each.readMissing();
  await vi.waitFor(() => expect([list.current(), choice.current().groups]).toEqual([[poet], models]));
  for (const each of [list, choice]) each.readMissing();
  expect(get).toHaveBeenCalledTimes(4);
  // The browser has logged the network error already.
  expect(warn).not.toHaveBeenCalled();
});

test("the active preset's model is used, unless the person overrides it", async () => {
  const choice = new ModelChoice("1", new Query<ModelGroup[]>(async () => []));
  choice.choose("GPT:mine");
  choice.follow({ key: "a:poet", model: "CLAUDE:its" });
  expect(choice.current().value).toBe("CLAUDE:its");
  choice.choose("GPT:other");
  expect(choice.current().value).toBe("GPT:other");
  choice.follow(null);
  expect(choice.current().value).toBe("GPT:mine");
  choice.follow({ key: "a:poet", model: "CLAUDE:its" });
  expect(choice.current().value).toBe("GPT:other");
  choice.removeOverride("a:poet");
  expect(choice.current().value).toBe("CLAUDE:its");
  // The server reports a removed model.
  await choice.load();
  expect(choice.current().value).toBe("CLAUDE:its");
  choice.follow(null);
  expect(choice.current().value).toBe("GPT:mine");
});
