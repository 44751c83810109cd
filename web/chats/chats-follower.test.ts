import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ChatListItem } from "#contract/conversation/chats.ts";
import type { Message } from "#contract/conversation/conversation.ts";
import "../testing/english-texts.ts";
import { type Api, ApiError } from "../api/client.ts";
import { FakePage } from "../testing/fakes/fake-tabs.ts";
import { closeNotification, currentNotifications } from "../ui/notifications/notify.ts";
import { tabCount } from "../ui/tab-count.ts";
import { ChatsFollower } from "./chats-follower.ts";
import { chatEvents } from "./state/chats-slice.ts";
import { createChatsStore } from "./state/chats-store.ts";
import { loadHistory, openChat } from "./state/chats-thunks.ts";

let lastFollower: ChatsFollower | undefined;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  lastFollower?.dispose();
  for (const { id } of currentNotifications()) closeNotification(id);
  vi.useRealTimers();
});

const item = (id: string, updatedAt = 1, more: Partial<ChatListItem> = {}) => ({
  id,
  title: `Title ${id}`,
  updatedAt,
  ...more,
});

function message(id: string, role: "user" | "assistant", content: string, state: Message["state"] = "complete") {
  return { id, role, content, state, parent: null, model: null, createdAt: 1 };
}

/** Sets up a server whose chats the test defines, and a page that follows it. */
function setUp(list: ChatListItem[] = [item("a", 2), item("b", 1)]) {
  const server = { list, messages: {} as Record<string, Message[]>, gone: new Set<string>() };
  const calls: string[] = [];
  const held: PromiseWithResolvers<void>[] = [];
  const state = { isHeld: false, saved: [] as string[], words: "", ended: [] as string[] };
  const api = {
    async get(path: string) {
      // No folders and no pinned chats.
      if (path === "/folders" || path.includes("pinned=true")) return [];
      calls.push(`GET ${path.split("?")[0]}`);
      const answer = path.startsWith("/chat-history")
        ? structuredClone(server.list)
        : readChat(path.split("/")[2] ?? "");
      if (state.isHeld) {
        const hold = Promise.withResolvers<void>();
        held.push(hold);
        await hold.promise;
      }
      return answer;
    },
    async patch(path: string, body: unknown) {
      calls.push(`PATCH ${path} ${JSON.stringify(body)}`);
    },
    async delete(path: string) {
      calls.push(`DELETE ${path}`);
    },
  } as unknown as Api;
  function readChat(id: string) {
    if (server.gone.has(id)) throw new ApiError(404, "No", { code: "not-found" });
    const known = server.list.find((each) => each.id === id) ?? item(id);
    return { id, title: known.title, updatedAt: known.updatedAt, messages: server.messages[id] ?? [] };
  }
  const store = createChatsStore(api);
  const page = new FakePage();
  lastFollower = new ChatsFollower({
    store,
    api,
    page,
    saveWords: (chat) => {
      state.saved.push(chat);
      return state.words !== "";
    },
    onReplyEnd: (chat) => state.ended.push(chat),
    wordsIn: () => state.words,
  });
  const follower = lastFollower;
  let at = 1;
  const change = async (chat: ChatListItem, leaf: string | null = null, replyId: string | null = null) => {
    at += 1;
    follower.change({ at, chat: { ...chat, leaf, replyId } });
    await vi.advanceTimersByTimeAsync(0);
  };
  const remove = async (deleted: string) => {
    at += 1;
    follower.change({ at, deleted });
    await vi.advanceTimersByTimeAsync(0);
  };
  const chats = () => store.getState().chats;
  const titles = () => chats().chats.map(({ title }) => title);
  const words = (id: string) => chats().conversations[id]?.messages.map(({ content }) => content);
  const load = () => store.dispatch(loadHistory());
  const letGo = async () => {
    state.isHeld = false;
    for (const { resolve } of held.splice(0)) resolve();
    await vi.advanceTimersByTimeAsync(0);
  };
  const { dispatch } = store;
  return { server, calls, state, dispatch, page, follower, change, remove, chats, titles, words, load, letGo };
}

