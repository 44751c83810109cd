import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { Provider } from "react-redux";
import { MemoryRouter } from "react-router";
import { afterEach, expect, test, vi } from "vitest";
import type { ChatListItem } from "#contract/conversation/chats.ts";
import { fakeApi } from "../../testing/fakes/fake-api.ts";
import "../../testing/english-texts.ts";
import { closeNotification, currentNotifications } from "../../ui/notifications/notify.ts";
import { createChatsStore } from "../state/chats-store.ts";
import { ChatListEntry } from "./chat-list-entry.tsx";

vi.mock("../organise/lazy-organiser.ts", () => {
  throw new TypeError("Failed to fetch dynamically imported module");
});

afterEach(() => {
  cleanup();
  for (const { id } of currentNotifications()) closeNotification(id);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function open(state: Partial<ChatListItem> = {}) {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  const calls = fakeApi({});
  render(
    <MemoryRouter>
      <Provider store={createChatsStore()}>
        <ChatListEntry chat={{ id: "a", title: "Tides", updatedAt: 0, ...state }} isCurrent={false} />
      </Provider>
    </MemoryRouter>,
  );
  return calls;
}

const notifications = () => currentNotifications().map(({ type, text }) => `${type}: ${text}`);
const missing = [expect.stringMatching(/^error: This could not be loaded/)];

test("an entry whose menu cannot be loaded stays for a retry, with a notification", async () => {
  open();
  fireEvent.click(screen.getByRole("button", { name: "More actions for Tides" }));
  await waitFor(() => expect(notifications()).toEqual(missing));
  expect(screen.getByRole("link", { name: "Tides" })).toBeTruthy();
  expect(screen.getByRole("button", { name: "More actions for Tides" }).getAttribute("aria-expanded")).toBe("false");
});

test("a chat that cannot be deleted because a chunk does not load stays, with a notification", async () => {
  const calls = open();
  fireEvent.click(screen.getByRole("button", { name: /^Delete/ }));
  await waitFor(() => expect(notifications()).toEqual(missing));
  expect(screen.getByRole("link", { name: "Tides" })).toBeTruthy();
  expect(calls).toEqual([]);
});

test.each<[string, Partial<ChatListItem>]>([
  ["Tides", {}],
  ["TidesUnread answer", { isUnread: true }],
  ["TidesWaits for you", { isUnread: true, isWaiting: true }],
  ["TidesAnswer in progress", { isUnread: true, isWaiting: true, isWriting: true }],
  ["TidesShared by a link", { isShared: true }],
  ["TidesUnread answerShared by a link", { isUnread: true, isShared: true }],
])("an entry is read out as “%s”, with the mark that asks for most", (text, state) => {
  open(state);
  expect(screen.getByRole("link", { name: /^Tides/ }).textContent).toBe(text);
});
