import { expect, test } from "vitest";
import "../../testing/english-texts.ts";
import type { Message } from "#contract/conversation/conversation.ts";
import { type Api, ApiError } from "../../api/client.ts";
import { chatEvents } from "./chats-slice.ts";
import { createChatsStore } from "./chats-store.ts";
import { decideCalls } from "./decide-calls.ts";

const request = { reply: "r", decisions: [{ seq: 0, digest: "d", answer: "once" as const }] };

/** Sets up a chat whose reply waits, and a server on which it is being written. */
function setUp(post: (...given: Parameters<Api["post"]>) => Promise<unknown>) {
  const chat = (state: Message["state"]) => {
    const reply = { id: "r", role: "assistant", content: "", state, parent: null, model: null, createdAt: 1 } as const;
    return { id: "a", title: "T", updatedAt: 1, messages: [reply] };
  };
  const store = createChatsStore({ get: async () => chat("writing"), post } as unknown as Api);
  store.dispatch(chatEvents.loadChatSuccess({ chat: chat("waiting") }));
  return { store, state: () => store.getState().chats.conversations.a?.messages[0]?.state };
}

test("after a decision the chat is read again, so that the reply is joined", async () => {
  const { store, state } = setUp(async () => ({ state: "writing" }));
  expect(await store.dispatch(decideCalls("a", request))).toBeNull();
  expect(state()).toBe("writing");
});

test("a decision names the time zone of its browser, in which the answer goes on", async () => {
  let sent: unknown;
  const { store } = setUp(async (_path, _body, _schema, options) => {
    sent = options?.headers?.["x-time-zone"];
    return { state: "writing" };
  });
  await store.dispatch(decideCalls("a", request));
  expect(sent).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
});

test("a decision that came too late reads the chat again, and has a sentence", async () => {
  const { store, state } = setUp(() => Promise.reject(new ApiError(409, "Late", { body: '{"detail":"Too late."}' })));
  expect(await store.dispatch(decideCalls("a", request))).toBe("Too late.");
  expect(state()).toBe("writing");
});

test("a decision that was not received leaves the chat as it is", async () => {
  const { store, state } = setUp(() => Promise.reject(new ApiError(0, "Away", { code: "unreachable" })));
  expect(await store.dispatch(decideCalls("a", request))).toMatch(/could not be reached/);
  expect(state()).toBe("waiting");
});
