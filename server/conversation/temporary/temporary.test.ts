import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import type { TemporaryMessage } from "#contract/conversation/temporary.ts";
import { problemSchema } from "#contract/problem.ts";
import { signUp, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { type ScriptedChat, startScriptedChat } from "../../../testing/chats/scripted-chat.ts";
import { allRows } from "../../../testing/database/all-rows.ts";
import { readEvents, readReply, type StreamEvent } from "../../../testing/http/read-events.ts";

const MODEL = "GPT:gpt-5-mini";
const HELD = "[scenario:held]";

let chat: ScriptedChat;
beforeAll(async () => {
  chat = await startScriptedChat({ MAX_MESSAGE_CHARS: "1000", RATE_LIMITS: "off" });
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(async () => {
  chat.provider.reset();
  await chat.renew();
});

type Asking = { account?: TestAccount; model?: string; signal?: AbortSignal; app?: ScriptedChat["app"] };

/** Sends a conversation that begins with a question; every second text is an answer. */
function ask(texts: string[], { account = chat.ada, model, signal, app = chat.app }: Asking = {}): Promise<Response> {
  const messages = texts.map((content, at): TemporaryMessage => ({ role: at % 2 ? "assistant" : "user", content }));
  const body = { messages, ...(model && { model }) };
  return app.call("POST", conversationPaths.temporaryReply, { token: account.token, body, ...(signal && { signal }) });
}

/** Starts a reply that runs until its reader disconnects, and reads its first words. */
async function begin(asking: Asking = {}) {
  const leaving = new AbortController();
  const response = await ask([HELD], { model: MODEL, ...asking, signal: leaving.signal });
  expect(response.status).toBe(200);
  return { response, leave: () => leaving.abort() };
}

/** All rows except counters. */
const rowsNow = async () =>
  (await allRows(chat.app.context.database)).filter(
    (line) => !/^(account_months|daily_replies|model_calls) /.test(line),
  );

const callsOf = ({ user }: TestAccount) =>
  chat.app.context.database
    .selectFrom("model_calls")
    .selectAll()
    .where("user_id", "=", user.id)
    .orderBy("id")
    .execute();

async function filesOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), "latin1")))).join("\n");
}

const repliesToday = async (userId: string) =>
  (await chat.app.context.database.selectFrom("daily_replies").select("count").where("user_id", "=", userId).execute())
    .map(({ count }) => count)
    .reduce((sum, count) => sum + count, 0);

const none = () => vi.waitUntil(() => chat.app.context.temporaryReplies.countOf(chat.ada.user.id) === 0);

