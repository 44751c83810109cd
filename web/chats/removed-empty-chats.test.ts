import { afterEach, expect, test } from "vitest";
import "../testing/english-texts.ts";
import type { Api } from "../api/client.ts";
import { FakePage } from "../testing/fakes/fake-tabs.ts";
import { clearNotifications, currentNotifications } from "../ui/notifications/notify.ts";
import { ChatsFollower } from "./chats-follower.ts";
import { chatEvents } from "./state/chats-slice.ts";
import { createChatsStore } from "./state/chats-store.ts";

afterEach(clearNotifications);

test.each([true, false])(
  "an open empty chat that the server removes is replaced by a new one (draft: %j)",
  (hasWords) => {
    const api = {} as Api;
    const store = createChatsStore(api);
    const other = { id: "b", title: "Tides", updatedAt: 9 };
    store.dispatch(chatEvents.loadHistorySuccess({ chats: [other], hasMore: false, isNextPage: false }));
    const chat = { id: "a", title: "New chat", isUntitled: true, updatedAt: 1, messages: [] };
    store.dispatch(chatEvents.createChatSuccess({ chat }));
    const saved: string[] = [];
    const saveWords = (id: string) => hasWords && saved.push(id) > 0;
    const parts = { store, api, page: new FakePage(), saveWords, onReplyEnd: () => {}, wordsIn: () => "" };
    const follower = new ChatsFollower(parts);
    follower.change({ at: 1, deleted: "a" });
    expect(store.getState().chats).toMatchObject({ currentChat: null, destination: { chat: null, replace: true } });
    expect(store.getState().chats.chats).toEqual([other]);
    expect(saved).toEqual(hasWords ? ["a"] : []);
    expect(currentNotifications()).toEqual([]);
    follower.dispose();
  },
);
