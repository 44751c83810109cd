import { afterEach, describe, expect, test } from "vitest";
import type { ChatLocation } from "#contract/conversation/chats.ts";
import type { Folder } from "#contract/conversation/folders.ts";
import { type Api, ApiError } from "../../api/client.ts";
import { FakePage } from "../../testing/fakes/fake-tabs.ts";
import { ChatsFollower } from "../chats-follower.ts";
import { chatEvents } from "./chats-slice.ts";
import { createChatsStore } from "./chats-store.ts";
import { loadHistory, openChat } from "./chats-thunks.ts";

let lastFollower: ChatsFollower | undefined;

afterEach(() => lastFollower?.dispose());

/** Sets up a page of an account with one chat, `a`, whose server may be unreachable. */
function setUp() {
  const server = { isUnreachable: false, folders: [] as Folder[], location: {} as ChatLocation };
  const words = { box: "" };
  const held: PromiseWithResolvers<void>[] = [];
  const calls: string[] = [];
  const chat = { id: "a", title: "Title a", updatedAt: 1 };
  const api = {
    async get(path: string) {
      // The folders and the pinned chats can always be read.
      if (path === "/folders") return server.folders;
      if (path.includes("pinned=true")) return [];
      calls.push(`GET ${path.split("?")[0]}`);
      const { isUnreachable } = server;
      await held.at(-1)?.promise;
      if (isUnreachable) throw new ApiError(0, "No answer", { code: "unreachable" });
      return path.startsWith("/chat-history")
        ? [{ ...chat, ...server.location }]
        : { ...chat, id: path.split("/")[2] ?? "", messages: [] };
    },
  } as unknown as Api;
  const store = createChatsStore(api);
  const follower = new ChatsFollower({
    store,
    api,
    page: new FakePage(),
    saveWords: () => false,
    onReplyEnd: () => {},
    wordsIn: () => words.box,
  });
  lastFollower = follower;
  const readMissing = async () => {
    follower.readMissing();
    await expect.poll(() => chats().loading).toEqual([]);
  };
  const chats = () => store.getState().chats;
  const titles = () => chats().chats.map(({ title }) => title);
  return { server, words, held, calls, dispatch: store.dispatch, chats, titles, readMissing, follower };
}

async function loadWithoutServer() {
  const page = setUp();
  page.server.isUnreachable = true;
  await page.dispatch(loadHistory());
  await page.dispatch(openChat("a"));
  expect(page.chats()).toMatchObject({ currentChat: null, error: { chat: null } });
  page.server.isUnreachable = false;
  page.calls.length = 0;
  return page;
}

test("retries the failed reads of a page that was loaded while the server was unreachable", async () => {
  const { readMissing, chats, titles, calls } = await loadWithoutServer();
  await readMissing();
  expect(titles()).toEqual(["Title a"]);
  expect(chats()).toMatchObject({ currentChat: "a", error: null });
  await readMissing();
  expect(calls).toEqual(["GET /chat-history", "GET /chat/a"]);
});

test("a chat with a new draft, or a chat opened meanwhile, is not left by a retried read", async () => {
  const { readMissing, words, chats, titles, dispatch } = await loadWithoutServer();
  words.box = "Written since.";
  await readMissing();
  expect(titles()).toEqual(["Title a"]);
  expect(chats()).toMatchObject({ currentChat: null, error: null });
  words.box = "";
  await dispatch(openChat("b"));
  await dispatch(openChat(null));
  await readMissing();
  expect(chats().currentChat).toBeNull();
});

test("a retry reports a server that is still unreachable as before, and is repeated", async () => {
  const { server, readMissing, chats } = await loadWithoutServer();
  server.isUnreachable = true;
  await readMissing();
  expect(chats().error).not.toBeNull();
  server.isUnreachable = false;
  await readMissing();
  expect(chats()).toMatchObject({ currentChat: "a", error: null });
});

test("no requests are sent if no read failed", async () => {
  const { readMissing, dispatch, calls } = setUp();
  await dispatch(loadHistory());
  await readMissing();
  expect(calls).toEqual(["GET /chat-history"]);
});

describe("a chat chosen while the server was unreachable", () => {
  async function choose(box = "") {
    const page = setUp();
    page.words.box = box;
    await page.dispatch(loadHistory());
    await page.dispatch(openChat("a"));
    page.server.isUnreachable = true;
    await page.dispatch(openChat("b"));
    expect(page.chats()).toMatchObject({ currentChat: "a", error: { chat: null } });
    return page;
  }

  test("the chosen chat is opened once the server is reachable, and the banner is removed", async () => {
    const { server, readMissing, chats } = await choose();
    server.isUnreachable = false;
    await readMissing();
    expect(chats()).toMatchObject({ currentChat: "b", error: null });
  });

  test("the chosen chat is opened if the other chat had an older draft, but not if the draft was changed since", async () => {
    const page = await choose("Left from yesterday.");
    page.server.isUnreachable = false;
    page.words.box += " And now";
    await page.readMissing();
    expect(page.chats()).toMatchObject({ currentChat: "a", error: null });
    page.words.box = "Left from yesterday.";
    await page.readMissing();
    expect(page.chats()).toMatchObject({ currentChat: "b", error: null });
  });

  test.each(["a", null])("the next choice (%s) replaces the chosen chat and its banner", async (next) => {
    const { server, readMissing, chats, dispatch } = await choose();
    await dispatch(openChat(next));
    expect(chats()).toMatchObject({ currentChat: next, error: null });
    server.isUnreachable = false;
    await readMissing();
    expect(chats()).toMatchObject({ currentChat: next, error: null });
  });

  test("a chat that is opened later replaces the chosen one, whatever response arrives meanwhile", async () => {
    const { server, readMissing, chats, dispatch } = await choose();
    server.isUnreachable = false;
    await dispatch(openChat("c"));
    expect(chats()).toMatchObject({ currentChat: "c", error: null });
    await readMissing();
    expect(chats()).toMatchObject({ currentChat: "c", error: null });
  });

  test("a message sent in the other chat replaces the choice, and the address changes to that chat", async () => {
    const { server, follower, chats, dispatch } = await choose();
    dispatch(chatEvents.sendMessageWithAiStream({ chat: "a", key: "k", text: "Here" }));
    expect(chats()).toMatchObject({ error: null, destination: { chat: "a", replace: true } });
    server.isUnreachable = false;
    follower.readMissing();
    expect(chats()).toMatchObject({ currentChat: "a", opening: null });
  });

  test("the chosen chat is requested again when its failure arrives after the server became reachable", async () => {
    const { server, held, follower, dispatch, chats } = await choose();
    const late = Promise.withResolvers<void>();
    held.push(late);
    const opened = dispatch(openChat("c"));
    server.isUnreachable = false;
    follower.readMissing();
    held.length = 0;
    late.resolve();
    await opened;
    await expect.poll(() => chats()).toMatchObject({ currentChat: "c", error: null, loading: [] });
  });
});

test("a chat that was read while its folder was deleted is in it again once the folder is restored", async () => {
  const { server, calls, dispatch, chats, follower } = setUp();
  await dispatch(loadHistory());
  server.folders = [{ id: "f", name: "Work" }];
  server.location = { folderId: "f" };
  follower.change({ at: 2, folders: server.folders });
  await expect.poll(() => chats().chats[0]?.folderId).toBe("f");
  const count = calls.length;
  follower.change({ at: 3, folders: [{ id: "f", name: "Jobs" }] });
  expect(calls).toHaveLength(count);
});
