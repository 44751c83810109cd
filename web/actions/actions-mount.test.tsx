import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { Provider } from "react-redux";
import { MemoryRouter } from "react-router";
import { afterEach, expect, test, vi } from "vitest";
import type { SearchHit } from "#contract/conversation/search.ts";
import { fakeApi } from "../testing/fakes/fake-api.ts";
import "../testing/english-texts.ts";
import { SearchButton } from "../chats/search-button.tsx";
import { chatEvents } from "../chats/state/chats-slice.ts";
import { ChatSessionContext } from "../conversation/chat-session.ts";
import { openStoredSession } from "../conversation/stored-session.ts";
import { ActionsMount, actionsModule } from "./actions-mount.tsx";

// The module loads when the test resolves `loading`.
const loading = vi.hoisted(() => Promise.withResolvers<void>());
vi.mock("./palette.tsx", async (original) => {
  await loading.promise;
  return original();
});

afterEach(() => {
  cleanup();
  openStoredSession("").store.dispatch(chatEvents.organise({ dialog: null }));
  vi.unstubAllGlobals();
});

const hit: SearchHit = {
  chatId: "a",
  title: "Birds",
  messageId: "m",
  role: "user",
  model: null,
  at: 1,
  snippet: "petrels",
  marks: [[0, 7]],
};

async function open() {
  await actionsModule.load();
  const calls = fakeApi({ "GET /search?q=petrels": { json: { hits: [hit], next: null } } });
  const session = openStoredSession("");
  render(
    <ChatSessionContext value={session}>
      <Provider store={session.store}>
        <MemoryRouter>
          <SearchButton />
          <ActionsMount page="chats" onLogout={() => {}} onChosen={() => {}} />
        </MemoryRouter>
      </Provider>
    </ChatSessionContext>,
  );
  return calls;
}

const press = (key: string, held: KeyboardEventInit = {}) =>
  act(async () => void fireEvent.keyDown(document.activeElement ?? document.body, { key, ...held }));
const openByKey = () => press("k", { ctrlKey: true });
const field = () => screen.findByRole<HTMLInputElement>("combobox", { name: "Search" });
const opener = () => screen.getByRole("button", { name: "Search your chats" });

test("text typed before the palette is loaded is its query, with the caret at its end", async () => {
  const calls = await open();
  await openByKey();
  for (const key of ["p", "e", "t", "r", "Shift", "e", "l", "s"]) await press(key);
  await act(async () => loading.resolve());
  expect((await field()).value).toBe("petrels");
  await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByRole("combobox")));
  expect((await field()).selectionStart).toBe(7);
  expect((await field()).selectionEnd).toBe(7);
  await vi.waitFor(() => expect(calls.map(({ path }) => path)).toEqual(["/search?q=petrels"]));
  await press("Escape");
  await openByKey();
  expect((await field()).value).toBe("");
});

test("after a message was chosen, closing without a choice restores the focus to the button", async () => {
  await open();
  opener().focus();
  fireEvent.click(opener());
  fireEvent.input(await field(), { target: { value: "petrels" } });
  fireEvent.click(await screen.findByText("petrels", { selector: "mark" }));
  await vi.waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  opener().focus();
  fireEvent.click(opener());
  await vi.waitFor(async () => expect(document.activeElement).toBe(await field()));
  await press("Escape");
  await vi.waitFor(() => expect(document.activeElement).toBe(opener()));
});

test("key repeat of the shortcut does not close the palette again", async () => {
  await open();
  await openByKey();
  await press("k", { ctrlKey: true, repeat: true });
  expect(await field()).toBeTruthy();
  await openByKey();
  await vi.waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});
