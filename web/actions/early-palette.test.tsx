import { act, cleanup, fireEvent, render } from "@testing-library/react";
import { Provider } from "react-redux";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Message } from "#contract/conversation/conversation.ts";
import "../testing/english-texts.ts";
import { selectDialog } from "../chats/state/chats-selectors.ts";
import { chatEvents } from "../chats/state/chats-slice.ts";
import { ChatSessionContext } from "../conversation/chat-session.ts";
import { openStoredSession } from "../conversation/stored-session.ts";
import { ActionsMount } from "./actions-mount.tsx";

// The module never loads.
vi.mock("./chat-page-actions.tsx", () => new Promise(() => {}));

const session = openStoredSession("");
const { store } = session;
const palette = { key: "k", ctrlKey: true };

/** Whether the last key was left to the browser. */
let isBrowsers: boolean;

afterEach(() => {
  cleanup();
  document.body.replaceChildren();
  store.dispatch(chatEvents.organise({ dialog: null }));
});

/** Presses a key before the shortcuts are loaded and returns the kind of the open dialog. */
async function opened(init: KeyboardEventInit): Promise<string | undefined> {
  render(
    <ChatSessionContext value={session}>
      <Provider store={store}>
        <ActionsMount page="chats" onLogout={() => {}} onChosen={() => {}} />
      </Provider>
    </ChatSessionContext>,
  );
  await act(async () => {
    isBrowsers = fireEvent.keyDown(document.body, init);
  });
  return selectDialog(store.getState())?.kind;
}

test("the palette's shortcut works before the others are loaded", async () => {
  expect(await opened(palette)).toBe("palette");
});

test.each([
  ["with another key", { ...palette, shiftKey: true }],
  ["while a character is composed", { ...palette, isComposing: true }],
  ["while a character is composed, told late", { ...palette, keyCode: 229 }],
  ["while it is held", { ...palette, repeat: true }],
])("the shortcut does not work %s", async (_name, init) => {
  expect(await opened(init)).toBeUndefined();
});

test("the shortcut does not work over an open dialog, nor if another listener has handled the key", async () => {
  document.body.insertAdjacentHTML("beforeend", '<div role="dialog"></div>');
  expect(await opened(palette)).toBeUndefined();
  document.querySelector("[role=dialog]")?.remove();
  const take = (event: Event) => event.preventDefault();
  document.body.addEventListener("keydown", take);
  expect(await opened(palette)).toBeUndefined();
  document.body.removeEventListener("keydown", take);
});

describe("the shortcut that prints", () => {
  const print = { key: "p", ctrlKey: true };
  const chat = (content: string) => ({
    chat: {
      id: "a",
      title: "A",
      updatedAt: 0,
      messages: content === "" ? [] : [{ id: "q", parent: null, role: "user", content, state: "complete" } as Message],
    },
  });

  test("the shortcut that prints opens the page made for printing in a chat with messages", async () => {
    store.dispatch(chatEvents.createChatSuccess(chat("Hello")));
    expect(await opened(print)).toBe("print");
    expect(isBrowsers).toBe(false);
  });

  test.each([
    ["in an empty chat", ""],
    ["without a chat", null],
  ])("the shortcut that prints is the browser's own %s", async (_name, content) => {
    if (content === null) store.dispatch(chatEvents.selectChat({ chat: null }));
    else store.dispatch(chatEvents.createChatSuccess(chat(content)));
    expect(await opened(print)).toBeUndefined();
    expect(isBrowsers).toBe(true);
  });
});
