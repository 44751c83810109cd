import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ChatListItem } from "#contract/conversation/chats.ts";
import "../../testing/english-texts.ts";
import type { Api } from "../../api/client.ts";
import { SharedEvents } from "../../api/events/shared-events.ts";
import { fakeNotifications } from "../../testing/fakes/fake-notifications.ts";
import { FakeBrowser, FakePage, heldBody } from "../../testing/fakes/fake-tabs.ts";
import { ChatsFollower } from "../chats-follower.ts";
import { chatEvents } from "../state/chats-slice.ts";
import { createChatsStore } from "../state/chats-store.ts";
import { loadHistory } from "../state/chats-thunks.ts";
import { WaitingNotifications } from "./waiting-notifications.ts";

const opened: { dispose: () => void }[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  window.history.replaceState(null, "", "/chat?c=b");
});
afterEach(() => {
  for (const each of opened.splice(0)) each.dispose();
  window.history.replaceState(null, "", "/");
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const item = (id: string, updatedAt: number, more: Partial<ChatListItem> = {}): ChatListItem => ({
  id,
  title: `Title ${id}`,
  updatedAt,
  ...more,
});

/** Sets up one browser with tabs of one account, which follow one stream of events. */
function setUp(list: ChatListItem[] = [item("a", 2), item("b", 1)]) {
  const browser = new FakeBrowser();
  const stream = heldBody();
  const notifications = fakeNotifications();
  const api = {
    open: async () => stream.response(),
    get: async (path: string) =>
      path.startsWith("/chat-history") && !path.includes("pinned=true") ? structuredClone(list) : [],
    patch: async () => undefined,
  } as unknown as Api;
  const openTab = async (isVisible: boolean) => {
    const store = createChatsStore(api);
    const page = new FakePage();
    page.show(isVisible);
    const tabs = browser.tools();
    const follower = new ChatsFollower({
      store,
      api,
      page,
      saveWords: () => false,
      onReplyEnd: () => {},
      wordsIn: () => "",
    });
    const onChange = follower.change.bind(follower);
    const events = new SharedEvents({ api, account: "ada", tabs, page, onChange, onGap: () => follower.resync() });
    const isLeader = () => events.isLeader;
    const waiting = new WaitingNotifications({ account: "ada", store, page, tabs, isLeader });
    opened.push(waiting, events, follower);
    await store.dispatch(loadHistory());
    return { store, page };
  };
  let at = 1;
  const change = async (chat: ChatListItem) => {
    at += 1;
    stream.say({ at, chat: { ...chat, leaf: "r", replyId: null } });
    await vi.advanceTimersByTimeAsync(0);
  };
  const connect = async () => {
    stream.say({ at: 1, isReset: true });
    await settle();
  };
  return { ...notifications, list, openTab, change, connect };
}

const settle = () => vi.advanceTimersByTimeAsync(1000);

test("one of several tabs notifies when a chat begins to wait, with its title and nothing of its content", async () => {
  const { openTab, connect, change, shown } = setUp();
  await openTab(false);
  await openTab(true);
  await openTab(false);
  await connect();
  await change(item("a", 3, { isWriting: true }));
  await settle();
  expect(shown).toEqual([]);
  await change(item("a", 4, { isWaiting: true }));
  await settle();
  expect(shown.map(({ title, options: { body, tag } }) => ({ title, body, tag }))).toEqual([
    { title: "Title a", body: "Waits for your decision", tag: "parley-waiting:a" },
  ]);
});

test("no tab notifies while any tab visibly shows the chat", async () => {
  const { openTab, connect, change, titles } = setUp();
  await openTab(false);
  const other = await openTab(true);
  await connect();
  await change(item("b", 3, { isWaiting: true }));
  await settle();
  expect(titles()).toEqual([]);
  await change(item("b", 4));
  other.page.show(false);
  await change(item("b", 5, { isWaiting: true }));
  await settle();
  expect(titles()).toEqual(["Title b"]);
});

test("a tab that shows the settings does not count as showing the chat that it showed before", async () => {
  const { openTab, connect, change, titles } = setUp();
  await openTab(true);
  await connect();
  window.history.replaceState(null, "", "/settings/account");
  await change(item("b", 3, { isWaiting: true }));
  await settle();
  expect(titles()).toEqual(["Title b"]);
});

test("the notification closes when the chat does not wait any more, and with the sign-out", async () => {
  const { openTab, connect, change, titles } = setUp();
  await openTab(false);
  await connect();
  await change(item("a", 3, { isWaiting: true }));
  await change(item("b", 4, { isWaiting: true }));
  await settle();
  expect(titles()).toEqual(["Title a", "Title b"]);
  await change(item("a", 5, { isWriting: true }));
  await settle();
  expect(titles()).toEqual(["Title b"]);
  for (const each of opened.splice(0)) each.dispose();
  await settle();
  expect(titles()).toEqual([]);
});

test("a chat that is answered before the other tabs have answered shows no notification", async () => {
  const { openTab, connect, change, shown } = setUp();
  await openTab(false);
  await connect();
  await change(item("a", 3, { isWaiting: true }));
  await change(item("a", 4, { isWriting: true }));
  await settle();
  expect(shown).toEqual([]);
});

test("chats that have waited before the page was opened show no notification", async () => {
  const { openTab, connect, change, shown } = setUp([item("a", 2, { isWaiting: true }), item("b", 1)]);
  await openTab(false);
  await connect();
  await change(item("a", 2, { isWaiting: true, title: "Named" }));
  await settle();
  expect(shown).toEqual([]);
});

test("a waiting chat of an older page of the history shows no notification", async () => {
  const { openTab, connect, shown } = setUp();
  const { store } = await openTab(false);
  await connect();
  const older = [item("old", 0, { isWaiting: true })];
  store.dispatch(chatEvents.loadHistorySuccess({ chats: older, hasMore: false, isNextPage: true }));
  await settle();
  expect(shown).toEqual([]);
});

test("a chat that began to wait while events were missed shows its notification after the list was read again", async () => {
  const { openTab, connect, titles, list } = setUp();
  await openTab(false);
  list.unshift(item("new", 9, { isWaiting: true }));
  await connect();
  expect(titles()).toEqual(["Title new"]);
});

test("a click opens the chat in the tab, and closes the notification", async () => {
  const { openTab, connect, change, shown, titles } = setUp();
  await openTab(false);
  await connect();
  await change(item("a", 3, { isWaiting: true }));
  await settle();
  const focus = vi.spyOn(window, "focus").mockImplementation(() => {});
  const onNavigate = vi.fn();
  window.addEventListener("popstate", onNavigate, { once: true });
  shown[0]?.dispatchEvent(new Event("click"));
  expect(focus).toHaveBeenCalledOnce();
  expect(onNavigate).toHaveBeenCalledOnce();
  expect(window.location.pathname + window.location.search).toBe("/chat?c=a");
  expect(titles()).toEqual([]);
});

/** A registered service worker whose notifications outlive the tabs. */
function fakeWorker() {
  const worker = Object.assign(new EventTarget(), {
    shown: [] as { title: string; tag: string; data: unknown; close: () => void }[],
    getRegistration: async () => ({
      active: {},
      showNotification: async (title: string, { tag = "", data }: NotificationOptions) => {
        const close = () => worker.shown.splice(worker.shown.indexOf(notification), 1);
        const notification = { title, tag, data, close };
        worker.shown.push(notification);
      },
      getNotifications: async () => [...worker.shown],
    }),
  });
  vi.stubGlobal("navigator", Object.create(navigator, { serviceWorker: { value: worker } }));
  return worker;
}

test("a service worker shows the notification, and its message after a click opens the chat", async () => {
  const worker = fakeWorker();
  const { openTab, connect, change, shown } = setUp();
  await openTab(false);
  await connect();
  await change(item("a", 3, { isWaiting: true }));
  await settle();
  expect(shown).toEqual([]);
  expect(worker.shown).toMatchObject([{ title: "Title a", data: { chat: "a", address: "/chat?c=a" } }]);
  worker.dispatchEvent(new MessageEvent("message", { data: { openChat: "a" } }));
  expect(window.location.search).toBe("?c=a");
  await change(item("a", 4));
  await settle();
  expect(worker.shown).toEqual([]);
});

test("a notification of an earlier visit closes if its chat does not wait any more", async () => {
  const worker = fakeWorker();
  const { openTab, connect, change } = setUp();
  await openTab(false);
  await connect();
  await change(item("a", 3, { isWaiting: true }));
  await settle();
  const left = [...worker.shown];
  for (const each of opened.splice(0)) each.dispose();
  await settle();
  worker.shown.push(...left);
  const { openTab: openLater } = setUp();
  await openLater(false);
  await settle();
  expect(worker.shown).toEqual([]);
});
