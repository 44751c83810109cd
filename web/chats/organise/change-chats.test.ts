import { afterEach, describe, expect, test, vi } from "vitest";
import type { ChatListItem } from "#contract/conversation/chats.ts";
import "../../testing/english-texts.ts";
import { type Api, ApiError } from "../../api/client.ts";
import { clearNotifications, currentNotifications, runLatestAction } from "../../ui/notifications/notify.ts";
import { chatEvents } from "../state/chats-slice.ts";
import { createChatsStore } from "../state/chats-store.ts";
import { changeChats, deleteChats, renameChat } from "./change-chats.ts";
import { createFolder, deleteFolder, moveFolder, renameFolder, toggleFolder } from "./folders/change-folders.ts";

afterEach(clearNotifications);

const refusal = new ApiError(500, "No", { code: "internal" });
const a: ChatListItem = { id: "a", title: "First", updatedAt: 3, isWriting: true };
const b: ChatListItem = { id: "b", title: "Second", updatedAt: 2 };
const [x, y, z] = ["x", "y", "z"].map((id) => ({ id, name: id.toUpperCase() })) as [Folder, Folder, Folder];
type Folder = { id: string; name: string };

/** Sets up a server whose responses the test sends. */
function setUp() {
  const calls: [string, string, unknown][] = [];
  const answers: PromiseWithResolvers<unknown>[] = [];
  const call = (method: string) => (path: string, body?: unknown) => {
    calls.push([method, path, body]);
    const answer = Promise.withResolvers<unknown>();
    answers.push(answer);
    return answer.promise;
  };
  const api = { get: call("GET"), post: call("POST"), patch: call("PATCH"), delete: call("DELETE") };
  const store = createChatsStore(api as unknown as Api);
  const read = { chats: [a, b], hasMore: false, isNextPage: false, folders: [x, y, z] };
  store.dispatch(chatEvents.loadHistorySuccess(read));
  const chats = () => store.getState().chats;
  const item = (id: string) => chats().chats.find((chat) => chat.id === id);
  const names = () => chats().folders.map(({ name }) => name);
  const receiveChange = (chat: ChatListItem) =>
    store.dispatch(chatEvents.changeChat({ chat: { ...chat, leaf: null, replyId: null } }));
  const answer = (value: unknown) => answers.shift()?.resolve(value);
  const refuse = (cause = refusal) => answers.shift()?.reject(cause);
  return { dispatch: store.dispatch, chats, item, names, receiveChange, answer, answers, refuse, calls };
}

test("a refused pin is rolled back, and no other changes made meanwhile", async () => {
  const { dispatch, item, receiveChange, refuse } = setUp();
  const pinning = dispatch(changeChats(["a"], { isPinned: true }));
  receiveChange({
    id: "a",
    title: "Named",
    updatedAt: 9,
    isPinned: true,
    folderId: "x",
    isWriting: false,
    isUnread: true,
  });
  refuse();
  await pinning;
  expect(item("a")).toEqual({
    id: "a",
    title: "Named",
    updatedAt: 9,
    folderId: "x",
    isWriting: false,
    isUnread: true,
  });
});

test("a change refused by the rate limit is rolled back, and shows the time to wait", async () => {
  const { dispatch, chats, item, refuse } = setUp();
  const before = chats().chats;
  const filing = dispatch(changeChats(["a", "b"], { folderId: "x" }));
  expect([item("a")?.folderId, item("b")?.folderId]).toEqual(["x", "x"]);
  refuse(new ApiError(429, "No", { code: "too-many-requests", retryAfterMs: 42_000 }));
  await filing;
  expect(chats().chats).toEqual(before);
  expect(currentNotifications().map(({ text }) => text)).toEqual(["Too many requests. Please wait 42 seconds."]);
});

test("a move into a closed folder is announced with Undo, which moves each chat back", async () => {
  const { dispatch, item, receiveChange, answer, calls } = setUp();
  receiveChange({ ...b, folderId: "y" });
  const moving = dispatch(changeChats(["a", "b"], { folderId: "x" }));
  answer({ changed: ["a", "b"] });
  await moving;
  expect(currentNotifications().map(({ text, action }) => [text, action?.label])).toEqual([
    ["2 chats moved to X", "Undo"],
  ]);
  runLatestAction();
  expect([item("a")?.folderId, item("b")?.folderId]).toEqual([undefined, "y"]);
  answer({ changed: ["a"] });
  await vi.waitFor(() => expect(calls).toHaveLength(3));
  answer({ changed: ["b"] });
  expect(calls.slice(1).map(([, , body]) => body)).toEqual([
    { ids: ["a"], change: { folderId: null } },
    { ids: ["b"], change: { folderId: "y" } },
  ]);
});

