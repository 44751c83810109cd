import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Message } from "#contract/conversation/conversation.ts";
import type { ReplyRequest } from "#contract/conversation/conversation-calls.ts";
import { signUp } from "../../testing/accounts/sign-up.ts";
import { type ScriptedChat, startScriptedChat } from "../../testing/chats/scripted-chat.ts";
import { whileBusy } from "../../testing/chats/while-busy.ts";
import { readEvents, readReply } from "../../testing/http/read-events.ts";
import { continuing } from "../../testing/provider/continuing.ts";

const TEXT = "One two three four five six seven eight nine ten";
const GPT = "GPT:gpt-5-mini";

let chat: ScriptedChat;
beforeAll(async () => {
  chat = await startScriptedChat();
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(async () => {
  await chat.renew();
  chat.provider.reply = continuing(TEXT);
});

function ask(request: ReplyRequest, key?: string): Promise<Response> {
  const headers: Record<string, string> = key ? { "idempotency-key": key } : {};
  return chat.app.call("POST", `/chat/${chat.chatId}/reply`, { token: chat.ada.token, body: request, headers });
}

async function codeOf(response: Response) {
  return { status: response.status, code: ((await response.json()) as { code: string }).code };
}

/** Creates a reply of a chosen model whose provider broke off in the middle. */
async function breakOff(): Promise<Message> {
  chat.provider.next("broken-off");
  await readReply(await chat.stream({ model: GPT }));
  return chat.last();
}

describe("continued replies", () => {
  it("Continue appends the rest to the same reply without changing its text, and marks the seam", async () => {
    const before = await breakOff();
    expect(before).toMatchObject({ state: "failed", code: "assistant-broken-off" });
    expect(TEXT.startsWith(before.content)).toBe(true);
    const added = await readReply(await ask({ mode: "continue" }));
    expect(added).toMatchObject({ reply: before.id, from: before.content.length, isDone: true });
    expect(before.content + added.text).toBe(TEXT);
    expect(await chat.last()).toMatchObject({
      id: before.id,
      content: TEXT,
      state: "complete",
      seams: [before.content.length],
    });
    expect(chat.provider.chats).toHaveLength(2);
    expect(chat.provider.chats[1]?.messages).toContainEqual({ role: "assistant", content: before.content });
  });

  it("Continue sends the seam to concurrent readers", async () => {
    const before = await breakOff();
    chat.provider.next("held");
    const joined = readEvents(await ask({ mode: "continue" }));
    chat.provider.release(TEXT.slice(before.content.length));
    chat.provider.finish();
    const told = [];
    for await (const event of joined) told.push(event);
    expect(told).toContainEqual({ seam: before.content.length });
  });

  it("Continue drops text that the model repeats from the end", async () => {
    const before = await breakOff();
    chat.provider.reply = TEXT.slice(before.content.length - 12);
    await readReply(await ask({ mode: "continue" }));
    expect((await chat.last()).content).toBe(TEXT);
  });

  it("Continue keeps the text if the model fails again, and can be repeated", async () => {
    const before = await breakOff();
    chat.provider.next("wrong-key");
    expect((await readReply(await ask({ mode: "continue" }))).failure?.code).toBe("assistant-misconfigured");
    expect(await chat.last()).toMatchObject({ id: before.id, content: before.content, state: "failed" });
    await readReply(await ask({ mode: "continue" }));
    expect((await chat.last()).content).toBe(TEXT);
  });

  it("Continue extends a reply whose model has stopped at its length limit", async () => {
    chat.provider.next("length");
    chat.provider.reply = "One two";
    await readReply(await chat.stream({ model: GPT }));
    expect(await chat.last()).toMatchObject({ state: "complete", isTruncated: true });
    chat.provider.reply = " three.";
    await readReply(await ask({ mode: "continue" }));
    const whole = await chat.last();
    expect(whole.content).toBe("One two three.");
    expect(whole.isTruncated).toBeUndefined();
  });

  it("refuses to continue a complete reply", async () => {
    await readReply(await chat.stream({ model: GPT }));
    expect(await codeOf(await ask({ mode: "continue" }))).toEqual({ status: 409, code: "nothing-to-continue" });
    expect(chat.provider.chats).toHaveLength(1);
  });

  it("Continue returns the same continuation for the same key, also after its end", async () => {
    const before = await breakOff();
    const first = await readReply(await ask({ mode: "continue" }, "twice"));
    expect(await readReply(await ask({ mode: "continue" }, "twice"))).toEqual(first);
    expect(first.from).toBe(before.content.length);
  });

  it("refuses to continue in an empty chat, after a question, and while a reply is running", async () => {
    expect(await codeOf(await ask({ mode: "continue" }))).toEqual({ status: 409, code: "nothing-to-continue" });
    await chat.call("POST", "/message", { role: "user", content: "Hello?" });
    expect(await codeOf(await ask({ mode: "continue" }))).toEqual({ status: 409, code: "nothing-to-continue" });
    const running = await chat.stream({ message: "[scenario:held]" });
    expect(await codeOf(await ask({ mode: "continue" }))).toEqual({ status: 409, code: "reply-running" });
    chat.provider.release("Done.");
    chat.provider.finish();
    await readReply(running);
  });
});

describe("retried answers", () => {
  it("Retry answers a question that has no answer", async () => {
    chat.provider.next("wrong-key");
    await readReply(await chat.stream({ model: GPT }));
    expect(await chat.transcript()).toEqual(["user: What is a fjord?"]);
    const answer = await readReply(await ask({ mode: "retry" }));
    expect(answer).toMatchObject({ text: TEXT, from: 0, isDone: true });
    expect(await chat.transcript()).toEqual(["user: What is a fjord?", `assistant: ${TEXT}`]);
  });

  it("Retry writes an alternative of a reply, and without a word of it the earlier reply is shown again", async () => {
    const before = await breakOff();
    chat.provider.next("wrong-key");
    await readReply(await ask({ mode: "retry", model: GPT }));
    expect(await chat.last()).toMatchObject({ id: before.id, content: before.content });
    const { reply } = await readReply(await ask({ mode: "retry", model: GPT }));
    expect(reply).not.toBe(before.id);
    expect(await chat.last()).toMatchObject({ id: reply, content: TEXT, parent: before.parent });
    const stored = await chat.app.call("GET", `/chat/${chat.chatId}/reply?reply=${before.id}`, {
      token: chat.ada.token,
    });
    expect((await readReply(stored)).text).toBe(before.content);
  });

  it("refuses to retry in an empty chat", async () => {
    expect(await codeOf(await ask({ mode: "retry" }))).toEqual({ status: 409, code: "nothing-to-answer" });
  });
});

it("R11 runs a reply request once for its key, also if it is repeated concurrently or later", async () => {
  await breakOff();
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => whileBusy(chat.app, () => ask({ mode: "retry", model: GPT }, "same"))),
  );
  const told = await Promise.all(answers.map((answer) => readReply(answer)));
  expect(new Set(told.map(({ reply }) => reply)).size).toBe(1);
  expect(told.map(({ text }) => text)).toEqual(Array.from({ length: 5 }, () => TEXT));
  expect(chat.provider.chats).toHaveLength(2);
  expect((await readReply(await ask({ mode: "retry", model: GPT }, "same"))).text).toBe(TEXT);
  expect(chat.provider.chats).toHaveLength(2);
  expect(await codeOf(await ask({ mode: "continue" }, "same"))).toEqual({ status: 409, code: "idempotency-mismatch" });
});

