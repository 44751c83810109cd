import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { Provider } from "react-redux";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Message } from "#contract/conversation/conversation.ts";
import { signOut } from "../../accounts/session/session.ts";
import { chatEvents } from "../../chats/state/chats-slice.ts";
import { pictures } from "../../files/shown/pictures.ts";
import { fakeApi, problem } from "../../testing/fakes/fake-api.ts";
import "../../testing/english-texts.ts";
import { ChatSessionContext } from "../chat-session.ts";
import { openStoredSession } from "../stored-session.ts";
import { temporarySession } from "../temporary/temporary-session.ts";
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
  const session = openStoredSession("");
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
/** Waits for the dialog that opens by itself. React runs its effect in a task after the status changed. */
const printed = () => waitFor(() => expect(window.print).toHaveBeenCalledOnce());

test("the print page has the numbers of citations in the text, and the sources with their addresses below it", async () => {
  const source = { seq: 0, at: 17, kind: "source", source: "1", title: "Long fjords", url: "https://a.example/long" };
  const [question, answer] = messages(2);
  if (!question || !answer) throw new Error("A message is missing");
  const parts = [{ ...source, quote: "a mile", checked: "missing" }];
  open([question, { ...answer, content: "It is “a mile” [1].", parts }]);
  await ready();
  const printed = screen.getByText("It is “a mile” [1].").closest("article");
  expect(printed?.querySelector("button")).toBeNull();
  expect(printed?.querySelector("section")?.textContent).toBe(
    "Sources[1] Long fjords https://a.example/long (quote not found)",
  );
});

test("the print page renders all messages, then opens the browser's dialog once", async () => {
  fakeApi({ "GET /auth/config": { json: config } });
  const seen: number[] = [];
  vi.stubGlobal("print", () => seen.push(screen.getAllByRole("article").length));
  open(messages(40));
  expect(screen.queryAllByRole("article")).toHaveLength(0);
  expect(screen.getByRole("progressbar")).toBeTruthy();
  await ready();
  await waitFor(() => expect(seen).toEqual([40]));
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Fjords");
  expect(screen.getByText("39").tagName).toBe("STRONG");
  expect(screen.queryByRole("progressbar")).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Print" }));
  expect(seen).toEqual([40, 40]);
});

