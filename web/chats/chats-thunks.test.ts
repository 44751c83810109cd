import { expect, test } from "vitest";
import { ApiError } from "../api/client.ts";
import { chatEvents } from "./chats-slice.ts";
import { type Api, createChatsStore } from "./chats-store.ts";
import { openChat } from "./chats-thunks.ts";
import { deleteChats } from "./organise/change-chats.ts";

const gone = new ApiError(404, "No", { code: "not-found" });
/** What something between here and our server says. */
const someonesPage = (status: number) => new ApiError(status, "<html>Page</html>", { body: "<html>Page</html>" });

/** A history of one chat, `a`, at a server that answers with `cause`. */
function setUp(cause: ApiError) {
  const fail = () => Promise.reject(cause);
  const store = createChatsStore({ get: fail, delete: fail } as unknown as Api);
  const item = { id: "a", title: "T", updatedAt: 1 };
  store.dispatch(chatEvents.loadHistorySuccess({ chats: [item], hasMore: false, isNextPage: false }));
  return { dispatch: store.dispatch, chats: () => store.getState().chats };
}

test("a chat that our server does not know is opened as the welcome", async () => {
  const { dispatch, chats } = setUp(gone);
  await dispatch(openChat("a"));
  expect(chats()).toMatchObject({ error: null, currentChat: null, opening: null });
});

test.each([404, 502])("a %i of anything on the way to our server says nothing about a chat", async (status) => {
  const { dispatch, chats } = setUp(someonesPage(status));
  await dispatch(openChat("a"));
  expect(chats().error).not.toBeNull();
  await dispatch(deleteChats(["a"]));
  expect(chats()).toMatchObject({ chats: [{ id: "a" }], loading: [] });
  expect(chats().error).not.toBeNull();
});

test("the page of a proxy is not read out", async () => {
  const { dispatch, chats } = setUp(someonesPage(502));
  await dispatch(openChat("a"));
  expect(chats().error?.text).toMatch(/^The server could not be reached\./);
});

test("an answer without a word is told as what was tried", async () => {
  const { dispatch, chats } = setUp(new ApiError(503, "HTTP 503", { body: "" }));
  await dispatch(deleteChats(["a"]));
  expect(chats().error?.text).toBe("Failed to delete chat");
});

test.each([
  ["{}", "Failed to delete chat"],
  ['{"detail":"Not on Sundays"}', "Not on Sundays"],
  ['{"detail":{"message":"Not on Sundays"}}', "Not on Sundays"],
  ["Not on Sundays", "Not on Sundays"],
])("an answer %s that is not our server's is told as %j, never as JSON", async (body, sentence) => {
  const { dispatch, chats } = setUp(new ApiError(500, body, { body }));
  await dispatch(deleteChats(["a"]));
  expect(chats().error?.text).toBe(sentence);
});

test("a chat that is deleted already is deleted", async () => {
  const { dispatch, chats } = setUp(gone);
  await dispatch(deleteChats(["a"]));
  expect(chats()).toMatchObject({ chats: [], error: null, loading: [] });
});
