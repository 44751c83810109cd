import { expect, test } from "vitest";
import "../../testing/english-texts.ts";
import { type Api, ApiError, type ApiOptions } from "../../api/client.ts";
import { deleteChats } from "../organise/change-chats.ts";
import { chatEvents } from "./chats-slice.ts";
import { createChatsStore } from "./chats-store.ts";
import { createChat, openChat, refreshChat } from "./chats-thunks.ts";

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

test("a chat that does not exist on our server leads to the welcome screen, with a sentence", async () => {
  const { dispatch, chats } = setUp(gone);
  await dispatch(openChat("a"));
  expect(chats()).toMatchObject({ currentChat: null, opening: null });
  expect(chats().error?.text).toBe("That chat no longer exists.");
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

test("each run of the command New chat creates a chat, on top and current, although an empty one is there", async () => {
  const keys: unknown[] = [];
  const post = async (_path: string, _body: unknown, _schema: unknown, { headers }: ApiOptions) => {
    keys.push(headers?.["idempotency-key"]);
    return { id: `new${keys.length}`, title: "New chat", isUntitled: true, updatedAt: 1, messages: [] };
  };
  const store = createChatsStore({ post } as unknown as Api);
  const { dispatch } = store;
  const chats = [{ id: "empty", title: "New chat", isUntitled: true, updatedAt: 0 }];
  dispatch(chatEvents.loadHistorySuccess({ chats, hasMore: false, isNextPage: false }));
  for (const id of ["new1", "new2"]) {
    expect(await dispatch(createChat())).toBe(id);
    expect(store.getState().chats).toMatchObject({ currentChat: id, loading: [], destination: { chat: id } });
  }
  expect(store.getState().chats.chats.map(({ id }) => id)).toEqual(["new2", "new1", "empty"]);
  expect(new Set(keys).size).toBe(2);
});