describe("events of the list", () => {
  test("events insert new chats, change titles and the order of activity in the list", async () => {
    const { change, titles, load } = setUp();
    await load();
    await change({ ...item("c", 9), title: "From elsewhere" });
    await change({ ...item("b", 1), title: "Named" });
    expect(titles()).toEqual(["From elsewhere", "Title a", "Named"]);
    await change(item("b", 10));
    expect(titles()).toEqual(["Title b", "From elsewhere", "Title a"]);
  });

  test("events mark running and waiting replies and unread chats, and a hidden page counts those", async () => {
    const { page, change, chats, load } = setUp();
    await load();
    await change(item("a", 3, { isWriting: true }), "r", "r");
    expect(chats().chats[0]).toMatchObject({ id: "a", isWriting: true });
    await change(item("a", 3, { isUnread: true }), "r");
    expect(chats().chats[0]).toEqual(item("a", 3, { isUnread: true }));
    await change(item("a", 3, { isWaiting: true }), "r");
    page.show(false);
    expect([chats().chats[0], tabCount.get()]).toEqual([item("a", 3, { isWaiting: true }), 1]);
  });

  test("an event does not insert a chat of a page that was not read", async () => {
    const { change, dispatch, titles, load } = setUp();
    await load();
    dispatch(chatEvents.loadHistorySuccess({ chats: [item("a", 9), item("b", 8)], hasMore: true, isNextPage: false }));
    await change({ ...item("old", 1), title: "Old" });
    expect(titles()).toEqual(["Title a", "Title b"]);
  });

  test("the list keeps changes received while it was being read", async () => {
    const { state, change, remove, titles, load, letGo } = setUp();
    state.isHeld = true;
    const loading = load();
    await change({ ...item("c", 9), title: "New" });
    await remove("b");
    await letGo();
    await loading;
    expect(titles()).toEqual(["New", "Title a"]);
  });

  test("the list is read again when events were missed, also while it is being read", async () => {
    const { server, state, calls, follower, titles, load, letGo } = setUp();
    state.isHeld = true;
    const loading = load();
    server.list = [item("z", 5)];
    follower.resync();
    await letGo();
    await loading;
    await vi.advanceTimersByTimeAsync(0);
    expect(titles()).toEqual(["Title z"]);
    expect(calls).toEqual(["GET /chat-history", "GET /chat-history"]);
  });
});

describe("events of the open chat", () => {
  const turn = [message("q", "user", "Q"), message("r", "assistant", "A")];

  test("the open chat shows a turn from another page once", async () => {
    const { server, calls, dispatch, change, words, load } = setUp();
    await load();
    await dispatch(openChat("a"));
    server.messages.a = turn;
    await change(item("a", 3), "r");
    expect(words("a")).toEqual(["Q", "A"]);
    await change({ ...item("a", 3), title: "Named" }, "r");
    expect(calls.filter((call) => call === "GET /chat/a")).toHaveLength(2);
  });

  test("the open chat shows a reply that is being written elsewhere", async () => {
    const { server, dispatch, change, chats, load } = setUp();
    await load();
    await dispatch(openChat("a"));
    server.messages.a = [message("q", "user", "Q"), message("r", "assistant", "Ha", "writing")];
    await change(item("a", 3, { isWriting: true }), "r", "r");
    expect(chats().conversations.a?.messages.at(-1)).toMatchObject({ id: "r", state: "writing", content: "Ha" });
  });

  test("the open chat shows the end of a reply that this page does not follow", async () => {
    const { server, state, dispatch, change, chats, load } = setUp();
    server.messages.a = [message("q", "user", "Q"), message("r", "assistant", "Ha", "writing")];
    await load();
    await dispatch(openChat("a"));
    server.messages.a = turn;
    await change(item("a", 3), "r");
    expect(chats().conversations.a?.messages.at(-1)).toMatchObject({ state: "complete", content: "A" });
    expect(state.ended).toEqual(["a"]);
  });

  test("the open chat is not read again for a reply that this page follows", async () => {
    const { calls, dispatch, change, load } = setUp();
    await load();
    await dispatch(openChat("a"));
    dispatch(chatEvents.sendMessageWithAiStream({ chat: "a", key: "k", text: "Q" }));
    await change(item("a", 3, { isWriting: true }), "r", "r");
    expect(calls.filter((call) => call === "GET /chat/a")).toHaveLength(1);
  });

  test("a chat is read again when it changed while it was being opened", async () => {
    const { server, state, dispatch, change, words, load, letGo } = setUp();
    await load();
    state.isHeld = true;
    const opening = dispatch(openChat("a"));
    server.messages.a = turn;
    await change(item("a", 3), "r");
    await letGo();
    await opening;
    await vi.advanceTimersByTimeAsync(0);
    expect(words("a")).toEqual(["Q", "A"]);
  });

  test("the open chat and the list are read again when events were missed", async () => {
    const { server, dispatch, follower, words, titles, load } = setUp();
    await load();
    await dispatch(openChat("a"));
    server.messages.a = turn;
    server.list = [{ ...item("a"), title: "Renamed" }];
    follower.resync();
    await vi.advanceTimersByTimeAsync(0);
    expect(words("a")).toEqual(["Q", "A"]);
    expect(titles()).toEqual(["Renamed"]);
  });
});