describe("Undo of a move into a folder that the move has created", () => {
  async function fillNewFolder() {
    const made = setUp();
    const creating = made.dispatch(createFolder("New", ["a"]));
    made.answer({ id: "n", name: "New" });
    await vi.waitFor(() => expect(made.calls).toHaveLength(2));
    made.answer({ changed: ["a"] });
    await creating;
    return made;
  }

  test("removes the folder", async () => {
    const { calls, names, answer } = await fillNewFolder();
    expect(names()).toEqual(["X", "Y", "Z", "New"]);
    runLatestAction();
    answer({ changed: ["a"] });
    await vi.waitFor(() => expect(calls).toHaveLength(4));
    expect(calls[3]).toEqual(["DELETE", "/folders/n?empty=true", undefined]);
    answer(undefined);
    await vi.waitFor(() => expect(names()).toEqual(["X", "Y", "Z"]));
  });

  test("removes the folder after all chats of one notification have left it", async () => {
    const { dispatch, calls, chats, names, answer, answers } = await fillNewFolder();
    const moving = dispatch(changeChats(["b"], { folderId: "n" }));
    answer({ changed: ["b"] });
    await moving;
    runLatestAction();
    // The requests are answered in the reverse order.
    const newer = answers.shift();
    answer({ changed: ["a"] });
    await vi.waitFor(() => expect(chats().announcement).toBe("Undone"));
    expect(calls).toHaveLength(5);
    newer?.resolve({ changed: ["b"] });
    await vi.waitFor(() => expect(calls).toHaveLength(6));
    expect(calls.slice(3)).toEqual([
      ["POST", "/chat-batch", { ids: ["b"], change: { folderId: null } }],
      ["POST", "/chat-batch", { ids: ["a"], change: { folderId: null } }],
      ["DELETE", "/folders/n?empty=true", undefined],
    ]);
    answer(undefined);
    await vi.waitFor(() => expect(names()).toEqual(["X", "Y", "Z"]));
  });

  test("keeps a folder that was renamed, or that the server has found in use", async () => {
    const renamed = await fillNewFolder();
    const renaming = renamed.dispatch(renameFolder("n", "Named"));
    renamed.answer(undefined);
    await renaming;
    runLatestAction();
    renamed.answer({ changed: ["a"] });
    await vi.waitFor(() => expect(renamed.chats().announcement).toBe("Undone"));
    const used = await fillNewFolder();
    runLatestAction();
    used.answer({ changed: ["a"] });
    await vi.waitFor(() => expect(used.calls).toHaveLength(4));
    used.refuse(new ApiError(404, "No", { code: "not-found" }));
    expect(used.names()).toEqual(["X", "Y", "Z", "New"]);
    expect(currentNotifications()).toEqual([]);
    expect(renamed.calls.map(([method]) => method)).not.toContain("DELETE");
  });
});

test("the notification of a change names one chat, counts those of several changes, and undoes all of them", async () => {
  const { dispatch, item, answer, calls } = setUp();
  const texts = () => currentNotifications().map(({ text }) => text);
  const first = dispatch(deleteChats(["a"]));
  answer(undefined);
  await first;
  expect(texts()).toEqual(["“First” deleted"]);
  const second = dispatch(deleteChats(["b"]));
  answer(undefined);
  await second;
  expect(texts()).toEqual(["2 chats deleted"]);
  runLatestAction();
  answer({ changed: ["b"] });
  answer({ changed: ["a"] });
  await expect.poll(() => [item("a")?.id, item("b")?.id]).toEqual(["a", "b"]);
  expect(calls.slice(2).map(([, , body]) => body)).toEqual([
    { ids: ["b"], change: { isDeleted: false } },
    { ids: ["a"], change: { isDeleted: false } },
  ]);
});

test("a refused Undo of a move leaves the chat in the folder", async () => {
  const { dispatch, item, answer, refuse } = setUp();
  const moving = dispatch(changeChats(["a"], { folderId: "x" }));
  answer({ changed: ["a"] });
  await moving;
  runLatestAction();
  refuse();
  await vi.waitFor(() => expect(item("a")?.folderId).toBe("x"));
  expect(currentNotifications().map(({ text }) => text)).toEqual([
    "Something went wrong on our side. Please try again.",
  ]);
});

