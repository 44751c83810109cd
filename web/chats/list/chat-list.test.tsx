import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { Provider } from "react-redux";
import { MemoryRouter, useLocation } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ChatListItem } from "#contract/conversation/chats.ts";
import { type Api, ApiError } from "../../api/client.ts";
import "../../testing/english-texts.ts";
import { clearNotifications, runLatestAction } from "../../ui/notifications/notify.ts";
import { announce } from "../organise/announce.ts";
import { Organiser } from "../organise/organiser.tsx";
import { chatEvents } from "../state/chats-slice.ts";
import { createChatsStore } from "../state/chats-store.ts";
import { loadHistory } from "../state/chats-thunks.ts";
import { ChatList } from "./chat-list.tsx";

const SIZE = 100;

beforeEach(() => {
  localStorage.clear();
  // Every observed element is in view.
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      readonly #onIntersect: (entries: { isIntersecting: boolean }[]) => void;
      constructor(onIntersect: (entries: { isIntersecting: boolean }[]) => void) {
        this.#onIntersect = onIntersect;
      }
      observe() {
        this.#onIntersect([{ isIntersecting: true }]);
      }
      disconnect() {}
    },
  );
});
afterEach(() => {
  cleanup();
  clearNotifications();
  vi.unstubAllGlobals();
});

const item = (id: string, updatedAt: number, more: Partial<ChatListItem> = {}): ChatListItem => ({
  id,
  title: `Chat ${id}`,
  updatedAt,
  ...more,
});

type Server = { chats: ChatListItem[]; folders?: { id: string; name: string }[]; isFolderUnavailable?: boolean };

const Location = () => <output data-testid="location">{JSON.stringify(useLocation())}</output>;

/** API stub that pages like our server. */
function serve(server: Server): Api {
  const read = (path: string) => {
    if (path === "/folders") return server.folders ?? [];
    const query = new URLSearchParams(path.split("?")[1]);
    const folder = query.get("folder");
    if (folder !== null && server.isFolderUnavailable) throw new ApiError(500, "No", { code: "internal" });
    const all = server.chats
      .filter((chat) => !query.has("pinned") || chat.isPinned)
      .filter((chat) => folder === null || (chat.folderId === folder && !chat.isPinned));
    const from = all.findIndex(({ id }) => id === query.get("before")) + 1;
    return all.slice(from, from + Number(query.get("limit")));
  };
  const done = async () => ({ changed: [] });
  return { get: async (path: string) => read(path), post: done, patch: done, delete: done } as unknown as Api;
}

async function open(server: Server) {
  const store = createChatsStore(serve(server));
  const list = { current: null };
  render(
    <Provider store={store}>
      <MemoryRouter initialEntries={["/chat?c=one"]}>
        <nav>
          <ChatList />
          <Organiser list={list} />
        </nav>
        <Location />
      </MemoryRouter>
    </Provider>,
  );
  await act(async () => void (await store.dispatch(loadHistory())));
  return store;
}

const chatsTo = (count: number) => Array.from({ length: count }, (_, at) => item(String(at), 10_000 - at));
const press = (name: string) => act(async () => fireEvent.click(screen.getByRole("button", { name })));
const choose = (name: string) => act(async () => fireEvent.click(screen.getByRole("menuitem", { name })));
const openMenu = (name: string) =>
  act(async () => fireEvent.keyDown(screen.getByRole("button", { name }), { key: "Enter" }));
const focused = () => document.activeElement?.textContent;

test("an empty list leads to the import, from where one returns to the same page", async () => {
  await open({ chats: [] });
  const link = screen.getByRole("link", { name: "Import your history." });
  await act(async () => fireEvent.click(link));
  expect(JSON.parse(screen.getByTestId("location").textContent)).toMatchObject({
    pathname: "/settings/data",
    hash: "#import",
    state: { from: "/chat?c=one" },
  });
});

test("a list with chats has no link to the import", async () => {
  await open({ chats: chatsTo(1) });
  expect(screen.queryByRole("link", { name: "Import your history." })).toBeNull();
});

test("the list loads older chats page by page, also with a pinned chat that is older than all", async () => {
  const store = await open({ chats: [...chatsTo(2 * SIZE + 1), item("old", 1, { isPinned: true })] });
  await vi.waitFor(() => expect(store.getState().chats.chats).toHaveLength(2 * SIZE + 2));
});