describe("events of a chat deleted elsewhere", () => {
  test("a deleted chat leaves the list, without a notification if it was not open", async () => {
    const { dispatch, remove, chats, titles, load } = setUp();
    await load();
    await dispatch(openChat("a"));
    await remove("b");
    expect(titles()).toEqual(["Title a"]);
    expect(chats().currentChat).toBe("a");
    expect(currentNotifications()).toEqual([]);
  });

  test("a deleted open chat is replaced by the next one, with a notification", async () => {
    const { dispatch, remove, chats, load } = setUp();
    await load();
    await dispatch(openChat("a"));
    await remove("a");
    expect(chats()).toMatchObject({ currentChat: "b", destination: { chat: "b", replace: true } });
    expect(currentNotifications()[0]?.text).toBe("“Title a” was deleted in another window or on another device.");
  });

  test("the draft of a deleted chat moves to the box of a new one", async () => {
    const { state, dispatch, remove, chats, load } = setUp();
    await load();
    await dispatch(openChat("a"));
    state.words = "Half a sent";
    await remove("a");
    expect(chats()).toMatchObject({ currentChat: null, destination: { chat: null, replace: true } });
    expect(currentNotifications()[0]?.text).toContain("Your draft was moved to a new chat.");
  });

  test("a chat deleted while the page was suspended is removed when it resumes", async () => {
    const { server, dispatch, follower, chats, load } = setUp();
    await load();
    await dispatch(openChat("a"));
    server.gone.add("a");
    server.list = [item("b")];
    follower.resync();
    await vi.advanceTimersByTimeAsync(0);
    expect(chats()).toMatchObject({ currentChat: "b", chats: [item("b")] });
  });

  test("a deletion by this page causes no notification", async () => {
    const { state, dispatch, remove, chats, load } = setUp();
    await load();
    await dispatch(openChat("a"));
    dispatch(chatEvents.deleteChat({ chat: "a" }));
    await remove("a");
    expect(chats()).toMatchObject({ currentChat: "b", loading: [] });
    expect(state.saved).toEqual([]);
    expect(currentNotifications()).toEqual([]);
  });
});

describe("unread answers", () => {
  const unread = item("a", 3, { isUnread: true });
  const marks = (calls: string[]) => calls.filter((call) => call.startsWith("PATCH"));

  test("an unread answer is marked as read once it is on the screen, by one request", async () => {
    const { server, calls, dispatch, change, chats, load } = setUp();
    server.messages.a = [message("r", "assistant", "A")];
    await load();
    await dispatch(openChat("a"));
    await change(unread, "r");
    expect(marks(calls)).toEqual(['PATCH /chat/a {"isUnread":false}']);
    expect(chats().chats[0]?.isUnread).toBe(false);
    await change(item("a", 3), "r");
    expect(marks(calls)).toHaveLength(1);
  });

  test("an answer is marked as read even if it was reported as unread before its text arrived", async () => {
    const { calls, dispatch, change, load } = setUp();
    await load();
    await dispatch(openChat("a"));
    dispatch(chatEvents.sendMessageWithAiStream({ chat: "a", key: "k", text: "Q" }));
    await change(unread, "r");
    dispatch(chatEvents.receiveStreamStart({ chat: "a", reply: "r", at: 3 }));
    expect(marks(calls)).toEqual([]);
    dispatch(chatEvents.completeStream({ chat: "a" }));
    expect(marks(calls)).toHaveLength(1);
  });

  test("an answer stays unread until its chat is open on a visible page", async () => {
    const { server, calls, page, dispatch, change, load } = setUp();
    server.messages.a = [message("r", "assistant", "A")];
    await load();
    await dispatch(openChat("b"));
    await change(unread, "r");
    expect(marks(calls)).toEqual([]);
    page.show(false);
    await dispatch(openChat("a"));
    expect(marks(calls)).toEqual([]);
    expect(tabCount.get()).toBe(1);
    page.show(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(marks(calls)).toHaveLength(1);
    expect(tabCount.get()).toBe(0);
  });
});

describe("the title of a new chat", () => {
  const asked = async (isLive: boolean) => {
    const { server, calls, dispatch, chats, follower, load } = setUp();
    follower.isLive = () => isLive;
    await load();
    await dispatch(openChat("a"));
    dispatch(chatEvents.sendMessageWithAiStream({ chat: "a", key: "k", text: "Q" }));
    dispatch(chatEvents.completeStream({ chat: "a" }));
    server.list = [{ ...item("a"), title: "Named" }];
    const before = calls.length;
    await vi.advanceTimersByTimeAsync(60_000);
    return { title: chats().conversations.a?.title, reads: calls.length - before };
  };

  test("the title of a new chat is read once without live events", async () => {
    expect(await asked(false)).toEqual({ title: "Named", reads: 1 });
  });

  test("the title of a new chat is not read with live events", async () => {
    expect(await asked(true)).toMatchObject({ reads: 0 });
  });
});
