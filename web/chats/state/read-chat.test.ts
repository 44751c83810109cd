import { afterEach, expect, test, vi } from "vitest";
import type { Message } from "#contract/conversation/conversation.ts";
import { api } from "../../api/client.ts";
import { fakeApi } from "../../testing/fakes/fake-api.ts";
import { readChat } from "./read-chat.ts";

afterEach(() => vi.unstubAllGlobals());

const COUNT = 1001;

const messageAt = (at: number): Message => ({
  id: `m${at}`,
  role: at % 2 === 0 ? "user" : "assistant",
  content: `Words ${at}`,
  state: "complete",
  parent: at === 0 ? null : `m${at - 1}`,
  model: null,
  createdAt: at,
});
const chatOf = (messages: readonly unknown[]) => ({ id: "a", title: "Long", updatedAt: 1, messages });
const messages = Array.from({ length: COUNT }, (_, at) => messageAt(at));

const answer = (json: unknown) => fakeApi({ "GET /chat/a": { json } });

test("a chat of many messages is validated in several tasks, and is whole", async () => {
  answer(chatOf(messages));
  const inOtherTasks: string[] = [];
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    inOtherTasks.push("another task");
    port2.postMessage(null);
  };
  port2.postMessage(null);
  try {
    expect(await readChat(api, "a")).toEqual(chatOf(messages));
  } finally {
    port1.close();
  }
  expect(inOtherTasks.length).toBeGreaterThanOrEqual(Math.floor(COUNT / 250));
});

test.each([0, 250, COUNT - 1])("a chat is refused for message %i if that has no role", async (at) => {
  answer(chatOf(messages.with(at, { ...messageAt(at), role: "someone" } as never)));
  await expect(readChat(api, "a")).rejects.toMatchObject({ code: "unexpected-answer" });
});

test("a chat of another server, whose messages have only the fields of the specification, is completed", async () => {
  answer(chatOf(messages.map(({ id, role, content }) => ({ id, role, content }))));
  const chat = await readChat(api, "a");
  expect(chat.messages).toHaveLength(COUNT);
  expect(chat.messages.at(-1)).toMatchObject({ id: `m${COUNT - 1}`, content: `Words ${COUNT - 1}`, state: "complete" });
});
