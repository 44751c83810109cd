import { describe, expect, test } from "vitest";
import "../../testing/english-texts.ts";
import { type Api, ApiError } from "../../api/client.ts";
import { deleteChats } from "../organise/change-chats.ts";
import { chatEvents } from "./chats-slice.ts";
import { createChatsStore } from "./chats-store.ts";
import { beginChat, openChat, refreshChat } from "./chats-thunks.ts";

const gone = new ApiError(404, "No", { code: "not-found" });
/** Error page of a proxy between the browser and our server. */
const someonesPage = (status: number) => new ApiError(status, "<html>Page</html>", { body: "<html>Page</html>" });

/** Sets up a history of one chat, `a`, and a server that rejects with `cause`. */
function setUp(cause: ApiError) {
  const fail = () => Promise.reject(cause);
  const store = createChatsStore({ get: fail, delete: fail } as unknown as Api);
  const item = { id: "a", title: "T", updatedAt: 1 };
  store.dispatch(chatEvents.loadHistorySuccess({ chats: [item], hasMore: false, isNextPage: false }));
  return { dispatch: store.dispatch, chats: () => store.getState().chats };
}

test("a chat that does not exist on our server leads to the welcome screen", async () => {
  const { dispatch, chats } = setUp(gone);
  await dispatch(openChat("a"));
  expect(chats()).toMatchObject({ error: null, currentChat: null, opening: null });
});

test.each([404, 502])("a %i from a proxy does not mean that the chat was deleted", async (status) => {
  const { dispatch, chats } = setUp(someonesPage(status));
  await dispatch(openChat("a"));
  expect(chats().error).not.toBeNull();
  await dispatch(deleteChats(["a"]));
  expect(chats()).toMatchObject({ chats: [{ id: "a" }], loading: [] });
  expect(chats().error).not.toBeNull();
});

test("the error page of a proxy is not shown", async () => {
  const { dispatch, chats } = setUp(someonesPage(502));
  await dispatch(openChat("a"));
  expect(chats().error?.text).toMatch(/^The server could not be reached\./);
});

test("an error with an empty body is described by the attempted action", async () => {
  const { dispatch, chats } = setUp(new ApiError(503, "HTTP 503", { body: "" }));
  await dispatch(deleteChats(["a"]));
  expect(chats().error?.text).toBe("Failed to delete chat");
});

test.each([
  ["{}", "Failed to delete chat"],
  ['{"detail":"Not on Sundays"}', "Not on Sundays"],
  ['{"detail":{"message":"Not on Sundays"}}', "Not on Sundays"],
  ["Not on Sundays", "Not on Sundays"],
])("an answer %s that is not from our server is reported as %j, never as JSON", async (body, sentence) => {
  const { dispatch, chats } = setUp(new ApiError(500, body, { body }));
  await dispatch(deleteChats(["a"]));
  expect(chats().error?.text).toBe(sentence);
});

test("deleting a chat that was already deleted succeeds", async () => {
  const { dispatch, chats } = setUp(gone);
  await dispatch(deleteChats(["a"]));
  expect(chats()).toMatchObject({ chats: [], error: null, loading: [] });
});

test("a title from an event stays if the event arrives while the chat is read again", async () => {
  const first = { id: "a", title: "The cut question", updatedAt: 1, messages: [] };
  const renamed = { ...first, title: "The model's title" };
  const reads = [Promise.withResolvers<typeof first>(), Promise.withResolvers<typeof first>()];
  let asked = 0;
  const store = createChatsStore({ get: () => reads[asked++]?.promise } as unknown as Api);
  store.dispatch(chatEvents.loadHistorySuccess({ chats: [first], hasMore: false, isNextPage: false }));
  store.dispatch(chatEvents.loadChatSuccess({ chat: first }));
  const read = store.dispatch(refreshChat("a"));
  store.dispatch(chatEvents.changeChat({ chat: { ...renamed, leaf: null, replyId: null } }));
  reads[0]?.resolve(first);
  reads[1]?.resolve(renamed);
  await read;
  expect(store.getState().chats.chats[0]?.title).toBe("The model's title");
  expect(store.getState().chats.conversations.a?.title).toBe("The model's title");
});

describe("the command New chat", () => {
  type Item = { id: string; isUntitled?: boolean; isPinned?: boolean; folderId?: string };
  type Read = { presetId?: string; instructions?: string; messages?: object[]; isUntitled?: boolean };

  /** Sets up a person with these chats and their versions on the server. */
  function person(list: Item[], server: Record<string, Read> = {}, drafts: string[] = []) {
    const calls: string[] = [];
    const chat = (id: string) => ({
      id,
      title: "New chat",
      isUntitled: true,
      updatedAt: 1,
      messages: [],
      ...server[id],
    });
    const api = {
      get: async (path: string) => {
        calls.push(`GET ${path}`);
        return chat(path.split("/")[2] ?? "");
      },
      patch: async (path: string, body: object) => void calls.push(`PATCH ${path} ${JSON.stringify(body)}`),
      post: async (path: string) => {
        calls.push(`POST ${path}`);
        return chat("made");
      },
    } as unknown as Api;
    const store = createChatsStore(api, undefined, (id) => drafts.includes(id));
    const chats = list.map((item, at) => ({ title: "New chat", updatedAt: 100 - at, ...item }));
    store.dispatch(chatEvents.loadHistorySuccess({ chats, hasMore: false, isNextPage: false }));
    return { calls, dispatch: store.dispatch, chats: () => store.getState().chats };
  }
  const [used, empty] = [{ id: "used" }, { id: "empty", isUntitled: true }];

  test("New chat opens the untouched empty chat at the top of the list, however often it is run", async () => {
    const { calls, dispatch, chats } = person([used, empty]);
    for (let times = 0; times < 3; times += 1) expect(await dispatch(beginChat())).toBe("empty");
    expect(chats()).toMatchObject({ currentChat: "empty", loading: [], destination: { chat: "empty" } });
    expect(chats().chats.map(({ id }) => id)).toEqual(["empty", "used"]);
    expect(calls.filter((call) => call.startsWith("POST"))).toEqual([]);
    expect(calls).toContain('PATCH /chat/empty {"isLatest":true}');
  });

  test.each([
    ["a draft", person([empty], {}, ["empty"])],
    ["messages from elsewhere", person([empty], { empty: { messages: [{}] } })],
    ["a title from elsewhere", person([empty], { empty: { isUntitled: false } })],
    ["instructions", person([empty], { empty: { instructions: "Rhyme." } })],
    ["a preset", person([empty], { empty: { presetId: "p" } })],
    ["a pin", person([{ ...empty, isPinned: true }])],
    ["a folder", person([{ ...empty, folderId: "f" }])],
    ["a title", person([{ id: "empty" }])],
  ])("New chat creates a chat if the empty chat has %s", async (_what, { calls, dispatch, chats }) => {
    expect(await dispatch(beginChat())).toBe("made");
    expect(chats()).toMatchObject({ currentChat: "made", loading: [] });
    expect(calls.filter((call) => call.startsWith("PATCH"))).toEqual([]);
  });

  test("New chat creates a chat when a preset was chosen for it", async () => {
    const { dispatch } = person([empty]);
    dispatch(chatEvents.guide({ chat: null, change: { presetId: "p" } }));
    expect(await dispatch(beginChat())).toBe("made");
  });
});