describe("a temporary reply", () => {
  it("a temporary reply streams like a reply of a chat, with the earlier messages in the prompt", async () => {
    chat.provider.reply = "Halldór, of course.";
    const response = await ask(["Who wrote it?", "Which book?", "Independent People"], { model: MODEL });
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const events: (StreamEvent | "[DONE]")[] = [];
    for await (const event of readEvents(response)) events.push(event);
    expect(events[0]).toEqual({ reply: expect.stringMatching(/^[\w-]{36}$/), at: 0, run: 1, rev: 0 });
    expect(events.at(-1)).toBe("[DONE]");
    const tokens = events.flatMap((event) => (event !== "[DONE]" && event.token ? [event] : []));
    expect(tokens.map(({ token }) => token).join("")).toBe("Halldór, of course.");
    expect(tokens.at(-1)?.at).toBe("Halldór, of course.".length);
    expect(chat.provider.chats[0]).toMatchObject({
      system: expect.stringContaining("You are the assistant of Parley"),
      messages: [
        { role: "user", content: "Who wrote it?" },
        { role: "assistant", content: "Which book?" },
        { role: "user", content: "Independent People" },
      ],
    });
  });

  it("a temporary reply is not stored in a row, the log or a file; it is only counted", async () => {
    const before = await rowsNow();
    const logged = chat.app.logLines.length;
    chat.provider.reply = "The canarygull answers.";
    await readReply(await ask(["Does the canarygull ask?", "A canarygull said so", "canarygull?"]));
    chat.provider.next("error-before-first-word", "broken-off", "overloaded");
    await readReply(await ask(["And does the canarygull fail?"]));
    const left = await begin();
    chat.provider.release("canarygull, held");
    left.leave();
    await none();
    await ask(["", "canarygull"]);
    await ask([`canarygull ${"x".repeat(1000)}`]);
    expect(await rowsNow()).toEqual(before);
    expect(await repliesToday(chat.ada.user.id)).toBe(3);
    await vi.waitUntil(async () => (await callsOf(chat.ada)).length === chat.provider.chats.length);
    for (const call of await callsOf(chat.ada)) expect(call).toMatchObject({ purpose: "temporary", message_id: null });
    expect(chat.provider.titles).toEqual([]);
    const lines = chat.app.logLines.slice(logged);
    expect(lines.filter((line) => line.includes('"temporary reply ended"'))).toHaveLength(3);
    expect(lines.join("\n")).not.toContain("canarygull");
    expect(await filesOf(chat.app.dataDir)).not.toContain("canarygull");
  });

  it("automatic choice continues a temporary reply with the next model, and sends the seam", async () => {
    // A server of its own, so that no provider is in cool-down from another test.
    await using own = await startScriptedChat();
    await own.renew();
    own.provider.reply = "One two three four five six.";
    own.provider.next("broken-off", "fast");
    const events = [];
    for await (const event of readEvents(await ask(["Count"], { account: own.ada, app: own.app }))) events.push(event);
    expect(events).toContainEqual({ seam: expect.any(Number) });
    expect(events.at(-1)).toBe("[DONE]");
    expect(own.provider.chats.map(({ model }) => model)).toEqual([
      "gpt-5-mini",
      expect.stringMatching(/^claude-sonnet-4-5/),
    ]);
  });

  it("a temporary reply gets the account's instructions, and those of its own presets only", async () => {
    const { token } = chat.ada;
    await chat.app.call("PUT", conversationPaths.instructions, { token, body: { instructions: "Call me Countess." } });
    const preset = { name: "Brief", instructions: "Answer in one line.", model: null, temperature: 0.5 };
    const made = await chat.app.call("POST", conversationPaths.presets, { token, body: preset });
    const { id: presetId } = (await made.json()) as { id: string };
    const messages = [{ role: "user", content: "Hello" }];
    const body = { messages, presetId, instructions: "Speak of tides.", model: "GPT:gpt-4.1-nano" };
    const systemOf = async (account: TestAccount) => {
      await readReply(await chat.app.call("POST", conversationPaths.temporaryReply, { token: account.token, body }));
      return chat.provider.chats.at(-1)?.system ?? "";
    };
    const told = await systemOf(chat.ada);
    for (const words of ["Call me Countess.", "Answer in one line.", "Speak of tides."]) expect(told).toContain(words);
    const other = await systemOf(await signUp(chat.app));
    expect(other).toContain("Speak of tides.");
    for (const words of ["Call me Countess.", "Answer in one line."]) expect(other).not.toContain(words);
  });

  it("a temporary reply sends the failure of its provider after the received text", async () => {
    chat.provider.reply = "One two three four.";
    const { text, failure, isDone } = await readReply(await ask(["[scenario:broken-off]"], { model: MODEL }));
    expect("One two three four.".startsWith(text) && text !== "").toBe(true);
    expect([failure?.code, isDone]).toEqual(["assistant-broken-off", true]);
    const wrong = await readReply(await ask(["[scenario:wrong-key]"], { model: MODEL }));
    expect([wrong.text, wrong.failure?.code]).toEqual(["", "assistant-misconfigured"]);
  });

  it("a temporary reply closes the provider's connection when its reader disconnects", async () => {
    const { response, leave } = await begin();
    chat.provider.release("First words");
    for await (const event of readEvents(response)) if (event !== "[DONE]" && event.token) break;
    leave();
    const call = await chat.provider.chat(1);
    await call.closed;
    expect(call.isAborted).toBe(true);
    await none();
  });

  it("a temporary reply ends with the session of its reader", async () => {
    const { response } = await begin();
    const call = await chat.provider.chat(1);
    await chat.app.call("POST", accountPaths.logout, { token: chat.ada.token });
    await expect(readReply(response)).rejects.toThrow();
    await call.closed;
    expect(call.isAborted).toBe(true);
  });

  it("a temporary reply cannot be joined, resumed or stopped by its id", async () => {
    const { response, leave } = await begin();
    chat.provider.release("First words");
    let id = "";
    for await (const event of readEvents(response)) {
      if (event === "[DONE]" || event.token) break;
      id ||= event.reply ?? "";
    }
    const eve = await signUp(chat.app);
    for (const { token } of [chat.ada, eve]) {
      for (const [method, path] of [
        ["GET", `${conversationPaths.chatReply(chat.chatId)}?reply=${id}`],
        ["GET", conversationPaths.chat(id)],
        ["POST", conversationPaths.chatStop(id)],
      ] as const) {
        expect([path, (await chat.app.call(method, path, { token })).status]).toEqual([path, 404]);
      }
    }
    leave();
    await none();
  });
});

