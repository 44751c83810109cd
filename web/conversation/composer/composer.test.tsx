import { act, fireEvent, screen, within } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { log } from "../../log.ts";
import {
  box,
  eachChatScreenAlone,
  openChatScreen,
  pressButton,
  pressKey,
  sendButton,
  storedChat,
  write,
} from "../../testing/open-chat-screen.tsx";
import { DONE, message, start, stream, token } from "../../testing/replies-set-up.ts";

eachChatScreenAlone();

const stored = (id: string) =>
  storedChat(id, message(`q${id}`, "user", `Question ${id}`), message(`r${id}`, "assistant", "Hi"));
const answered = () => stream(start(), token("Hello", 5), DONE);

test.each([" ", "\n\n", "\t \u00a0\u3000"])("the white space %j alone is not sent", async (blank) => {
  const sent = await openChatScreen("/chat");
  write(blank);
  expect(sendButton().disabled).toBe(true);
  await pressKey("Enter");
  expect(box().value).toBe(blank);
  expect(sent()).toEqual([]);
});

test("on a touch screen Enter starts a line, until the person chooses that it sends", async () => {
  const others = { addEventListener: () => {}, removeEventListener: () => {} };
  vi.stubGlobal("matchMedia", (query: string) => ({ matches: query === "(pointer: coarse)", ...others }));
  onTestFinished(() => document.documentElement.removeAttribute("data-send"));
  const sent = await openChatScreen("/chat?c=a", {
    "GET /chat/a": stored("a"),
    "POST /chat/a/send?stream=1": answered,
  });
  await screen.findByText("Question a");
  write("First line");
  expect(box().getAttribute("enterkeyhint")).toBe("enter");
  expect(fireEvent.keyDown(box(), { key: "Enter" })).toBe(true);
  expect(sent()).toEqual([]);
  document.documentElement.dataset.send = "enter";
  write("First line\nsecond");
  expect(box().getAttribute("enterkeyhint")).toBe("send");
  await pressKey("Enter");
  await vi.waitFor(() => expect(sent()).toHaveLength(1));
});

test("text typed while a chat loads is stored as its draft, and is sent to it after the load", async () => {
  const answer = Promise.withResolvers<Response>();
  const sent = await openChatScreen("/chat?c=b", {
    "GET /chat/b": [() => answer.promise, stored("b")],
    "POST /chat/b/send?stream=1": answered,
  });
  write("For the other");
  expect(sendButton().disabled).toBe(true);
  const statuses = within(screen.getByRole("main")).getAllByRole("status");
  expect(statuses.filter(({ textContent }) => textContent?.includes("Loading…"))).toHaveLength(1);
  expect(localStorage.getItem("draft:1:b")).toContain("For the other");
  await act(async () => answer.resolve(Response.json(stored("b").json)));
  expect(await screen.findByText("Question b")).toBeTruthy();
  expect(box().value).toBe("For the other");
  await pressKey("Enter");
  await vi.waitFor(() => expect(sent()).toMatchObject([["POST /chat/b/send?stream=1", { message: "For the other" }]]));
  expect(box().value).toBe("");
});

test("New chat is disabled, and shows no Stop button, while the chat is being created", async () => {
  const answer = Promise.withResolvers<Response>();
  await openChatScreen("/chat?c=a", { "GET /chat/a": stored("a"), "POST /chat": () => answer.promise });
  await screen.findByText("Question a");
  write("Not yet");
  const button = within(screen.getByRole("navigation")).getByRole<HTMLButtonElement>("button", { name: "New chat" });
  await act(async () => button.click());
  expect(button.disabled).toBe(true);
  expect(sendButton().disabled).toBe(true);
  expect(screen.queryByRole("button", { name: /^Stop/ })).toBeNull();
  await act(async () => answer.resolve(Response.json({ id: "new", title: "New chat", updatedAt: 2, messages: [] })));
  expect(await screen.findByRole("heading", { level: 1 })).toBeTruthy();
});

test("the menu of models offers only automatic choice if their list cannot be read", async () => {
  const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
  const sent = await openChatScreen("/chat?c=a", {
    "GET /models": { status: 500, text: "" },
    "GET /chat/a": stored("a"),
    "POST /chat/a/send?stream=1": answered,
  });
  await screen.findByText("Question a");
  expect(warn).toHaveBeenCalledExactlyOnceWith("The list of models could not be read", expect.any(Error));
  await pressButton(/^Model/);
  const items = await screen.findAllByRole("menuitemradio");
  expect(items.map(({ textContent }) => textContent)).toEqual([expect.stringMatching(/^Automatic/)]);
  write("Anybody there?");
  await pressKey("Enter");
  await vi.waitFor(() =>
    expect(sent()).toEqual([["POST /chat/a/send?stream=1", { message: "Anybody there?", parent: "ra" }]]),
  );
});
