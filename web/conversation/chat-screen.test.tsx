import { act, cleanup, render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { signIn, signOut } from "../accounts/session/session.ts";
import { chatEvents } from "../chats/state/chats-slice.ts";
import { ada, tokenFor } from "../testing/fakes/fake-api.ts";
import "../testing/english-texts.ts";
import { ChatScreen } from "./chat-screen.tsx";
import { openStoredSession } from "./stored-session.ts";

const { painted, count } = vi.hoisted(() => {
  const times = { sidebar: 0, header: 0, composer: 0 };
  const countOf = (part: keyof typeof times) => () => {
    times[part] += 1;
    return null;
  };
  return { painted: times, count: countOf };
});
vi.mock("../chats/sidebar-footer.tsx", () => ({ SidebarFooter: count("sidebar") }));
vi.mock("../chats/chat-menu-button.tsx", () => ({ ChatMenuButton: count("header") }));
vi.mock("../models/model-menu.tsx", () => ({ ModelMenu: count("composer") }));

vi.mock("../message/reply-body.tsx", () => ({ ReplyBody: ({ text }: { text: string }) => <p>{text}</p> }));

beforeEach(() => {
  localStorage.clear();
  // Only the logout gets a response: every other change comes from events dispatched to the store.
  vi.stubGlobal("fetch", (url: string) =>
    url.endsWith("/auth/logout") ? Promise.resolve(new Response(null, { status: 204 })) : new Promise(() => {}),
  );
  signIn({ access_token: tokenFor(ada.id), user: ada, emailVerified: true });
});
afterEach(async () => {
  cleanup();
  await signOut();
  vi.unstubAllGlobals();
});

test("only the reply is rendered again while text arrives", async () => {
  render(
    <MemoryRouter initialEntries={["/chat?c=a"]}>
      <ChatScreen onTitle={() => {}} />
    </MemoryRouter>,
  );
  const { store } = openStoredSession(ada.id);
  await act(async () => {
    store.dispatch(chatEvents.createChatSuccess({ chat: { id: "a", title: "A", updatedAt: 0, messages: [] } }));
    store.dispatch(chatEvents.sendMessageWithAiStream({ chat: "a", key: "key", text: "Words, please" }));
    store.dispatch(chatEvents.receiveStreamStart({ chat: "a", reply: "r", at: 1 }));
    store.dispatch(chatEvents.receiveStreamToken({ chat: "a", token: "First" }));
  });
  // The lazy modules have loaded.
  await act(() => vi.dynamicImportSettled());
  const before = { ...painted };
  expect(Object.values(before).every((times) => times > 0)).toBe(true);
  for (let word = 0; word < 20; word++) {
    await act(async () => void store.dispatch(chatEvents.receiveStreamToken({ chat: "a", token: ` ${word}` })));
  }
  expect((await screen.findByText(/First/)).textContent).toContain("18 19");
  expect(painted).toEqual(before);
});