it("the limit of one message applies to each unanswered question of a temporary conversation, not to all together", async () => {
  const [first, second] = ["a".repeat(700), "b".repeat(700)];
  const messages = [first, second, "c".repeat(700)].map((content) => ({ role: "user", content }));
  const send = (body: object) =>
    chat.app.call("POST", conversationPaths.temporaryReply, { token: chat.ada.token, body });
  const response = await send({ messages });
  expect([response.status, (await response.text()).length > 0]).toEqual([200, true]);
  // The provider receives them as one message, because its messages alternate.
  expect(chat.provider.chats.at(-1)?.messages.at(-1)).toEqual({
    role: "user",
    content: `${first}\n\n${second}\n\n${"c".repeat(700)}`,
  });
  const tooLong = [...messages, { role: "user", content: "d".repeat(1001) }];
  expect((await send({ messages: tooLong })).status).toBe(413);
});

describe("an invalid temporary conversation", () => {
  const question = { role: "user", content: "Hello" };
  const answer = { role: "assistant", content: "Hi" };

  it.each<[string, unknown]>([
    ["nothing", {}],
    ["no messages", { messages: [] }],
    ["an answer at its end", { messages: [question, answer] }],
    ["an answer at its beginning", { messages: [answer, question] }],
    ["two answers in a row", { messages: [question, answer, answer, question] }],
    ["a system message", { messages: [{ role: "system", content: "Obey" }, answer, question] }],
    ["an empty question", { messages: [{ role: "user", content: " \n" }] }],
    ["an empty answer", { messages: [question, { role: "assistant", content: "" }, question] }],
    ["a content that is not a string", { messages: [{ role: "user", content: 5 }] }],
    ["a model name that is too long", { messages: [question], model: "x".repeat(201) }],
  ])("refuses a temporary conversation that has %s", async (_, body) => {
    const response = await chat.app.call("POST", conversationPaths.temporaryReply, { token: chat.ada.token, body });
    expect(response.status).toBe(400);
    expect(problemSchema.parse(await response.json()).code).toBe("invalid-input");
    expect(chat.provider.requests).toEqual([]);
    expect(await repliesToday(chat.ada.user.id)).toBe(0);
  });

  it("refuses a temporary conversation whose model is unknown, or whose question or body is too long", async () => {
    const codeOf = async (response: Response) => [response.status, problemSchema.parse(await response.json()).code];
    expect(await codeOf(await ask(["Hi"], { model: "GPT:none" }))).toEqual([400, "model-unknown"]);
    expect(await codeOf(await ask(["x".repeat(1001)]))).toEqual([413, "message-too-long"]);
    expect(await codeOf(await ask(["x".repeat(1001), "An answer", "Short"]))).toEqual([413, "message-too-long"]);
    expect((await ask(["Hi", "x".repeat(5000), "Short"])).status).toBe(200);
    const longTexts = Array.from({ length: 3 }, () => "x".repeat(400_000));
    expect(await codeOf(await ask(longTexts))).toEqual([413, "too-large"]);
    expect(await repliesToday(chat.ada.user.id)).toBe(1);
  });

  it("refuses a temporary conversation without a session", async () => {
    const body = { messages: [question] };
    expect((await chat.app.call("POST", conversationPaths.temporaryReply, { body })).status).toBe(401);
    expect(chat.provider.requests).toEqual([]);
  });
});

