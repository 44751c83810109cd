import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Chat } from "#contract/conversation/conversation.ts";
import { signUp } from "../../../testing/accounts/sign-up.ts";
import { startTestApp } from "../../../testing/app/start-test-app.ts";
import { type ScriptedChat, startScriptedChat } from "../../../testing/chats/scripted-chat.ts";
import { readEvents, readReply } from "../../../testing/http/read-events.ts";
import { startScriptedProvider } from "../../../testing/provider/scripted-provider.ts";

let chat: ScriptedChat;
beforeAll(async () => {
  chat = await startScriptedChat({ REPLY_FIRST_TEXT_MS: "2000", REPLY_IDLE_MS: "1000" });
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(() => chat.renew());

describe("streamed sends", () => {
  it("a send streams the reply by data lines and stores both messages", async () => {
    chat.provider.reply = "A long, narrow inlet with steep sides — søt!";
    const response = await chat.stream();
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(response.headers.get("cache-control")).toContain("no-transform");
    const reply = await readReply(response);
    expect(reply).toMatchObject({ text: chat.provider.reply, from: 0, isDone: true, failure: undefined });
    const { messages } = await chat.open();
    expect(messages).toMatchObject([
      { role: "user", content: "What is a fjord?", parent: null, state: "complete", model: null },
      { role: "assistant", content: chat.provider.reply, state: "complete", model: "GPT:gpt-5-mini", id: reply.reply },
    ]);
    expect(messages[1]?.parent).toBe(messages[0]?.id);
  });

  it("positions in a reply count UTF-16 units", async () => {
    chat.provider.reply = "one 😀 two";
    let text = "";
    for await (const event of readEvents(await chat.stream({ message: "[scenario:multi-byte]" }))) {
      if (event === "[DONE]" || event.token === undefined) continue;
      text += event.token;
      expect(event.at).toBe(text.length);
    }
    expect(text.length).toBeGreaterThan(0);
  });

  it("a send passes on the conversation so far, and the chosen model", async () => {
    chat.provider.reply = "First answer";
    await readReply(await chat.stream({ message: "First question" }));
    await readReply(await chat.stream({ message: "Second question", model: "CLAUDE:claude-sonnet-4-20250514" }));
    expect(chat.provider.chats).toHaveLength(2);
    expect(chat.provider.chats[1]).toMatchObject({
      model: "claude-sonnet-4-20250514",
      messages: [
        { role: "user", content: "First question" },
        { role: "assistant", content: "First answer" },
        { role: "user", content: "Second question" },
      ],
    });
    expect(chat.provider.chats[1]?.system).toContain("Parley");
  });

  it("R1 a reply continues after its client has disconnected, and is stored", async () => {
    const leaving = new AbortController();
    const response = await chat.app.call("POST", `/chat/${chat.chatId}/send?stream=1`, {
      token: chat.ada.token,
      body: { message: "[scenario:held]" },
      signal: leaving.signal,
    });
    chat.provider.release("Before ");
    for await (const event of readEvents(response)) if (event !== "[DONE]" && event.token) break;
    leaving.abort();
    const join = await chat.app.call("GET", `/chat/${chat.chatId}/reply`, { token: chat.ada.token });
    chat.provider.release("and after.");
    chat.provider.finish();
    expect(await readReply(join)).toMatchObject({ text: "Before and after.", isDone: true });
    expect((await chat.transcript())[1]).toBe("assistant: Before and after.");
    expect(chat.provider.chats[0]?.isAborted).toBe(false);
  });

  it("a chat that is opened during a reply shows the text so far", async () => {
    const response = await chat.stream({ message: "[scenario:held]" });
    chat.provider.release("So far");
    for await (const event of readEvents(response)) if (event !== "[DONE]" && event.token) break;
    expect((await chat.open()).messages[1]).toMatchObject({ content: "So far", state: "writing" });
    const resumed = chat.app.call(
      "GET",
      `/chat/${chat.chatId}/reply?reply=${(await chat.open()).messages[1]?.id}&from=3`,
      {
        token: chat.ada.token,
      },
    );
    chat.provider.finish();
    expect(await readReply(await resumed)).toMatchObject({ from: 3, text: "far", isDone: true });
  });
});

it("E4 ends the streams of a session with it, and the reply continues", async () => {
  const response = await chat.stream({ message: "[scenario:held]" });
  chat.provider.release("Before the sign-out");
  for await (const event of readEvents(response)) {
    if (event === "[DONE]" || !event.token) continue;
    expect((await chat.app.call("POST", "/auth/logout", { token: chat.ada.token })).status).toBe(204);
    break;
  }
  const { ada, chatId } = chat;
  const replyText = () => chat.app.context.replies.findInChat(chatId)?.text;
  chat.provider.release(", and after it");
  await vi.waitUntil(() => replyText() === "Before the sign-out, and after it");
  chat.provider.finish();
  const { username } = ada.user;
  const login = await chat.app.call("POST", "/auth/login", { body: { username, password: ada.password } });
  const { access_token: token } = (await login.json()) as { access_token: string };
  const reopen = async () => (await (await chat.app.call("GET", `/chat/${chatId}`, { token })).json()) as Chat;
  await vi.waitUntil(async () => (await reopen()).messages[1]?.state !== "writing");
  expect((await reopen()).messages[1]).toMatchObject({
    content: "Before the sign-out, and after it",
    state: "complete",
  });
});

it("E4 breaks the connection of a reader that is signed out", async () => {
  const response = await chat.stream({ message: "[scenario:held]" });
  expect((await chat.app.call("POST", "/auth/logout", { token: chat.ada.token })).status).toBe(204);
  await expect(readReply(response)).rejects.toThrow("terminated");
  await chat.provider.chat(1);
  chat.provider.finish();
});

describe("reading a reply again", () => {
  it("resumes an ended reply at any position from the store", async () => {
    chat.provider.reply = "All of it";
    const { reply } = await readReply(await chat.stream());
    for (const from of [0, 4, 9, 99]) {
      const resumed = await chat.app.call("GET", `/chat/${chat.chatId}/reply?reply=${reply}&from=${from}`, {
        token: chat.ada.token,
      });
      expect(await readReply(resumed)).toMatchObject({ reply, text: "All of it".slice(from), isDone: true });
    }
  });

  it("a reader receives nothing if no reply is running", async () => {
    expect((await chat.app.call("GET", `/chat/${chat.chatId}/reply`, { token: chat.ada.token })).status).toBe(204);
  });

  it("never returns a reply's text for another chat, a question, or another account", async () => {
    const { reply } = await readReply(await chat.stream());
    const question = (await chat.open()).messages[0]?.id;
    const elsewhere = await chat.createChat();
    const other = await signUp(chat.app);
    const tries = [
      { path: `/chat/${elsewhere}/reply?reply=${reply}`, token: chat.ada.token },
      { path: `/chat/${chat.chatId}/reply?reply=${question}`, token: chat.ada.token },
      { path: `/chat/${chat.chatId}/reply?reply=${reply}`, token: other.token },
      { path: `/chat/${await chat.createChat(other)}/reply?reply=${reply}`, token: other.token },
    ];
    for (const { path, token } of tries) expect((await chat.app.call("GET", path, { token })).status).toBe(404);
  });
});

describe("failures of the provider", () => {
  const claude = "CLAUDE:claude-sonnet-4-5-20250929";

  it.each([
    ["wrong-key", "assistant-misconfigured"],
    ["too-long", "assistant-too-long"],
    ["refusal", "assistant-refused"],
    ["garbage", "assistant-broken-off"],
    ["html-instead", "assistant-failed"],
  ])("the failure %s of a provider has the code %s", async (scenario, code) => {
    const { failure, isDone } = await readReply(
      await chat.stream({ message: `[scenario:${scenario}]`, model: "GPT:gpt-5" }),
    );
    expect(failure?.code).toBe(code);
    expect(failure?.error).not.toMatch(/scripted|http|127\.0\.0\.1/);
    expect(isDone).toBe(true);
  });

  it("asks once for an answer that has only calls of a tool that was not offered, and says why there is no text", async () => {
    chat.provider.reply = "";
    chat.provider.calls = () => [{ id: "call_1", name: "web_search", arguments: '{"query":"news"}' }];
    const { failure, isDone } = await readReply(await chat.stream({ message: "What is new?" }));
    expect([failure?.code, isDone]).toEqual(["assistant-called-tools", true]);
    expect(chat.provider.chats).toHaveLength(1);
  });

  it("says that no tool has run at the end of an answer that has a call as text", async () => {
    chat.provider.reply = 'Let me look.\n<tool_call>\n{"name": "search"}\n</tool_call>\nIt is sunny.';
    const { text } = await readReply(await chat.stream({ message: "How is the weather?" }));
    const { content, parts } = (await chat.open()).messages[1] ?? {};
    expect([text, content]).toEqual([chat.provider.reply, chat.provider.reply]);
    expect(parts).toEqual([{ seq: 0, at: text.length, kind: "notice", code: "no-tool-run", params: {} }]);
  });

  it("an answer with text is complete although it ends with a call of a tool that was not offered", async () => {
    chat.provider.reply = "I cannot look that up.";
    chat.provider.calls = () => [{ id: "call_1", name: "web_search", arguments: "{}" }];
    const { text, failure } = await readReply(await chat.stream({ message: "What is new?" }));
    expect([text, failure]).toEqual(["I cannot look that up.", undefined]);
  });

  it("aborts a provider that sends no text in time", async () => {
    await using strict = await startScriptedChat({ REPLY_FIRST_TEXT_MS: "100" });
    await strict.renew();
    strict.provider.scenario = "silent";
    const { failure, isDone } = await readReply(await strict.stream({ model: "GPT:gpt-5" }));
    expect(failure?.code).toBe("assistant-stalled");
    expect(isDone).toBe(true);
    const [call] = strict.provider.chats;
    await call?.closed;
    expect(call?.isAborted).toBe(true);
  });

  it.each(["broken-off", "ends-without-done", "stalled", "error-mid-stream"])(
    "R7 keeps the words that came before the failure %s, marked as failed",
    async (scenario) => {
      chat.provider.reply = "Some words that come before the trouble begins";
      const { text, failure } = await readReply(
        await chat.stream({ message: `[scenario:${scenario}]`, model: claude }),
      );
      expect(text.length).toBeGreaterThan(0);
      expect(chat.provider.reply.startsWith(text)).toBe(true);
      expect(failure).toBeDefined();
      expect((await chat.open()).messages[1]).toMatchObject({ content: text, state: "failed" });
      expect(chat.provider.chats).toHaveLength(1);
    },
  );

  it("treats an answer without text as a failure", async () => {
    chat.provider.reply = "";
    expect(await chat.send({ model: claude })).toMatchObject({ ai_response: null, error: expect.any(String) });
    expect(await chat.transcript()).toEqual(["user: What is a fjord?"]);
  });

  it("R5 retries a chosen model once before the first word, and calls no other", async () => {
    chat.provider.reply = "Second time lucky";
    chat.provider.next("error-before-first-word", "fast");
    expect(await chat.send({ model: "GPT:gpt-5-nano" })).toMatchObject({
      ai_response: { content: "Second time lucky" },
    });
    expect(chat.provider.chats.map(({ model }) => model)).toEqual(["gpt-5-nano", "gpt-5-nano"]);
  });

  it("a question that follows a failure is answered after the unanswered one", async () => {
    chat.provider.next("too-long");
    await chat.send({ message: "one", model: claude });
    chat.provider.reply = "Now";
    await chat.send({ message: "two", model: claude });
    expect(await chat.transcript()).toEqual(["user: one", "user: two", "assistant: Now"]);
  });
});

it("automatic choice falls back to the next provider before the first word", async () => {
  await using fresh = await startScriptedProvider();
  await using other = await startTestApp({
    env: {
      OPENAI_API_KEY: "k",
      OPENAI_BASE_URL: fresh.baseUrl,
      ANTHROPIC_API_KEY: "k",
      ANTHROPIC_BASE_URL: fresh.baseUrl,
    },
  });
  fresh.next("error-before-first-word", "fast");
  fresh.reply = "From the other one";
  const { token } = await signUp(other);
  const { id } = (await (await other.call("POST", "/chat", { token })).json()) as Chat;
  const response = await other.call("POST", `/chat/${id}/send`, { token, body: { message: "Hello" } });
  expect(await response.json()).toMatchObject({
    ai_response: { content: "From the other one", model: "CLAUDE:claude-sonnet-4-5-20250929" },
  });
  expect(fresh.chats.map(({ path }) => path)).toEqual(["/v1/chat/completions", "/v1/messages"]);
});