it("refuses a reply request with an outdated position, of another account, or of an unknown kind", async () => {
  const { id } = await breakOff();
  expect(await codeOf(await ask({ mode: "retry", parent: "elsewhere" }))).toMatchObject({ code: "conversation-moved" });
  expect(await codeOf(await ask({ mode: "dance" } as unknown as ReplyRequest))).toMatchObject({ status: 400 });
  expect(await codeOf(await ask({ mode: "retry", model: "GPT:unheard-of" }))).toMatchObject({ code: "model-unknown" });
  const path = `/chat/${chat.chatId}/reply`;
  const bob = await signUp(chat.app);
  const body = { mode: "retry" };
  expect((await chat.app.call("POST", path, { token: bob.token, body })).status).toBe(404);
  expect((await chat.app.call("POST", path, { body })).status).toBe(401);
  expect(chat.provider.chats).toHaveLength(1);
  expect((await chat.last()).id).toBe(id);
});

it("continues a broken-off reply with the next provider under automatic choice", async () => {
  chat.provider.next("broken-off", "fast");
  const told = await readReply(await chat.stream());
  expect(told).toMatchObject({ text: TEXT, isDone: true, failure: undefined });
  expect(chat.provider.chats.map(({ model }) => model)).toEqual(["gpt-5-mini", "claude-sonnet-4-5-20250929"]);
  const reply = await chat.last();
  expect(reply).toMatchObject({ content: TEXT, state: "complete", model: "CLAUDE:claude-sonnet-4-5-20250929" });
  expect(reply.seams).toHaveLength(1);
});

it("keeps the text of a broken-off reply if no provider is left, and calls none twice", async () => {
  chat.provider.next("broken-off", "error-mid-stream");
  const told = await readReply(await chat.stream());
  expect(told.failure?.code).toBe("assistant-busy");
  expect(told.text.length).toBeGreaterThan(0);
  expect(chat.provider.chats).toHaveLength(2);
  expect(await chat.last()).toMatchObject({ content: told.text, state: "failed" });
});

it("titles a chat whose first reply came from a retry, and requests one title only", async () => {
  const message = "Name this very chat";
  const asked = () => chat.provider.titles.filter(({ body }) => JSON.stringify(body).includes(message));
  chat.provider.title = "A later title";
  chat.provider.next("wrong-key");
  await readReply(await chat.stream({ message, model: GPT }));
  await readReply(await ask({ mode: "retry", model: GPT }));
  await vi.waitUntil(async () => (await chat.open()).title === "A later title");
  await readReply(await ask({ mode: "regenerate", model: GPT }));
  await readReply(await chat.stream({ message: "And then?", model: GPT }));
  expect(asked()).toHaveLength(1);
});

it("automatic choice takes the successor of a model that its provider no longer has, which also titles the chat", async () => {
  chat.provider.title = "Named by the successor";
  chat.provider.next("unknown-model", "fast");
  const told = await readReply(await chat.stream());
  expect(told).toMatchObject({ text: TEXT, isDone: true, failure: undefined });
  expect(chat.provider.chats.map(({ model }) => model)).toEqual(["gpt-5-mini", "gpt-6-luna"]);
  expect(await chat.last()).toMatchObject({ state: "complete", model: "GPT:gpt-6-luna" });
  await vi.waitUntil(async () => (await chat.open()).title === chat.provider.title);
});

it("does not replace a chosen model that its provider no longer has", async () => {
  chat.provider.next("unknown-model");
  const told = await readReply(await chat.stream({ model: GPT }));
  expect(told.failure?.code).toBe("assistant-model-gone");
  expect(chat.provider.chats).toHaveLength(1);
});