test("a move into an open folder is only announced: the chat can be seen there", async () => {
  const { dispatch, chats, answer } = setUp();
  dispatch(toggleFolder("1", "x"));
  const moving = dispatch(changeChats(["a"], { folderId: "x" }));
  answer({ changed: ["a"] });
  await moving;
  expect(currentNotifications()).toEqual([]);
  expect(chats().announcement).toBe("Chat moved to X");
});

test("the rollback of a refused change does not restore a chat deleted meanwhile", async () => {
  const { dispatch, item, refuse } = setUp();
  const pinning = dispatch(changeChats(["b"], { isPinned: true }));
  dispatch(chatEvents.dropChat({ chat: "b", isLeft: false }));
  refuse();
  await pinning;
  expect(item("b")).toBeUndefined();
});

test("a refused name is rolled back alone, unless the chat was renamed meanwhile", async () => {
  const { dispatch, item, receiveChange, refuse } = setUp();
  const renaming = dispatch(renameChat("a", "Mine"));
  receiveChange({ id: "a", title: "Mine", updatedAt: 9, isPinned: true });
  refuse();
  await renaming;
  expect(item("a")).toEqual({ id: "a", title: "First", updatedAt: 9, isPinned: true });
  const again = dispatch(renameChat("a", "Mine"));
  receiveChange({ id: "a", title: "Somebody’s", updatedAt: 9 });
  refuse();
  await again;
  expect(item("a")?.title).toBe("Somebody’s");
});

test("a refused archiving shows the chat again", async () => {
  const { dispatch, item, refuse } = setUp();
  const archiving = dispatch(changeChats(["b"], { isArchived: true }));
  expect(item("b")).toBeUndefined();
  refuse();
  await archiving;
  expect(item("b")).toMatchObject(b);
  expect(currentNotifications().map(({ type }) => type)).toEqual(["error"]);
});

test("Undo shows archived chats at once, and removes them again if the server refuses", async () => {
  const { dispatch, item, answer, refuse } = setUp();
  const archiving = dispatch(changeChats(["a", "b"], { isArchived: true }));
  answer({ changed: ["a", "b"] });
  await archiving;
  runLatestAction();
  expect(item("a")).toEqual({ ...a, isWriting: false });
  expect(item("b")).toMatchObject(b);
  refuse();
  await expect.poll(() => item("b")).toBeUndefined();
});

test("a folder moves at once, and back if the server refuses", async () => {
  const { dispatch, chats, names, calls, answer, refuse } = setUp();
  const up = dispatch(moveFolder("z", 1));
  expect(names()).toEqual(["X", "Z", "Y"]);
  answer(undefined);
  await up;
  expect(calls).toEqual([["PATCH", "/folders/z", { position: 1 }]]);
  expect(chats().announcement).toBe("Folder Z is now number 2 of 3");
  const down = dispatch(moveFolder("x", 1));
  expect(names()).toEqual(["Z", "X", "Y"]);
  refuse();
  await down;
  expect(names()).toEqual(["X", "Z", "Y"]);
});

test("the rollback of refused folder changes keeps changes made meanwhile", async () => {
  const { dispatch, names, refuse } = setUp();
  const renaming = dispatch(renameFolder("x", "Mine"));
  dispatch(chatEvents.organise({ folders: [{ ...x, name: "Mine" }, y, z, { id: "n", name: "New" }] }));
  refuse();
  await renaming;
  expect(names()).toEqual(["X", "Y", "Z", "New"]);
  const deleting = dispatch(deleteFolder(y));
  dispatch(chatEvents.organise({ folders: [{ ...x, name: "Named" }, z] }));
  refuse();
  await deleting;
  expect(names()).toEqual(["Named", "Y", "Z"]);
});

test("chats that were read while their folder was deleted are in it again after Undo", async () => {
  const { dispatch, item, calls, answer } = setUp();
  const deleting = dispatch(deleteFolder(x));
  answer(undefined);
  await deleting;
  runLatestAction();
  answer(undefined);
  await expect.poll(() => calls.length).toBe(5);
  expect(calls.slice(1).map(([method, path]) => `${method} ${path.split("?")[0]}`)).toEqual([
    "POST /folders/x/restore",
    "GET /chat-history",
    "GET /chat-history",
    "GET /folders",
  ]);
  answer([a, { ...b, folderId: "x" }]);
  answer([]);
  answer([x, y, z]);
  await expect.poll(() => item("b")?.folderId).toBe("x");
});
