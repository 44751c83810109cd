import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Message } from "#contract/conversation/conversation.ts";
import { PARTS_MAX } from "#contract/limits.ts";
import type { Problem } from "#contract/problem.ts";
import { signUp } from "../../testing/accounts/sign-up.ts";
import { expectExactCounters } from "../../testing/chats/exact-counters.ts";
import { type ScriptedChat, startScriptedChat } from "../../testing/chats/scripted-chat.ts";
import { whileBusy } from "../../testing/chats/while-busy.ts";
import { isOnPostgres } from "../../testing/database/test-database.ts";
import { readReply } from "../../testing/http/read-events.ts";

let chat: ScriptedChat;
beforeAll(async () => {
  chat = await startScriptedChat({ MAX_MESSAGE_CHARS: "1000" });
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(() => chat.renew());

describe("sends without streaming", () => {
  it("a send without streaming returns both messages", async () => {
    chat.provider.reply = "Whole";
    expect(await chat.send()).toMatchObject({
      user_message: { role: "user", content: "What is a fjord?" },
      ai_response: { role: "assistant", content: "Whole" },
      error: null,
    });
  });

  it("a send without streaming answers 200 with a sentence if the provider fails, and stores no empty message", async () => {
    const response = await chat.post("", { message: "[scenario:wrong-key]", model: "GPT:gpt-5" });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      user_message: { content: "[scenario:wrong-key]" },
      ai_response: null,
      error: "The assistant cannot answer right now. The administrator can put that right.",
    });
    expect(await chat.transcript()).toEqual(["user: [scenario:wrong-key]"]);
  });
});

describe("one reply at a time", () => {
  it("R12 refuses a second send during a running reply", async () => {
    const first = await chat.stream({ message: "[scenario:held]" });
    const second = await chat.post("", { message: "Me too" });
    expect(second.status).toBe(409);
    expect(((await second.json()) as Problem).code).toBe("reply-running");
    expect(
      (
        await chat.app.call("POST", `/chat/${chat.chatId}/message`, {
          token: chat.ada.token,
          body: { role: "user", content: "x" },
        })
      ).status,
    ).toBe(409);
    chat.provider.release("Done");
    chat.provider.finish();
    await readReply(first);
    expect(await chat.transcript()).toEqual(["user: [scenario:held]", "assistant: Done"]);
  });

  it("accepts exactly one of many concurrent sends to a chat", async () => {
    const sends = Array.from({ length: 8 }, (_, n) =>
      whileBusy(chat.app, () => chat.stream({ message: `[scenario:held] ${n}` })),
    );
    const responses = await Promise.all(sends);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)]);
    chat.provider.release("One");
    chat.provider.finish();
    for (const response of responses) if (response.ok) await readReply(response);
    expect((await chat.open()).messages).toHaveLength(2);
    expect(chat.provider.chats).toHaveLength(1);
  });
});

describe("R11 idempotency keys", () => {
  it("an idempotency key creates one message and one reply for any number of concurrent repeats", async () => {
    chat.provider.reply = "Only once";
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => whileBusy(chat.app, () => chat.stream({ key: "same" }))),
    );
    const replies = await Promise.all(responses.map(readReply));
    const again = await readReply(await chat.stream({ key: "same" }));
    for (const reply of [...replies, again]) expect(reply).toMatchObject({ text: "Only once", reply: again.reply });
    expect((await chat.open()).messages).toHaveLength(2);
    expect(chat.provider.chats).toHaveLength(1);
  });

  it("refuses a used idempotency key with a different text", async () => {
    await chat.send({ key: "mine" });
    const response = await chat.post("", { key: "mine", message: "Something else" });
    expect(response.status).toBe(409);
    expect(((await response.json()) as Problem).code).toBe("idempotency-mismatch");
  });
});

