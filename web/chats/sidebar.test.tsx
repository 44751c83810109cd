import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { Provider } from "react-redux";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ChatListItem } from "#contract/conversation/chats.ts";
import "../testing/english-texts.ts";
import { fakeApi } from "../testing/fakes/fake-api.ts";
import { organiserModule } from "./organiser-module.ts";
import { Sidebar } from "./sidebar.tsx";
import { chatEvents } from "./state/chats-slice.ts";
import { createChatsStore } from "./state/chats-store.ts";

beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const item = (id: string, updatedAt: number, more: Partial<ChatListItem> = {}): ChatListItem => ({
  id,
  title: `Chat ${id}`,
  updatedAt,
  ...more,
});

async function open() {
  fakeApi({ "GET /chat-history?folder=f&limit=100": { json: [] } });
  await organiserModule.load();
  const store = createChatsStore();
  store.dispatch(
    chatEvents.loadHistorySuccess({
      chats: [item("a", 9), item("b", 8), item("c", 7, { folderId: "f" })],
      hasMore: false,
      isNextPage: false,
      folders: [{ id: "f", name: "Work" }],
    }),
  );
  render(
    <Provider store={store}>
      <MemoryRouter>
        <Sidebar username="ada" onLogout={() => {}} />
      </MemoryRouter>
    </Provider>,
  );
  await act(async () => {});
  return store;
}

const press = (key: string) =>
  act(async () => void fireEvent.keyDown(document.activeElement ?? document.body, { key }));
const nameOf = (element: Element | null) => element?.getAttribute("aria-label") ?? element?.textContent;
const focused = () => nameOf(document.activeElement);
const row = (name: string) => screen.getByRole("link", { name });
/** The names of the tab stops in the list, between the search and the account's menu. */
const stops = () => {
  const all = screen.getAllByRole("link").concat(screen.getAllByRole("button"));
  const outer = ["New chat", "Search your chats", "Logout"];
  return all
    .filter(({ tabIndex }) => tabIndex === 0)
    .flatMap((element) => nameOf(element) ?? [])
    .filter((name) => !outer.includes(name) && !name.includes("ada"));
};

// ArrowUp is in e2e/keyboard.spec.ts: happy-dom's TreeWalker does not find previous nodes inside a sibling.
test("the list of chats is one tab stop, which arrow keys, Home and End move", async () => {
  await open();
  expect(stops()).toHaveLength(1);
  act(() => row("Chat a").focus());
  expect(stops()).toEqual(["Chat a"]);
  await press("ArrowDown");
  expect(focused()).toBe("Chat b");
  expect(stops()).toEqual(["Chat b"]);
  await press("ArrowDown");
  expect(focused()).toBe("Chat b");
  await press("Home");
  expect(focused()).toBe("New folder");
  await press("ArrowDown");
  expect(focused()).toBe("Work");
  await press("End");
  expect(focused()).toBe("Chat b");
  expect(stops()).toEqual(["Chat b"]);
});

test("the arrow keys across open and close a folder, and reach the buttons of a line", async () => {
  await open();
  act(() => screen.getByRole("button", { name: "Work" }).focus());
  await press("ArrowRight");
  await press("ArrowDown");
  expect(focused()).toBe("Chat c");
  await press("ArrowRight");
  expect(focused()).toBe("More actions for Chat c");
  await press("ArrowRight");
  expect(focused()).toBe("Delete Chat c");
  await press("ArrowLeft");
  await press("ArrowLeft");
  expect(focused()).toBe("Chat c");
  await press("ArrowLeft");
  expect(focused()).toBe("Work");
  await press("ArrowRight");
  expect(focused()).toBe("More actions for the folder Work");
  await press("ArrowLeft");
  await press("ArrowLeft");
  expect(screen.queryByRole("link", { name: "Chat c" })).toBeNull();
  expect(focused()).toBe("Work");
});

test("the open chat becomes the tab stop; without it another entry takes its place", async () => {
  const store = await open();
  await act(async () => void store.dispatch(chatEvents.selectChat({ chat: "b" })));
  expect(stops()).toEqual(["Chat b"]);
  await act(async () => void store.dispatch(chatEvents.dropChat({ chat: "b", isLeft: true })));
  expect(stops()).toHaveLength(1);
});

test("the context menu of a line is the menu of the chat or the folder", async () => {
  await open();
  await act(async () => void fireEvent.contextMenu(row("Chat a")));
  expect(nameOf(screen.getByRole("menuitem", { name: "Archive" }))).toBe("Archive");
  await act(async () => void fireEvent.keyDown(screen.getByRole("menu"), { key: "Escape" }));
  expect(screen.queryByRole("menu")).toBeNull();
  // The closed menu returns the focus in a task, which would close a menu that is opened before.
  await vi.waitFor(() => expect(focused()).toBe("More actions for Chat a"));
  await act(async () => void fireEvent.contextMenu(screen.getByRole("button", { name: "Work" }), { button: 2 }));
  expect(screen.queryByRole("menuitem", { name: "Archive" })).toBeNull();
  expect(screen.getByRole("menuitem", { name: "Rename" })).toBeTruthy();
});

test("a long press on a chat opens its menu without a click; a moved or short one does not", async () => {
  await open();
  vi.useFakeTimers();
  const touch = { pointerType: "touch", isPrimary: true, clientX: 9, clientY: 9 };
  const hold = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)));
  fireEvent.pointerDown(row("Chat a"), touch);
  await hold(499);
  fireEvent.pointerUp(row("Chat a"), touch);
  expect(fireEvent.touchEnd(row("Chat a"))).toBe(true);
  fireEvent.pointerDown(row("Chat a"), touch);
  fireEvent.pointerMove(row("Chat a"), { ...touch, clientY: 30 });
  await hold(500);
  expect(screen.queryByRole("menu")).toBeNull();
  fireEvent.pointerDown(row("Chat a"), touch);
  await hold(500);
  expect(screen.getByRole("menu")).toBeTruthy();
  fireEvent.pointerUp(row("Chat a"), touch);
  expect(fireEvent.touchEnd(row("Chat a"))).toBe(false);
});

test("a title that is cut off is shown in full by a tooltip", async () => {
  await open();
  const { dataset } = screen.getByText("Chat a");
  expect([dataset.tooltip, dataset.tooltipIf]).toEqual(["Chat a", "cut"]);
});
