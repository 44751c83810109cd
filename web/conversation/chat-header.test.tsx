import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { Provider } from "react-redux";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { signOut } from "../accounts/session/session.ts";
import { selectDialog } from "../chats/state/chats-selectors.ts";
import { chatEvents } from "../chats/state/chats-slice.ts";
import { fakeApi } from "../testing/fakes/fake-api.ts";
import "../testing/english-texts.ts";
import { ChatHeader } from "./chat-header.tsx";
import { type ChatSession, ChatSessionContext } from "./chat-session.ts";
import { openStoredSession } from "./stored-session.ts";
import { temporarySession } from "./temporary/temporary-session.ts";

beforeEach(() => {
  localStorage.clear();
  const config = { productName: "Parley", passwordMin: 8, passwordPolicy: "plain", registrationOpen: true };
  fakeApi({ "GET /auth/config": { json: config }, "POST /auth/logout": { status: 204, text: "" } });
});
afterEach(async () => {
  cleanup();
  await signOut();
  vi.unstubAllGlobals();
});

function open(session: ChatSession, onNewChat = () => {}) {
  render(
    <ChatSessionContext value={session}>
      <Provider store={session.store}>
        <MemoryRouter>
          <ChatHeader hasMessages onOpenSidebar={() => {}} onNewChat={onNewChat} onLogout={() => {}} />
        </MemoryRouter>
      </Provider>
    </ChatSessionContext>,
  );
}

const menu = () => screen.queryByRole("button", { name: /^More/ });

/** Opens the header of a stored chat. */
function openStored() {
  const session = openStoredSession("");
  session.store.dispatch(chatEvents.createChatSuccess({ chat: { id: "a", title: "A", updatedAt: 0, messages: [] } }));
  open(session);
  return session.store;
}

/** Chooses an item of the chat's menu. */
async function choose(name: string) {
  fireEvent.click(screen.getByRole("button", { name: /^More/ }));
  fireEvent.click(await screen.findByRole("menuitem", { name }));
}

test("a stored chat has its menu in the header", () => {
  openStored();
  expect(menu()).not.toBeNull();
});

test("Rename in the header's menu opens the dialog for the name: the header has no line to edit", async () => {
  const store = openStored();
  await choose("Rename");
  await waitFor(() => expect(selectDialog(store.getState())).toEqual({ kind: "rename-chat", id: "a" }));
});

test("Export… in the header's menu opens the dialog of the formats", async () => {
  const store = openStored();
  await choose("Export…");
  await waitFor(() => expect(selectDialog(store.getState())).toEqual({ kind: "export", id: "a" }));
});

test("Share… in the header's menu opens the dialog of the links", async () => {
  const store = openStored();
  await choose("Share…");
  await waitFor(() => expect(selectDialog(store.getState())).toEqual({ kind: "share", id: "a" }));
});

test("a temporary chat has no menu: the server has nothing to rename or delete", () => {
  open(temporarySession(openStoredSession("")));
  expect(menu()).toBeNull();
  // The switch stays at the end of the header, as before the first message.
  expect(screen.getAllByRole("button").at(-1)).toBe(screen.getByRole("button", { name: "Temporary chat" }));
});

test("New chat and Logout keep their accessible names as icons", () => {
  const begin = vi.fn();
  open(openStoredSession(""), begin);
  fireEvent.click(screen.getByRole("button", { name: "New chat" }));
  expect(begin).toHaveBeenCalledOnce();
  expect(screen.getByRole("button", { name: "Logout" })).toBeTruthy();
});
