import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Chat, Message } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { expectExactCounters } from "../../../testing/chats/exact-counters.ts";
import { startKilledChat } from "../../../testing/chats/killed-chat.ts";
import { ReplyView } from "../../../testing/chats/reply-view.ts";
import { type ScriptedChat, startScriptedChat } from "../../../testing/chats/scripted-chat.ts";
import { startTwoProcesses } from "../../../testing/chats/two-processes.ts";
import { isOnPostgres } from "../../../testing/database/test-database.ts";
import { readEvents, readReply, type StreamEvent } from "../../../testing/http/read-events.ts";

const MODEL = "GPT:gpt-5-mini";
const THOUGHT = "Hm, a fjord 😀. Let me think.";
const ANSWER = "A long inlet.";
const ms = expect.any(Number);
const REASONING = { seq: 0, at: 0, kind: "reasoning", text: THOUGHT, durationMs: ms };

let chat: ScriptedChat;
// A server of its own for each test, because it remembers the model.
beforeEach(async () => {
  chat = await startScriptedChat();
  await chat.renew();
});
afterEach(() => chat[Symbol.asyncDispose]());

const held = () => chat.stream({ message: "[scenario:held]", model: MODEL });
const join = (query: string) => chat.call("GET", `/reply?${query}`);

/** Takes events until one satisfies `isLast`, and leaves the stream. */
async function takeUntil(response: Response, isLast: (event: StreamEvent) => unknown, view = new ReplyView()) {
  const events: StreamEvent[] = [];
  for await (const event of readEvents(response)) {
    if (event === "[DONE]") break;
    events.push(event);
    view.take(event);
    if (isLast(event)) break;
  }
  return { events, view };
}

