import { act, cleanup, fireEvent, render } from "@testing-library/react";
import { Provider } from "react-redux";
import { afterEach, expect, test, vi } from "vitest";
import "../testing/english-texts.ts";
import { selectDialog } from "../chats/state/chats-selectors.ts";
import { chatEvents } from "../chats/state/chats-slice.ts";
import { chatSession } from "../conversation/chat-session.ts";
import { ActionsMount } from "./actions-mount.tsx";

// The module never loads.
vi.mock("./chat-page-actions.tsx", () => new Promise(() => {}));

const { store } = chatSession("");
const palette = { key: "k", ctrlKey: true };

afterEach(() => {
  cleanup();
  document.body.replaceChildren();
  store.dispatch(chatEvents.organise({ dialog: null }));
});

/** Presses a key before the shortcuts are loaded and returns the kind of the open dialog. */
async function opened(init: KeyboardEventInit): Promise<string | undefined> {
  render(
    <Provider store={store}>
      <ActionsMount page="chats" onLogout={() => {}} onChosen={() => {}} />
    </Provider>,
  );
  await act(async () => void fireEvent.keyDown(document.body, init));
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
