import { afterEach, expect, test } from "vitest";
import type { ChatPlace } from "#contract/chats.ts";
import type { Folder } from "#contract/folders.ts";
import { ApiError } from "../api/client.ts";
import { FakePage } from "../api/fake-tabs.ts";
import { ChatsFollower } from "./chats-follower.ts";
import { type Api, createChatsStore } from "./chats-store.ts";
import { loadHistory, openChat } from "./chats-thunks.ts";

let follower: ChatsFollower | undefined;

afterEach(() => follower?.dispose());

/** A page of an account with one chat, `a`, whose server may be away. */
function setUp() {
  const server = { isAway: false, folders: [] as Folder[], place: {} as ChatPlace };
  const calls: string[] = [];
  const chat = { id: "a", title: "Title a", updatedAt: 1 };
  const api = {
    async get(path: string) {
      // What stands above the days.
      if (path === "/folders") return server.folders;
      if (path.includes("pinned=true")) return [];
      calls.push(`GET ${path.split("?")[0]}`);
      if (server.isAway) throw new ApiError(0, "No answer", { code: "unreachable" });
      return path.startsWith("/chat-history")
        ? [{ ...chat, ...server.place }]
        : { ...chat, id: path.split("/")[2] ?? "", messages: [] };
    },
  } as unknown as Api;
  const store = createChatsStore(api);
  const told = new ChatsFollower({ store, api, page: new FakePage(), saveWords: () => false, onReplyEnd: () => {} });
  follower = told;
  const readMissing = async (isBoxFree: boolean) => {
    told.readMissing(isBoxFree);
    await expect.poll(() => chats().loading).toEqual([]);
  };
  const chats = () => store.getState().chats;
  const titles = () => chats().chats.map(({ title }) => title);
  return { server, calls, dispatch: store.dispatch, chats, titles, readMissing, follower: told };
}

async function loadWithoutServer() {
  const page = setUp();
  page.server.isAway = true;
  await page.dispatch(loadHistory());
  await page.dispatch(openChat("a"));
  expect(page.chats()).toMatchObject({ currentChat: null, error: { chat: null } });
  page.server.isAway = false;
  page.calls.length = 0;
  return page;
}

test("a page that was loaded while the server was away is read once it is back", async () => {
  const { readMissing, chats, titles, calls } = await loadWithoutServer();
  await readMissing(true);
  expect(titles()).toEqual(["Title a"]);
  expect(chats()).toMatchObject({ currentChat: "a", error: null });
  await readMissing(true);
  expect(calls).toEqual(["GET /chat-history", "GET /chat/a"]);
});

test("nobody is taken away from what they are writing, or from where they have gone", async () => {
  const { readMissing, chats, titles, dispatch } = await loadWithoutServer();
  await readMissing(false);
  expect(titles()).toEqual(["Title a"]);
  expect(chats()).toMatchObject({ currentChat: null, error: null });
  await dispatch(openChat("b"));
  await dispatch(openChat(null));
  await readMissing(true);
  expect(chats().currentChat).toBeNull();
});

test("a server that is still away is told as before, and asked again", async () => {
  const { server, readMissing, chats } = await loadWithoutServer();
  server.isAway = true;
  await readMissing(true);
  expect(chats().error).not.toBeNull();
  server.isAway = false;
  await readMissing(true);
  expect(chats()).toMatchObject({ currentChat: "a", error: null });
});

test("where nothing was missed, nothing is asked for", async () => {
  const { readMissing, dispatch, calls } = setUp();
  await dispatch(loadHistory());
  await readMissing(true);
  expect(calls).toEqual(["GET /chat-history"]);
});

test("a chat that was read while its folder was gone is in it again once the folder is back", async () => {
  const { server, calls, dispatch, chats, follower: told } = setUp();
  await dispatch(loadHistory());
  server.folders = [{ id: "f", name: "Work" }];
  server.place = { folderId: "f" };
  told.change({ at: 2, folders: server.folders });
  await expect.poll(() => chats().chats[0]?.folderId).toBe("f");
  const count = calls.length;
  told.change({ at: 3, folders: [{ id: "f", name: "Jobs" }] });
  expect(calls).toHaveLength(count);
});