describe("text that becomes reasoning", () => {
  it("a thought without its opening mark becomes reasoning in a new run, which the reader of the stream receives from the start", async () => {
    const response = await held();
    const view = new ReplyView();
    const events: StreamEvent[] = [];
    const steps = [() => chat.provider.release(`${THOUGHT.slice(12)}\n</thi`), () => chat.provider.release("nk>\n\n")];
    chat.provider.release(THOUGHT.slice(0, 12));
    for await (const event of readEvents(response)) {
      if (event === "[DONE]") break;
      events.push(event);
      view.take(event);
      if (event.token !== undefined) steps.shift()?.();
      if (event.thought !== undefined) {
        chat.provider.release(ANSWER);
        chat.provider.finish();
      }
    }
    const { reply } = view;
    expect(events).toEqual([
      { reply, at: 0, run: 1, rev: 0 },
      { writer: MODEL },
      { token: THOUGHT.slice(0, 12), at: 12 },
      { token: `${THOUGHT.slice(12)}\n`, at: THOUGHT.length + 1 },
      { reply, at: 0, run: 2, rev: 0 },
      { writer: MODEL },
      { part: { seq: 0, at: 0, kind: "reasoning", rev: 1 } },
      { thought: THOUGHT, seq: 0, length: THOUGHT.length },
      { part: { seq: 0, at: 0, kind: "reasoning", durationMs: ms, rev: 2 } },
      { token: ANSWER, at: ANSWER.length },
    ]);
    await expectStored();
    expect(view).toMatchObject({ text: ANSWER, parts: [REASONING] });
  });

  it("a thought without its opening mark is stored as reasoning if the reply ends before it was stored as text", async () => {
    chat.provider.reply = `${THOUGHT}\n</think>\n\n${ANSWER}`;
    const { ai_response: answer } = await chat.send({ model: MODEL });
    expect(answer).toMatchObject({ content: ANSWER, parts: [REASONING] });
    await expectStored();
  });

  it("a thought without its opening mark is received anew by readers that left before it became reasoning", async () => {
    const { view } = await begin(THOUGHT);
    const left = Object.assign(new ReplyView(), structuredClone({ ...view }));
    chat.provider.release(`</think>${ANSWER}`);
    await untilRun(2);
    for (const query of [left.resume.split("?")[1] ?? "", `reply=${left.reply}&from=${THOUGHT.length}`]) {
      const reader = Object.assign(new ReplyView(), structuredClone({ ...left }));
      const { events } = await takeUntil(await join(query), ({ token }) => token, reader);
      expect(events[0]).toEqual({ reply: left.reply, at: 0, run: 2, rev: 0 });
      expect(reader).toMatchObject({ text: ANSWER, parts: [REASONING] });
    }
    chat.provider.finish();
    await vi.waitUntil(async () => (await chat.last()).state === "complete");
    await expectStored();
    const late = Object.assign(new ReplyView(), structuredClone({ ...left }));
    await takeUntil(await join(left.resume.split("?")[1] ?? ""), () => false, late);
    expect(late).toMatchObject({ text: ANSWER, parts: [REASONING] });
  });

  it("a thought without its opening mark is stored text for a reader that knows the specification only, once it has read the chat again", async () => {
    const { view, response } = await begin(THOUGHT);
    chat.provider.release(`</think>${ANSWER}`);
    chat.provider.finish();
    let text = view.text;
    for await (const event of response) if (event !== "[DONE]") text += event.token ?? "";
    expect(text).toBe(THOUGHT + ANSWER);
    expect((await chat.last()).content).toBe(ANSWER);
  });

  it("a thought without its opening mark keeps its words as text if the reply is stopped before the mark", async () => {
    await begin(`${THOUGHT}\n</thi`);
    expect((await chat.call("POST", "/stop")).status).toBe(204);
    await vi.waitUntil(async () => (await chat.last()).state === "stopped");
    expect(await chat.last()).toMatchObject({ content: `${THOUGHT}\n` });
    await expectExactCounters(chat.app.context.database);
  });

  it("a thought without its opening mark is reasoning if the reply is stopped right after the mark", async () => {
    const { response } = await begin(THOUGHT);
    chat.provider.release(`</think>${ANSWER}`);
    for await (const event of response) if (event !== "[DONE]" && event.token === ANSWER) break;
    expect((await chat.call("POST", "/stop")).status).toBe(204);
    await vi.waitUntil(async () => (await chat.last()).state === "stopped");
    await expectStored();
  });

  it("a thought without its opening mark is followed by reasoning and text as in any reply", async () => {
    const { response } = await begin(THOUGHT);
    chat.provider.release(`</think>${ANSWER}\n\n<think>\nMore`);
    for await (const event of response) if (event !== "[DONE]" && event.thought === "More") break;
    await untilRun(2);
    chat.provider.release("</think>\n\nAnd more. </think>");
    chat.provider.finish();
    await vi.waitUntil(async () => (await chat.last()).state === "complete");
    const more = { ...REASONING, seq: 1, at: ANSWER.length + 2, text: "More" };
    await expectStored({ content: `${ANSWER}\n\nAnd more. </think>`, parts: [REASONING, more] });
  });

  it("a thought without its opening mark stays text in a reply that is continued", async () => {
    chat.provider.next("length");
    chat.provider.reply = "One";
    await chat.send({ model: MODEL });
    chat.provider.reply = " two</think> three";
    await readReply(await chat.call("POST", "/reply", { mode: "continue" }));
    expect(await chat.last()).toMatchObject({ content: "One two\n\nthree" });
    expect((await chat.last()).parts).toBeUndefined();
  });

  it("a thought without its opening mark is expected in the later replies of the model, until one has none", async () => {
    chat.provider.reply = `${THOUGHT}</think>${ANSWER}`;
    chat.provider.title = `${THOUGHT}</think>Fjords`;
    await chat.send({ model: MODEL });
    await vi.waitUntil(async () => (await chat.open()).title === "Fjords");
    const { events } = await takeUntil(await chat.stream({ model: MODEL }), () => false);
    expect(ANSWER).toContain(events.find(({ token }) => token !== undefined)?.token);
    expect(events.filter(({ run }) => run !== undefined)).toHaveLength(1);
    expect(await chat.last()).toMatchObject({ content: ANSWER, parts: [REASONING] });
    chat.provider.reply = ANSWER;
    await chat.send({ model: MODEL });
    expect(await chat.last()).toMatchObject({ content: ANSWER, parts: [{ ...REASONING, text: ANSWER }] });
    await chat.send({ model: MODEL });
    expect(await chat.last()).toMatchObject({ content: ANSWER });
    expect((await chat.last()).parts).toBeUndefined();
  });

  it("a thought without its opening mark is no part of a title", async () => {
    chat.provider.title = "A title of a thought</think>Fjords in Norway";
    await chat.send({ model: MODEL });
    await vi.waitUntil(async () => (await chat.open()).title === "Fjords in Norway");
  });

  it("a thought without its opening mark becomes reasoning in a temporary reply too", async () => {
    const body = { messages: [{ role: "user", content: "[scenario:held]" }], model: MODEL };
    const { token } = chat.ada;
    const response = await chat.app.call("POST", conversationPaths.temporaryReply, { token, body });
    chat.provider.release(THOUGHT);
    const view = new ReplyView();
    for await (const event of readEvents(response)) {
      if (event === "[DONE]") break;
      view.take(event);
      if (event.token === THOUGHT) chat.provider.release(`</think>${ANSWER}`);
      if (event.token === ANSWER) chat.provider.finish();
    }
    expect(view).toMatchObject({ text: ANSWER, parts: [REASONING], run: 2 });
  });
});

