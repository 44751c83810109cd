import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Chat, Message } from "#contract/conversation/conversation.ts";
import { toKnownPart } from "#contract/conversation/known-parts.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { type Effort, efforts } from "#contract/models/effort.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import { TestClock } from "../../../testing/app/start-test-app.ts";
import { documentOf, exported, message } from "../../../testing/chats/exported-chats.ts";
import { ReplyView } from "../../../testing/chats/reply-view.ts";
import { type ScriptedChat, startScriptedChat } from "../../../testing/chats/scripted-chat.ts";
import { readEvents, readReply, type StreamEvent } from "../../../testing/http/read-events.ts";
import type { Model, Prompt } from "../../models/model.ts";
import { promptMessage } from "../../models/prompt-message.ts";
import { GrowingReply } from "../reply/live-reply.ts";
import { produceReply } from "../reply/produce-reply.ts";

const MODEL = "GPT:gpt-5-mini";
/** Has no efforts. */
const PLAIN = "GPT:gpt-4.1-nano";
const FALLBACK = "CLAUDE:claude-sonnet-4-5-20250929";

let chat: ScriptedChat;
beforeAll(async () => {
  chat = await startScriptedChat();
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(async () => {
  await chat.renew();
  chat.provider.reset();
});

/** A server of its own: a model that fails is passed over for a while. */
async function startFresh(): Promise<ScriptedChat> {
  const fresh = await startScriptedChat();
  await fresh.renew();
  return fresh;
}

describe("notices of another model", () => {
  it("another model answers instead of one that failed, with a notice before its text", async () => {
    await using fresh = await startFresh();
    fresh.provider.next("error-before-first-word", "fast");
    const events: StreamEvent[] = [];
    for await (const event of readEvents(await fresh.stream())) if (event !== "[DONE]") events.push(event);
    const notice = { kind: "notice", code: "model", params: { model: FALLBACK, instead: MODEL } };
    expect(events.slice(1, 4)).toMatchObject([
      { writer: FALLBACK },
      { part: { seq: 0, at: 0, rev: 1, ...notice } },
      { token: "Hello!" },
    ]);
    const { parts } = await fresh.last();
    expect(parts).toEqual([{ seq: 0, at: 0, ...notice }]);
    expect(parts?.map(toKnownPart)).toEqual(parts);
  });

  it("another model answers if the first one fails after its reasoning", async () => {
    await using fresh = await startFresh();
    fresh.provider.next("held", "fast");
    const stream = readEvents(await fresh.stream());
    const view = new ReplyView();
    fresh.provider.think("Hm.");
    for await (const event of stream) {
      if (event === "[DONE]") break;
      view.take(event);
      if (event.thought) fresh.provider.breakOff();
    }
    const { content, parts, model } = await fresh.last();
    expect(parts).toEqual([
      { seq: 0, at: 0, kind: "reasoning", text: "Hm.", durationMs: expect.any(Number) },
      { seq: 1, at: 0, kind: "notice", code: "model", params: { model, instead: MODEL } },
    ]);
    expect(view).toMatchObject({ text: content, parts });
  });

  it("another model continues a reply that broke off, with the seam and the notice at one position", async () => {
    await using fresh = await startFresh();
    fresh.provider.reply = ({ messages }) =>
      messages.at(-1)?.role === "assistant" ? " And the rest." : "One two three four";
    fresh.provider.next("broken-off", "fast");
    await readReply(await fresh.stream());
    const { content, parts, seams } = await fresh.last();
    expect(content).toBe("One two And the rest.");
    expect(seams).toEqual([7]);
    expect(parts).toMatchObject([{ at: 7, code: "model", params: { model: FALLBACK, instead: MODEL } }]);
  });

  it("a chosen model that continues another model's reply gives no further notice", async () => {
    await using fresh = await startFresh();
    fresh.provider.reply = ({ messages }) => (messages.at(-1)?.role === "assistant" ? " five six" : "one two");
    fresh.provider.next("broken-off", "broken-off");
    await readReply(await fresh.stream());
    const before = await fresh.last();
    expect(before).toMatchObject({ state: "failed", model: FALLBACK });
    expect(before.parts).toHaveLength(1);
    fresh.provider.next("fast");
    fresh.provider.reply = " The rest.";
    const view = new ReplyView();
    view.text = before.content;
    for await (const event of readEvents(await fresh.call("POST", "/reply", { mode: "continue", model: MODEL }))) {
      if (event !== "[DONE]") view.take(event);
    }
    const whole = await fresh.last();
    // A person chose this model: nothing failed in its place.
    expect(whole.parts).toEqual(before.parts);
    expect(view).toMatchObject({ text: whole.content, parts: whole.parts, rev: whole.rev });
  });

  it("a chosen model gives no notice", async () => {
    await chat.send({ model: MODEL });
    expect((await chat.last()).parts).toBeUndefined();
  });
});

const long = (at: number) => `${at} `.padEnd(400_000, "x");

async function importLong(count: number) {
  const messages: ReturnType<typeof message>[] = [];
  for (let at = 0; at < count; at++) {
    const role = at % 2 === 0 ? "user" : "assistant";
    messages.push(message({ role, content: long(at), parent: messages.at(-1)?.id ?? null }));
  }
  const { token } = chat.ada;
  const body = documentOf({ chats: [exported({ messages, leaf: messages.at(-1)?.id ?? null })] });
  await chat.app.call("POST", transferPaths.import, { token, body });
  const list = (await (await chat.app.call("GET", conversationPaths.chatHistory, { token })).json()) as Chat[];
  const imported = list.find(({ title }) => title === "Fjords");
  return `/chat/${imported?.id}`;
}

it("a notice counts the messages that the model did not receive, also those that were not read", async () => {
  const path = await importLong(12);
  const { token } = chat.ada;
  const body = { message: "And now?", model: MODEL };
  const { parts } = (
    (await (await chat.app.call("POST", `${path}/send`, { token, body })).json()) as {
      ai_response: Message;
    }
  ).ai_response;
  const received = chat.provider.chats[0]?.messages.length ?? 0;
  expect(received).toBeLessThan(13);
  expect(parts).toEqual([{ seq: 0, at: 0, kind: "notice", code: "cut", params: { messages: 13 - received } }]);
});

describe("the effort of a chat", () => {
  const choose = async (effort: Effort | null) => expect((await chat.call("PATCH", "", { effort })).ok).toBe(true);

  it("a model without efforts receives none, and a model that lacks one its nearest, without a notice", async () => {
    await choose("max");
    for (const model of [PLAIN, MODEL]) {
      const { ai_response: answer } = await chat.send({ model });
      expect(answer?.parts).toBeUndefined();
    }
    expect(chat.provider.chats.map(({ body }) => body.reasoning_effort)).toEqual([undefined, "high"]);
  });

  it("a regenerated reply takes the current effort of its chat", async () => {
    await choose("high");
    await chat.send({ model: MODEL });
    await choose("low");
    await readReply(await chat.call("POST", "/reply", { mode: "regenerate", model: MODEL }));
    expect(chat.provider.chats.map(({ body }) => body.reasoning_effort)).toEqual(["high", "low"]);
  });

  it("the effort belongs to the chat, and a request cannot set it", async () => {
    await chat.post("", { model: MODEL, ...{ effort: "low" } });
    await readReply(await chat.call("POST", "/reply", { mode: "regenerate", model: MODEL, effort: "low" }));
    expect(chat.provider.chats.map(({ body }) => body.reasoning_effort)).toEqual([undefined, undefined]);
    expect(await chat.open()).not.toHaveProperty("effort");
  });

  it.each([
    { asked: "max", has: ["low", "medium", "high"], used: "high" },
    { asked: "medium", has: ["low", "high"], used: "low" },
    { asked: "off", has: ["minimal", "low"], used: "minimal" },
    { asked: "high", has: efforts, used: "high" },
  ] as const)("takes the effort $used of a model with $has if $asked is asked", async ({ asked, has, used }) => {
    const prompts: Prompt[] = [];
    const model: Model = {
      value: "LOCAL:thinker",
      provider: "local",
      connectionId: "local",
      contextTokens: 10_000,
      maxOutputTokens: 1000,
      efforts: has,
      stream: async (prompt, sink) => {
        prompts.push(prompt);
        sink.onText("Hi");
        return { reason: "complete" };
      },
    };
    const reply = new GrowingReply({ id: "1", userId: "2", run: 1 });
    await produceReply({
      reply,
      clock: new TestClock(),
      prompt: { system: "", messages: [promptMessage("user", "Hello")], effort: asked },
      candidates: [model],
      turns: [],
      resumptions: new Map(),
      isAutomatic: false,
      limits: { firstTextMs: 1000, idleMs: 1000, maxMs: 1000 },
      onFailure: () => {},
      onAway: () => undefined,
    });
    expect(prompts.map(({ effort }) => effort)).toEqual([used]);
    expect(reply.parts.all).toEqual([]);
  });
});