it("refuses a send from a client that has not seen the newest message", async () => {
  const { ai_response: answer } = await chat.send({ parent: null });
  const stale = await chat.post("", { message: "From a stale tab", parent: null });
  expect(stale.status).toBe(409);
  expect(((await stale.json()) as Problem).code).toBe("conversation-moved");
  expect((await chat.post("", { message: "From a fresh tab", parent: answer?.id ?? "" })).status).toBe(200);
});

describe("appended messages", () => {
  it("appends messages of either role without a reply, and answers with their model", async () => {
    const model = "GPT:gpt-5-mini";
    for (const [body, writer] of [
      [{ role: "user", content: "Imported question", model }, null],
      [{ role: "assistant", content: "Imported answer", model }, model],
      [{ role: "assistant", content: "Another answer" }, null],
    ] as const) {
      const response = await chat.call("POST", "/message", body);
      expect(response.status).toBe(201);
      expect((await response.json()) as Message).toMatchObject({ ...body, state: "complete", model: writer });
      expect((await chat.last()).model).toBe(writer);
    }
    expect(await chat.transcript()).toEqual([
      "user: Imported question",
      "assistant: Imported answer",
      "assistant: Another answer",
    ]);
    expect(chat.provider.requests).toEqual([]);
  });

  it("appends parts, without those that an import would drop, and counts them against the quota", async () => {
    const parts = [
      { seq: 0, at: 0, kind: "notice", code: "effort", params: { asked: "high", used: "off" } },
      { seq: 1, at: 0, kind: "reasoning", text: "漢".repeat(1_000_000), durationMs: 1200 },
    ];
    const beyond = { seq: 2, at: 100, kind: "notice", code: "cut", params: { messages: 1 } };
    const body = { role: "assistant", content: "An inlet.", parts: [...parts, beyond] };
    const response = await chat.call("POST", "/message", body);
    expect([response.status, (await response.json()) as Message]).toMatchObject([201, { parts }]);
    expect((await chat.last()).parts).toEqual(parts);
    await expectExactCounters(chat.app.context.database);
    const many = Array.from({ length: PARTS_MAX + 1 }, (_, seq) => ({ seq, at: 0, kind: "x" }));
    for (const refused of [many, [{ kind: "x" }], "x"]) {
      expect((await chat.call("POST", "/message", { ...body, parts: refused })).status).toBe(400);
    }
  });

  it("refuses to append messages of other roles and empty texts", async () => {
    for (const body of [{ role: "system", content: "x" }, { role: "user", content: "  " }, { role: "user" }, {}]) {
      expect(
        (await chat.app.call("POST", `/chat/${chat.chatId}/message`, { token: chat.ada.token, body })).status,
      ).toBe(400);
    }
  });
});

describe("titles", () => {
  const titleOf = async () => (await chat.open()).title;
  const untilTitle = (title: string) => vi.waitUntil(async () => (await titleOf()) === title);

  it("a title is first the shortened question, and after the reply one by the model", async () => {
    chat.provider.title = "Fjords of Norway";
    const response = await chat.stream({ message: `[scenario:held] ${"Tell me about fjords and ".repeat(10)}` });
    expect(await titleOf()).toMatch(/^\[scenario:held\] Tell me about.*…$/);
    chat.provider.release("They are long.");
    chat.provider.finish();
    expect((await readReply(response)).isDone).toBe(true);
    await untilTitle("Fjords of Norway");
    await chat.send({ message: "Another question" });
    expect(chat.provider.titles).toHaveLength(1);
  });

  it("a title is requested with the first answer, also after other messages", async () => {
    chat.provider.title = "After a false start";
    await chat.call("POST", "/message", { role: "user", content: "Imported" });
    chat.provider.next("too-long");
    await chat.send({ message: "one", model: "GPT:gpt-5" });
    await chat.send({ message: "two", model: "GPT:gpt-5" });
    await untilTitle("After a false start");
  });

  it("a title stays the shortened question if the model returns none", async () => {
    chat.provider.titleScenario = "error-before-first-word";
    await chat.send({ message: "A question that stays", model: "GPT:gpt-5" });
    await vi.waitUntil(() => chat.app.logLines.join("").includes("no title from the model"));
    expect(await titleOf()).toBe("A question that stays");
    chat.provider.titleScenario = "fast";
  });
});