describe("B2 temporary replies and replies of chats", () => {
  const refusal = async (response: Response) => [
    response.status,
    response.headers.get("retry-after"),
    problemSchema.parse(await response.json()).code,
  ];
  const tooMany = [429, "1", "too-many-replies"];

  it("temporary replies and replies of chats are together limited to three per account, in any order", async () => {
    const chats = [chat.chatId, await chat.createChat(), await chat.createChat()];
    const send = (id = "") => {
      const body = { message: HELD, model: MODEL };
      return chat.app.call("POST", `${conversationPaths.chatSend(id)}?stream=1`, { token: chat.ada.token, body });
    };
    const first = await begin();
    const second = await begin();
    expect((await send(chats[0])).status).toBe(200);
    expect(await refusal(await ask([HELD]))).toEqual(tooMany);
    expect(await refusal(await send(chats[1]))).toEqual(tooMany);
    expect((await ask(["Hi"], { account: await signUp(chat.app) })).status).toBe(200);
    first.leave();
    await vi.waitUntil(() => chat.app.context.temporaryReplies.countOf(chat.ada.user.id) === 1);
    expect((await send(chats[1])).status).toBe(200);
    expect(await refusal(await ask([HELD]))).toEqual(tooMany);
    second.leave();
    for (const id of chats) await chat.app.call("POST", conversationPaths.chatStop(id), { token: chat.ada.token });
  });

  it("B3 replies are limited to three also for concurrent requests", async () => {
    const leaving = new AbortController();
    const asked = Array.from({ length: 12 }, () => ask([HELD], { model: MODEL, signal: leaving.signal }));
    const answers = await Promise.all(asked);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(await repliesToday(chat.ada.user.id)).toBe(3);
    leaving.abort();
    await none();
  });
});

it("B2 temporary replies count towards the daily limit", async () => {
  await using own = await startScriptedChat({ DAILY_REPLIES_PER_USER: "2" });
  await own.renew();
  const asking = { account: own.ada, app: own.app };
  await own.send();
  expect((await readReply(await ask(["Hi"], asking))).isDone).toBe(true);
  const refused = await ask(["Hi"], asking);
  expect(refused.status).toBe(429);
  expect(problemSchema.parse(await refused.json()).code).toBe("too-many-requests");
});

describe("R4 servers that shut down", () => {
  it("a shutdown lets temporary replies end within the grace period, and refuses new ones", async () => {
    await using own = await startScriptedChat({ SHUTDOWN_GRACE_MS: "30000" });
    await own.renew();
    const asking = { account: own.ada, app: own.app };
    const { response } = await begin(asking);
    own.provider.release("First words");
    const drained = own.app.context.temporaryReplies.drain();
    const refused = await ask(["Hi"], asking);
    expect([refused.status, problemSchema.parse(await refused.json()).code]).toEqual([503, "draining"]);
    own.provider.release(" and last ones");
    own.provider.finish();
    expect(await readReply(response)).toMatchObject({ text: "First words and last ones", isDone: true });
    await drained;
  });

  it("a shutdown cuts off temporary replies that take longer, without an end mark", async () => {
    await using own = await startScriptedChat({ SHUTDOWN_GRACE_MS: "0" });
    await own.renew();
    const { response } = await begin({ account: own.ada, app: own.app });
    own.provider.release("First words");
    const events = readEvents(response);
    for (let event = await events.next(); !event.done; event = await events.next()) {
      if (event.value !== "[DONE]" && event.value.token) break;
    }
    await own.app.context.temporaryReplies.drain();
    const left: unknown[] = [];
    const readRest = async () => {
      for await (const event of events) left.push(event);
    };
    await expect(readRest()).rejects.toThrow();
    expect(left).toEqual([]);
    expect((await own.provider.chat(1)).isAborted).toBe(true);
  });
});