test("an unread folder is not shown as empty after a failure, and is read again on request", async () => {
  const server: Server = {
    chats: [item("a", 1, { folderId: "f" })],
    folders: [{ id: "f", name: "Work" }],
    isFolderUnavailable: true,
  };
  const store = await open(server);
  await screen.findByRole("button", { name: "Work" });
  // The folder's chat is not among the newest.
  store.dispatch(chatEvents.organise({ chats: [] }));
  await press("Work");
  await screen.findByText("The chats of this folder could not be loaded.");
  expect(screen.queryByText("No chats in this folder yet.")).toBeNull();
  server.isFolderUnavailable = false;
  await press("Try again");
  expect(await screen.findByText("Chat a")).toBeTruthy();
  expect(screen.queryByText("The chats of this folder could not be loaded.")).toBeNull();
});

test("an announcement to one person is not shown to the next", async () => {
  const store = await open({ chats: [] });
  await act(async () => void store.dispatch(announce("Chat moved to Divorce")));
  expect(screen.getByText("Chat moved to Divorce").getAttribute("role")).toBe("status");
  cleanup();
  await open({ chats: [] });
  expect(screen.queryByText("Chat moved to Divorce")).toBeNull();
});

test("the focus moves from the menu of a removed line to the line beside it, else to its folder", async () => {
  const filed = { folderId: "f" };
  const chats = [item("a", 9), item("b", 8), item("c", 7, filed)];
  await open({ chats, folders: [{ id: "f", name: "Work" }] });
  await press("Work");
  await press("More actions for Chat a");
  screen.getByRole("menuitem", { name: "Archive" }).focus();
  await choose("Archive");
  await vi.waitFor(() => expect(focused()).toBe("Chat b"));
  await press("More actions for Chat c");
  screen.getByRole("menuitem", { name: "Archive" }).focus();
  await choose("Archive");
  await vi.waitFor(() => expect(focused()).toBe("Work"));
});

test("the focus stays beside a chat that is moved into a closed folder, also after its menu has closed", async () => {
  await open({ chats: [item("a", 9), item("b", 8)], folders: [{ id: "f", name: "Work" }] });
  await screen.findByRole("button", { name: "Work" });
  await press("More actions for Chat b");
  await choose("Move to folder");
  screen.getByRole("menuitem", { name: "Work" }).focus();
  await choose("Work");
  expect(screen.queryByText("Chat b")).toBeNull();
  expect(screen.queryByRole("menu")).toBeNull();
  // Menus return the focus in a separate task.
  await act(() => new Promise<void>((done) => setTimeout(done)));
  expect(focused()).toBe("Chat a");
});

test("the focus moves from the menu of a deleted folder, and back when the folder is restored", async () => {
  const folders = ["Home", "Work"].map((name) => ({ id: name, name }));
  await open({ chats: [item("a", 9)], folders });
  await screen.findByRole("button", { name: "Home" });
  await openMenu("More actions for the folder Home");
  screen.getByRole("menuitem", { name: "Delete" }).focus();
  await choose("Delete");
  expect(focused()).toBe("Work");
  await openMenu("More actions for the folder Work");
  screen.getByRole("menuitem", { name: "Delete" }).focus();
  await choose("Delete");
  expect(focused()).toBe("Chat a");
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  await act(async () => void runLatestAction());
  await vi.waitFor(() => expect(focused()).toBe("Work"));
});

test("folders are moved by their menus, which offer only possible directions", async () => {
  const folders = ["Home", "Work"].map((name) => ({ id: name, name }));
  const store = await open({ chats: [item("a", 9)], folders });
  await screen.findByRole("button", { name: "Home" });
  await openMenu("More actions for the folder Home");
  expect(screen.queryByRole("menuitem", { name: "Move up" })).toBeNull();
  await choose("Move down");
  expect(store.getState().chats.folders.map(({ name }) => name)).toEqual(["Work", "Home"]);
  // The closed menu returns the focus in a task, which would close a menu that is opened before.
  const button = screen.getByRole("button", { name: "More actions for the folder Home" });
  await vi.waitFor(() => expect(document.activeElement).toBe(button));
  await openMenu("More actions for the folder Home");
  expect(screen.queryByRole("menuitem", { name: "Move down" })).toBeNull();
  await choose("Move up");
  expect(store.getState().chats.folders.map(({ name }) => name)).toEqual(["Home", "Work"]);
});