it("I7 enforces the daily limit, also after deletions and in parallel", async () => {
  await using limited = await startScriptedChat({ DAILY_REPLIES_PER_USER: "2" });
  await limited.renew();
  const responses = await Promise.all(
    [1, 2, 3, 4].map(async () => {
      const path = `/chat/${await limited.createChat()}/send`;
      const options = { token: limited.ada.token, body: { message: "Hello" } };
      return whileBusy(limited.app, () => limited.app.call("POST", path, options));
    }),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429]);
  await limited.call("DELETE", "");
  await limited.renew();
  expect((await limited.post("")).status).toBe(200);
});

describe("bad input", () => {
  it.each([
    [{}, "Message is required"],
    [{ message: " \n" }, "Message is required"],
    [{ message: 5 }, "Message is required"],
  ])("refuses the send %j by the sentence “%s”", async (body, sentence) => {
    const response = await chat.app.call("POST", `/chat/${chat.chatId}/send`, { token: chat.ada.token, body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ detail: sentence, code: "invalid-input" });
  });

  it("I7 refuses a message that is too long, and sends nothing to the provider", async () => {
    const response = await chat.post("", { message: "x".repeat(1001) });
    expect(response.status).toBe(413);
    expect(((await response.json()) as Problem).code).toBe("message-too-long");
    expect(chat.provider.requests).toEqual([]);
  });

  it("refuses a send to unknown models", async () => {
    for (const model of ["GPT:no-such", "NOPE:x", "x"]) {
      const response = await chat.post("", { model });
      expect(response.status).toBe(400);
      expect(((await response.json()) as Problem).code).toBe("model-unknown");
    }
    expect((await chat.open()).messages).toEqual([]);
  });

  it("replaces characters of a message that cannot be stored", async () => {
    await chat.send({ message: "a\u0000b\uD800" });
    expect((await chat.transcript())[0]).toBe("user: a\uFFFDb\uFFFD");
  });
});

it("H1 every call answers the same for another account's chat and an unknown one, and changes nothing", async () => {
  await chat.call("POST", "/message", { role: "user", content: "Mine" });
  const before = await chat.open();
  const { token } = await signUp(chat.app);
  const calls = [
    { method: "GET", path: "" },
    { method: "DELETE", path: "" },
    { method: "POST", path: "/send", body: { message: "Hello" } },
    { method: "POST", path: "/send?stream=1", body: { message: "Hello" } },
    { method: "POST", path: "/message", body: { role: "user", content: "Hello" } },
    { method: "GET", path: "/reply" },
    { method: "POST", path: "/stop" },
  ];
  chat.provider.requests.length = 0;
  for (const { method, path, body } of calls) {
    const answers = await Promise.all(
      [chat.chatId, "018f0000-0000-7000-8000-000000000000"].map(async (id) => {
        const response = await chat.app.call(method, `/chat/${id}${path}`, { token, body });
        return `${response.status} ${await response.text()}`;
      }),
    );
    expect(answers[0]).toMatch(/^404 /);
    expect(answers[0]).toBe(answers[1]);
  }
  expect(await chat.open()).toEqual(before);
  expect(chat.provider.requests).toEqual([]);
});

it.skipIf(isOnPostgres)("R16 reports a full disk, and accepts messages again once there is space", async () => {
  const { database } = chat.app.context;
  const post = () => chat.call("POST", "/message", { role: "user", content: "x".repeat(1000) });
  const limit = (pages: number) => sql`pragma max_page_count = ${sql.lit(pages)}`.execute(database);
  await limit(1);
  let response = await post();
  for (let posts = 0; response.ok && posts < 100; posts += 1) response = await post();
  expect(response.status).toBe(507);
  expect(((await response.json()) as Problem).code).toBe("storage-full");
  await limit(1_000_000);
  expect((await post()).status).toBe(201);
});
