import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import "../testing/english-texts.ts";
import { ApiError } from "../api/client.ts";
import { createChatsStore } from "../chats/state/chats-store.ts";
import { openChat } from "../chats/state/chats-thunks.ts";
import { UNREACHABLE } from "../testing/replies-set-up.ts";
import { POSITION, SEND, setUpTabs } from "../testing/set-up-tabs.ts";
import { Replies } from "./replies.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("outages of a reply without a slot", () => {
  async function follow() {
    const made = setUpTabs();
    await made.takeAll();
    const { page, api, join } = made.openTab();
    page.show(false);
    made.state.content = "Hello";
    const store = createChatsStore(api);
    const conversation = () => store.getState().chats.conversations.a;
    const shown: unknown[] = [];
    store.subscribe(() => shown.push(conversation()?.waitReason));
    const replies = new Replies(store, api, join);
    await store.dispatch(openChat("a"));
    replies.join("a");
    await made.finish(Promise.resolve());
    const error = () => store.getState().chats.error;
    return {
      ...made,
      conversation,
      error,
      hasShown: () => shown.includes("reconnecting"),
      end: () => replies.dispose(),
    };
  }

  test("a reply without a slot shows an outage, is polled ever less often, and ends after two minutes", async () => {
    const { state, conversation, error, end } = await follow();
    state.isUnreachable = true;
    await vi.advanceTimersByTimeAsync(8000);
    expect(conversation()).toMatchObject({ isWriting: true, waitReason: "reconnecting" });
    await vi.advanceTimersByTimeAsync(150_000);
    expect(conversation()).toMatchObject({ isWriting: false, waitReason: null });
    expect(error()).toEqual({ chat: "a", text: UNREACHABLE });
    expect(state.reads).toBeLessThan(50);
    end();
  });

  test.each([
    ["the network is back", () => window.dispatchEvent(new Event("online"))],
    ["its page becomes visible", () => document.dispatchEvent(new Event("visibilitychange"))],
  ])("a reply without a slot is polled at once when %s", async (_name, comeBack) => {
    const { state, conversation, end } = await follow();
    state.isUnreachable = true;
    await vi.advanceTimersByTimeAsync(60_000);
    const { reads } = state;
    comeBack();
    await vi.advanceTimersByTimeAsync(0);
    expect(state.reads).toBe(reads + 1);
    Object.assign(state, { isUnreachable: false, content: "Hello, world" });
    comeBack();
    await vi.advanceTimersByTimeAsync(0);
    expect(conversation()).toMatchObject({ waitReason: null, messages: [{ content: "Hello, world" }] });
    end();
  });

  test("a reply without a slot shows no outage for one failed poll", async () => {
    const { state, conversation, hasShown, end } = await follow();
    for (let count = 0; count < 5; count += 1) {
      const { reads } = state;
      state.isUnreachable = true;
      while (state.reads === reads) await vi.advanceTimersByTimeAsync(100);
      Object.assign(state, { isUnreachable: false, content: `${state.content}.` });
      await vi.advanceTimersByTimeAsync(1500);
    }
    expect(conversation()).toMatchObject({ isWriting: true, messages: [{ content: "Hello....." }] });
    expect(hasShown()).toBe(false);
    end();
  });

  test("a reply without a slot shows the outage if its polls get no response", async () => {
    const { state, conversation, end } = await follow();
    state.isSilent = true;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(conversation()?.waitReason).toBe("reconnecting");
    Object.assign(state, { isSilent: false, content: "Hello, world" });
    await vi.advanceTimersByTimeAsync(30_000);
    expect(conversation()).toMatchObject({ waitReason: null, messages: [{ content: "Hello, world" }] });
    end();
  });

  test("a reply does not take back the slot that it has lost during an outage", async () => {
    const { connections, state, openTab, readAll, finish } = setUpTabs();
    const { api, join } = openTab();
    const opened = [1, 2, 3].map((chat) => api.open(`/chat/${chat}/send?stream=1`, SEND));
    const streams = (await finish(Promise.all(opened))).map(readAll);
    for (const { say } of connections) say({ reply: "r", at: 0 });
    await finish(openTab().api.open("/chat/4/send?stream=1", SEND));
    const chat = String(streams.findIndex(({ isOver }) => isOver) + 1);
    state.isUnreachable = true;
    await expect(join({ ...POSITION, chat }, new AbortController().signal)).rejects.toThrow(ApiError);
    state.isUnreachable = false;
    const leaving = new AbortController();
    readAll(await finish(join({ ...POSITION, chat }, leaving.signal)));
    expect(connections).toHaveLength(4);
    leaving.abort();
  });
});