test("the key that prints works again once the page is ready, and the browser never gets it", async () => {
  fakeApi({ "GET /auth/config": { json: config } });
  open(messages(2));
  expect(fireEvent.keyDown(window, { key: "p", ctrlKey: true })).toBe(false);
  expect(window.print).not.toHaveBeenCalled();
  await printed();
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

test("the print page reads a chat that is not open from the server", async () => {
  fakeApi({ "GET /auth/config": { json: config }, "GET /chat/a": { json: chatOf(messages(2)) } });
  open(null);
  await printed();
  expect(screen.getAllByRole("article")).toHaveLength(2);
});

test("the print page prints a temporary chat from memory, and cannot save it as a web page", async () => {
  const calls = fakeApi({ "GET /auth/config": { json: config } });
  const session = openStoredSession("");
  const { store } = temporarySession(session);
  const chat = store.getState().chats.currentChat ?? "";
  store.dispatch(chatEvents.loadChatSuccess({ chat: { ...chatOf(messages(2)), id: chat } }));
  render(
    <ChatSessionContext value={session}>
      <Provider store={session.store}>
        <PrintPage chat={chat} onClose={() => {}} />
      </Provider>
    </ChatSessionContext>,
  );
  await printed();
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Temporary chat");
  expect(screen.getAllByRole("article")).toHaveLength(2);
  expect(screen.queryByText("Save as web page")).toBeNull();
  expect(calls.filter(({ path }) => path !== "/auth/config")).toEqual([]);
});

test("the print page shows an error for a chat that cannot be read, and prints nothing", async () => {
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

describe("printed parts of an answer", () => {
  const notice = { seq: 0, at: 0, kind: "notice", code: "cut", params: { messages: 1 } };
  const reasoning = { seq: 1, at: 6, kind: "reasoning", text: "I **see**", durationMs: 2000 };
  const CUT = "The model did not receive the first message: this chat is longer than its context window.";
  const withParts = (parts: Message["parts"]): Message[] =>
    messages(2).map((message) => (message.role === "user" ? message : { ...message, content: "One.\n\nTwo.", parts }));
  const answer = () => screen.getAllByRole("article")[1]?.textContent;

  test("the notices of an answer are always printed, its reasoning by a switch that is off", async () => {
    fakeApi({ "GET /auth/config": { json: config } });
    open(withParts([notice, reasoning, { seq: 2, at: 6, kind: "hologram", code: "secret" }]));
    await ready();
    expect(answer()).toContain(`${CUT}One.Two.`);
    const choice = screen.getByRole("switch", { name: "With reasoning" });
    expect(choice.getAttribute("aria-checked")).toBe("false");
    fireEvent.click(choice);
    // Prepared again, but the browser's dialog opens only once by itself.
    expect(screen.queryByText("Ready to print")).toBeNull();
    await ready();
    expect(answer()).toContain(`${CUT}One.Thought for 2sI seeTwo.`);
    expect(window.print).toHaveBeenCalledOnce();
    fireEvent.click(choice);
    await ready();
    expect(answer()).not.toContain("I see");
  });

  test("the switch of reasoning decides whether the saved page contains it", async () => {
    const asked: string[] = [];
    const answerTo = (name: string) => () => {
      asked.push(name);
      return new Response("{}");
    };
    vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: () => "blob:x", revokeObjectURL: () => {} }));
    fakeApi({
      "GET /auth/config": { json: config },
      "GET /chat/a/export?format=html": answerTo("without"),
      "GET /chat/a/export?format=html&reasoning=true": answerTo("with"),
    });
    open(withParts([reasoning]));
    await ready();
    fireEvent.click(screen.getByRole("button", { name: "Save as web page" }));
    await waitFor(() => expect(asked).toEqual(["without"]));
    fireEvent.click(screen.getByRole("switch", { name: "With reasoning" }));
    fireEvent.click(screen.getByRole("button", { name: "Save as web page" }));
    await waitFor(() => expect(asked).toEqual(["without", "with"]));
  });

  test.each([
    ["no parts", undefined],
    ["a notice", [notice]],
    ["empty reasoning", [{ ...reasoning, text: "" }]],
  ])("an answer with %s has no switch of reasoning", async (_name, parts) => {
    fakeApi({ "GET /auth/config": { json: config } });
    open(withParts(parts));
    await ready();
    expect(screen.queryByRole("switch")).toBeNull();
  });
});

describe("printed files of a question", () => {
  const picture = { id: "p", name: "photo.png", type: "image/png", size: 2_400_000, width: 40, height: 30 };
  const report = { id: "r", name: "report.pdf", type: "application/pdf", size: 1_200_000 };
  const withFiles = (...files: object[]): Message[] =>
    messages(1).map((message) => ({
      ...{ ...message, content: "" },
      parts: files.map((file, seq) => ({ ...file, seq, at: 0, kind: "file" })),
    }));
  const config200 = { "GET /auth/config": { json: config } };

  beforeEach(() => {
    vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:photo");
    vi.spyOn(URL, "revokeObjectURL").mockReturnValue();
  });
  afterEach(() => {
    pictures.clear();
    vi.restoreAllMocks();
  });

  test("pictures of a question are printed once they are decoded; other files are a line", async () => {
    fakeApi({ ...config200, "GET /files/p": { text: "x" } });
    open(withFiles(picture, report));
    const image = await screen.findByRole("img", { name: "photo.png" });
    expect(image.getAttribute("src")).toBe("blob:photo");
    await act(async () => {});
    expect(screen.queryByText("Ready to print")).toBeNull();
    fireEvent.load(image);
    await ready();
    const [question] = screen.getAllByRole("article");
    expect(question?.textContent).toContain("report.pdf · 1.2 MB");
    expect(question?.querySelector(".print-words")).toBeNull();
  });

  test("a picture that is gone does not delay printing, and its name is printed", async () => {
    fakeApi({ ...config200, "GET /files/p": problem(404, "not-found") });
    open(withFiles(picture));
    await ready();
    expect(screen.getAllByRole("article")[0]?.textContent).toContain("photo.png · 2.4 MB");
    expect(screen.getByText(/could not be loaded/)).toBeTruthy();
  });
});