it("a process that is killed after a thought has become reasoning leaves the reasoning and the text", async () => {
  await using killed = await startKilledChat();
  const { id, token, provider } = killed;
  const response = await killed.send("[scenario:held]", MODEL);
  provider.release(THOUGHT);
  for await (const event of readEvents(response)) {
    if (event === "[DONE]") break;
    if (event.token === THOUGHT) provider.release(`</think>${ANSWER}`);
    // The reader receives the new run once it is stored.
    if (event.run === 2) break;
  }
  await using app = await killed.restart();
  const { messages } = (await (await app.call("GET", `/chat/${id}`, { token })).json()) as Chat;
  expect(messages.at(-1)).toMatchObject({ state: "interrupted", parts: [REASONING] });
  expect(ANSWER.startsWith(messages.at(-1)?.content ?? "?")).toBe(true);
  await expectExactCounters(app.context.database);
});

it.runIf(isOnPostgres)("a reader of another process receives the new run from the start", async () => {
  await using processes = await startTwoProcesses();
  const { provider, one, other } = processes;
  const { token, id } = await processes.renew();
  const body = { message: "[scenario:held]", model: MODEL };
  await one.call("POST", `/chat/${id}/send?stream=1`, { token, body });
  provider.release(THOUGHT);
  await vi.waitUntil(async () => (await processes.last(other)).content === THOUGHT);
  const view = new ReplyView();
  const follow = async (query: string, isLast: (event: StreamEvent) => unknown) =>
    takeUntil(await other.call("GET", `/chat/${id}/reply${query}`, { token }), isLast, view);
  await follow("", ({ token: words }) => words);
  provider.release(`</think>${ANSWER}`);
  await vi.waitUntil(async () => (await processes.last(other)).content === ANSWER);
  await follow(view.resume.slice(view.resume.indexOf("?")), ({ token: words }) => words === ANSWER);
  expect(view).toMatchObject({ text: ANSWER, parts: [REASONING], run: 2 });
  provider.finish();
  await vi.waitUntil(async () => (await processes.last(other)).state === "complete");
});

/** Starts a held reply, and reads until its first words have arrived. */
async function begin(words: string) {
  const response = readEvents(await held());
  const view = new ReplyView();
  chat.provider.release(words);
  for (;;) {
    const { value } = await response.next();
    if (value === undefined || value === "[DONE]") throw new Error("The stream ended");
    view.take(value);
    if (value.token !== undefined) return { view, response };
  }
}

const untilRun = (run: number) =>
  vi.waitUntil(async () => {
    const rows = chat.app.context.database.selectFrom("messages").select("run").where("role", "=", "assistant");
    return (await rows.executeTakeFirst())?.run === run;
  });

/** Expects the last message to be stored without leftovers, and the counters to be exact. */
async function expectStored(wanted: Partial<Message> = { content: ANSWER, parts: [REASONING] }): Promise<void> {
  expect(await chat.last()).toMatchObject(wanted);
  expect(await chat.last()).not.toHaveProperty("seams");
  const { database } = chat.app.context;
  expect(await database.selectFrom("reply_chunks").selectAll().execute()).toEqual([]);
  expect(await database.selectFrom("reasoning_chunks").selectAll().execute()).toEqual([]);
  await expectExactCounters(database);
}
