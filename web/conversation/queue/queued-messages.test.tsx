import { act, screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { Message } from "#contract/conversation/conversation.ts";
import {
  box,
  eachChatScreenAlone,
  findAnswer,
  openChatScreen,
  pressKey,
  storedChat,
  write,
} from "../../testing/open-chat-screen.tsx";
import { DONE, endless, message, start, stream, token } from "../../testing/replies-set-up.ts";

eachChatScreenAlone();

const SEND = "POST /chat/a/send?stream=1";
const submit = async (text: string) => {
  write(text);
  await pressKey("Enter");
};
/** Queues a text: the button appears once the module of the queue is loaded. */
const enqueue = async (text: string) => {
  write(text);
  await screen.findByLabelText("Send after this answer");
  await pressKey("Enter");
};
const queued = () =>
  within(screen.queryByRole("list", { name: "Queued messages" }) ?? document.createElement("div"))
    .queryAllByRole("listitem")
    .map(({ textContent }) => textContent);
const texts = (sent: Awaited<ReturnType<typeof openChatScreen>>) =>
  sent()
    .filter(([call]) => call === SEND)
    .map(([, body]) => Object(body).message);

/** A chat on the server, which has stored a turn once its answer is complete. */
function chatA() {
  const messages: Message[] = [];
  const store = (nth: number, text: string) =>
    messages.push(message(`q${nth}`, "user", text), message(`r${nth}`, "assistant", `Answer ${nth}`));
  const answer = (nth: number, text: string) => () => {
    store(nth, text);
    return stream(start(0, `r${nth}`), token(`Answer ${nth}`, 8), DONE);
  };
  return { read: () => Response.json(storedChat("a", ...messages).json), store, answer };
}

test("a queued message that the server refuses is shown in the chat, and leaves the text in the box as it is", async () => {
  const chat = chatA();
  const first = endless(start(0, "r1"), token("Being written", 13));
  const sent = await openChatScreen("/chat?c=a", {
    "GET /chat/a": chat.read,
    [SEND]: [
      () => first.response,
      { status: 400, json: { detail: "No.", error: "No." } },
      chat.answer(2, "The second"),
    ],
  });
  await submit("The first");
  await findAnswer("Being written");
  await enqueue("The second");
  await vi.waitFor(() => expect(queued()).toEqual([expect.stringContaining("Will be sent after this answer")]));
  write("Half a sentence");
  chat.store(1, "The first");
  await act(async () => first.end(DONE));
  expect(await within(screen.getByRole("main")).findByRole("alert")).toBeTruthy();
  expect(queued()).toEqual([]);
  expect(screen.getByText("Not sent")).toBeTruthy();
  expect(box().value).toBe("Half a sentence");
  await act(async () => screen.getByRole("button", { name: "Try again" }).click());
  expect(await findAnswer("Answer 2")).toBeTruthy();
  expect(box().value).toBe("Half a sentence");
  expect(texts(sent)).toEqual(["The first", "The second", "The second"]);
});

test("a message submitted while another waits for the connection is queued behind it, and sent after it", async () => {
  const chat = chatA();
  let isReachable = false;
  const first = () => (isReachable ? chat.answer(1, "The first")() : Promise.reject(new TypeError("Failed to fetch")));
  const later = chat.answer(2, "The second");
  const sent = await openChatScreen("/chat?c=a", {
    "GET /chat/a": chat.read,
    [SEND]: ({ body }) => (Object(body).message === "The first" ? first() : later()),
  });
  await submit("The first");
  await vi.waitFor(() => expect(texts(sent)).not.toEqual([]));
  await enqueue("The second");
  await vi.waitFor(() => expect(queued()).toHaveLength(1));
  isReachable = true;
  await act(async () => void window.dispatchEvent(new Event("online")));
  expect(await findAnswer("Answer 2")).toBeTruthy();
  expect(queued()).toEqual([]);
  expect(texts(sent).slice(-2)).toEqual(["The first", "The second"]);
});

test("the queue of a temporary chat stores nothing in the browser", async () => {
  const first = endless(start(0, "r1"), token("Being written", 13));
  const second = () => stream(start(0, "r2"), token("Answer 2", 8), DONE);
  await openChatScreen("/chat?temporary=1", { "POST /temporary/reply": [() => first.response, second] });
  await screen.findByPlaceholderText("Message ChatGPT...");
  await submit("The first");
  await findAnswer("Being written");
  await enqueue("About a quokka");
  await vi.waitFor(() => expect(queued()).toEqual([expect.stringContaining("About a quokka")]));
  expect(JSON.stringify({ ...localStorage })).not.toContain("quokka");
  await act(async () => first.end(DONE));
  expect(await findAnswer("Answer 2")).toBeTruthy();
  expect(queued()).toEqual([]);
});
