import { act, cleanup, render } from "@testing-library/react";
import { Provider } from "react-redux";
import { MemoryRouter, type NavigateFunction, Route, Routes, useLocation, useNavigate } from "react-router";
import { afterEach, expect, test } from "vitest";
import type { Chat } from "#contract/conversation/conversation.ts";
import "../locales/i18n.ts";
import type { Api } from "../api/client.ts";
import { chatEvents } from "./state/chats-slice.ts";
import { type ChatsStore, createChatsStore } from "./state/chats-store.ts";
import { useChatAddress } from "./use-chat-address.ts";

const chatOf = (id: string): Chat => ({ id, title: id, updatedAt: 1, messages: [] });
const api = { get: async (path: string) => chatOf(path.split("/").at(-1) ?? "") } as unknown as Api;

let go: NavigateFunction;
let shownLocation = "";

function Around() {
  go = useNavigate();
  const { pathname, search } = useLocation();
  shownLocation = `${pathname}${search}`;
  return null;
}

function ChatPage() {
  useChatAddress();
  return null;
}

async function open(at: string): Promise<ChatsStore> {
  const store = createChatsStore(api);
  await act(async () => {
    render(
      <Provider store={store}>
        <MemoryRouter initialEntries={[at]}>
          <Around />
          <Routes>
            <Route path="/chat" element={<ChatPage />} />
            <Route path="/settings" element={null} />
          </Routes>
        </MemoryRouter>
      </Provider>,
    );
  });
  return store;
}

const visit = (to: string) => act(async () => void go(to));
const make = (store: ChatsStore, id: string) =>
  act(async () => void store.dispatch(chatEvents.createChatSuccess({ chat: chatOf(id) })));

afterEach(cleanup);

test("the address changes to a created chat once: a later visit keeps its own address", async () => {
  const store = await open("/chat");
  await make(store, "new");
  expect(shownLocation).toBe("/chat?c=new");
  await visit("/settings");
  await visit("/chat?c=b");
  expect(shownLocation).toBe("/chat?c=b");
  expect(store.getState().chats.currentChat).toBe("b");
});

test("the address changes to the same chat again when requested again", async () => {
  const store = await open("/chat?c=a");
  for (const _ of [1, 2]) {
    await act(async () => void store.dispatch(chatEvents.goTo({ chat: "b" })));
    expect(shownLocation).toBe("/chat?c=b");
    await visit("/chat?c=a");
    expect(shownLocation).toBe("/chat?c=a");
  }
});

test("the address changes to a chat created while another page was open, unless it has another chat", async () => {
  const store = await open("/chat");
  await visit("/settings");
  await make(store, "first");
  await visit("/chat");
  expect(shownLocation).toBe("/chat?c=first");
  await visit("/settings");
  await make(store, "second");
  await visit("/chat?c=b");
  expect(shownLocation).toBe("/chat?c=b");
  expect(store.getState().chats).toMatchObject({ currentChat: "b", destination: null });
});
