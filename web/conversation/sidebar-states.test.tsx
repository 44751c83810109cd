import { act, screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { currentSession } from "../accounts/session/session.ts";
import {
  box,
  eachChatScreenAlone,
  openChatScreen,
  pressButton,
  storedChat,
  write,
} from "../testing/open-chat-screen.tsx";
import { message } from "../testing/replies-set-up.ts";

eachChatScreenAlone();

const EMPTY = "Your chats will be listed here.";
const stored = storedChat("a", message("q", "user", "A question"), message("r", "assistant", "An answer"));
const sidebar = () => within(screen.getByRole("navigation", { name: "Chats" }));
const main = () => within(screen.getByRole("main"));

test("the list of chats shows that it is loading until it is read", async () => {
  const answer = Promise.withResolvers<Response>();
  await openChatScreen("/chat", { "GET /chat-history": () => answer.promise.then((response) => response.clone()) });
  expect(sidebar().getByText("Loading...")).toBeTruthy();
  expect(sidebar().queryByText(EMPTY)).toBeNull();
  await act(async () => answer.resolve(Response.json([{ id: "a", title: "An old question", updatedAt: 1 }])));
  expect(await sidebar().findByText("An old question")).toBeTruthy();
  expect(sidebar().queryByText("Loading...")).toBeNull();
});

test("an empty list of chats explains that chats will be listed there", async () => {
  await openChatScreen("/chat");
  expect(await sidebar().findByText(EMPTY)).toBeTruthy();
  expect(sidebar().queryByText("Loading...")).toBeNull();
});

test("a list of chats that cannot be read is not shown as empty", async () => {
  await openChatScreen("/chat", { "GET /chat-history": { status: 500, text: "" } });
  const banner = await main().findByRole("alert");
  expect(banner.textContent).toBe("Your chats could not be loaded. Please reload the page.");
  await pressButton("Close");
  expect(main().queryByRole("alert")).toBeNull();
  expect(sidebar().queryByText(EMPTY)).toBeNull();
  expect(sidebar().queryByText("Loading...")).toBeNull();
});

test("a logout with a draft needs a confirmation, and removes the draft", async () => {
  await openChatScreen("/chat?c=a", { "GET /chat/a": stored, "POST /auth/logout": { status: 204, text: "" } });
  await screen.findByText("A question");
  write("Not sent yet");
  const logout = () => act(async () => main().getByRole("button", { name: "Logout" }).click());
  const question = () => screen.findByRole("alertdialog", { name: "Log out and lose your draft?" });
  await logout();
  const cancel = within(await question()).getByRole("button", { name: "Cancel" });
  await act(async () => cancel.click());
  expect(box().value).toBe("Not sent yet");
  await logout();
  const confirm = within(await question()).getByRole("button", { name: "Log out" });
  await act(async () => confirm.click());
  await vi.waitFor(() => expect(currentSession().token).toBeNull());
  expect(Object.keys(localStorage).filter((key) => key.startsWith("draft:"))).toEqual([]);
});

test("an archived chat has a notice, whose button restores the chat", async () => {
  const sent = await openChatScreen("/chat?c=a", {
    "GET /chat/a": { json: { ...stored.json, isArchived: true } },
    "POST /chat-batch": { json: { changed: ["a"] } },
  });
  expect(await screen.findByText("This chat is archived.")).toBeTruthy();
  await pressButton("Unarchive");
  await vi.waitFor(() => expect(screen.queryByText("This chat is archived.")).toBeNull());
  expect(sent()).toEqual([["POST /chat-batch", { ids: ["a"], change: { isArchived: false } }]]);
});
