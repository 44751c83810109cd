import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { Provider } from "react-redux";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Message } from "#contract/conversation.ts";
import { signOut } from "../../accounts/session/session.ts";
import { chatEvents } from "../../chats/state/chats-slice.ts";
import { fakeApi, problem } from "../../testing/fake-api.ts";
import "../../testing/english-texts.ts";
import { ChatSessionContext, chatSession } from "../chat-session.ts";
import PrintPage from "./print-page.tsx";

const config = { productName: "Parley", passwordMin: 8, passwordPolicy: "plain", registrationOpen: true };
const messages = (count: number): Message[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `m${at}`,
    parent: at === 0 ? null : `m${at - 1}`,
    role: at % 2 === 0 ? "user" : "assistant",
    content: at % 2 === 0 ? `Question ${at}` : `Answer **${at}**`,
    state: "complete",
    model: null,
    createdAt: 0,
  }));
const chatOf = (all: Message[]) => ({ id: "a", title: "Fjords", updatedAt: 0, messages: all });

/** Fonts of the page, all loaded. */
const fonts = Object.assign(new Set(), { check: () => true, load: async () => [] });

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal("print", vi.fn());
  Object.defineProperty(document, "fonts", { configurable: true, value: fonts });
});
afterEach(async () => {
  cleanup();
  await signOut();
  Reflect.deleteProperty(document, "fonts");
  vi.unstubAllGlobals();
});

function open(known: Message[] | null, onClose = () => {}) {
  const session = chatSession("");
  if (known) session.store.dispatch(chatEvents.createChatSuccess({ chat: chatOf(known) }));
  if (known) session.store.dispatch(chatEvents.loadChatSuccess({ chat: chatOf(known) }));
  render(
    <ChatSessionContext value={session}>
      <Provider store={session.store}>
        <PrintPage chat="a" onClose={onClose} />
      </Provider>
    </ChatSessionContext>,
  );
}

const ready = () => waitFor(() => expect(screen.getByRole("status").textContent).toBe("Ready to print"));

test("all messages are rendered, then the browser's dialog opens once", async () => {
  fakeApi({ "GET /auth/config": { json: config } });
  const seen: number[] = [];
  vi.stubGlobal("print", () => seen.push(screen.getAllByRole("article").length));
  open(messages(40));
  expect(screen.queryAllByRole("article")).toHaveLength(0);
  expect(screen.getByRole("progressbar")).toBeTruthy();
  await ready();
  expect(seen).toEqual([40]);
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Fjords");
  expect(screen.getByText("39").tagName).toBe("STRONG");
  expect(screen.queryByRole("progressbar")).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Print" }));
  expect(seen).toEqual([40, 40]);
});

test("the key prints again once the page is ready, and the browser never gets it", async () => {
  fakeApi({ "GET /auth/config": { json: config } });
  open(messages(2));
  expect(fireEvent.keyDown(window, { key: "p", ctrlKey: true })).toBe(false);
  expect(window.print).not.toHaveBeenCalled();
  await ready();
  expect(fireEvent.keyDown(window, { key: "p", ctrlKey: true })).toBe(false);
  expect(window.print).toHaveBeenCalledTimes(2);
});

test("a reader who prints early gets a note of it on paper, and no second dialog", async () => {
  fakeApi({ "GET /auth/config": { json: config } });
  open(messages(40));
  fireEvent.click(screen.getByRole("button", { name: "Print" }));
  expect(screen.getByText("Only the messages that are prepared so far are printed.")).toBeTruthy();
  await ready();
  expect(screen.queryByText("Only the messages that are prepared so far are printed.")).toBeNull();
  expect(window.print).toHaveBeenCalledOnce();
});

test("a chat that is not open is read from the server", async () => {
  fakeApi({ "GET /auth/config": { json: config }, "GET /chat/a": { json: chatOf(messages(2)) } });
  open(null);
  await ready();
  expect(screen.getAllByRole("article")).toHaveLength(2);
  expect(window.print).toHaveBeenCalledOnce();
});

test("a chat that cannot be read shows an error and prints nothing", async () => {
  fakeApi({ "GET /auth/config": { json: config }, "GET /chat/a": problem(404, "chat-not-found") });
  const onClose = vi.fn();
  open(null, onClose);
  expect((await screen.findByRole("alert")).textContent).toBe("This chat could not be loaded.");
  expect(screen.queryByRole("button", { name: "Print" })).toBeNull();
  await act(async () => void fireEvent.keyDown(window, { key: "p", ctrlKey: true }));
  expect(window.print).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole("button", { name: "Close" }));
  expect(onClose).toHaveBeenCalled();
});

test("code and disclosures are printed whole and without buttons", async () => {
  fakeApi({ "GET /auth/config": { json: config } });
  const [question, answer] = messages(2);
  const content = "```js\nconst a = 1;\n```\n\n<details><summary>More</summary>\n\nHidden\n\n</details>";
  open([question as Message, { ...(answer as Message), content }]);
  await ready();
  const [, printed] = screen.getAllByRole("article");
  expect(printed?.querySelector("details")?.open).toBe(true);
  expect(printed?.querySelectorAll("button")).toHaveLength(0);
  // Printed only after the code is highlighted.
  expect(printed?.querySelector("pre [style]")).not.toBeNull();
});
