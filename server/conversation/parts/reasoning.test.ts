import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Message } from "#contract/conversation/conversation.ts";
import { messageSchema } from "#contract/conversation/conversation.ts";
import { toKnownPart } from "#contract/conversation/known-parts.ts";
import { expectExactCounters } from "../../../testing/chats/exact-counters.ts";
import { ReplyView } from "../../../testing/chats/reply-view.ts";
import { type ScriptedChat, type Sending, startScriptedChat } from "../../../testing/chats/scripted-chat.ts";
import { readEvents, readReply, type StreamEvent } from "../../../testing/http/read-events.ts";
import { textBySpecification } from "../../../testing/http/text-by-specification.ts";

const MODEL = "GPT:gpt-5-mini";

let chat: ScriptedChat;
beforeAll(async () => {
  chat = await startScriptedChat({ REPLY_FIRST_TEXT_MS: "1000", REPLY_IDLE_MS: "1500" });
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(async () => {
  await chat.renew();
  chat.provider.reset();
});

/** Reads the events of a stream up to the end mark, which is left out. */
async function all(response: Response): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of readEvents(response)) if (event !== "[DONE]") events.push(event);
  return events;
}

const last = async (): Promise<Message> => messageSchema.parse(await chat.last());

const held = (sending: Sending = {}) => chat.stream({ message: "[scenario:held]", model: MODEL, ...sending });

/** Plays a reply with two passages of reasoning; a step is played when the reader has received the one before. */
const steps = ["think:Hm", "think: 😀, a fjord", "text:A long ", "text:inlet", "think:Also", "text:, in Norway."];

function play(step: string): void {
  const [kind, ...text] = step.split(":");
  if (kind === "think") chat.provider.think(text.join(":"));
  else chat.provider.release(text.join(":"));
}

it("streams reasoning as a part before the text, and stores it with its duration", async () => {
  const stream = readEvents(await held());
  const events: StreamEvent[] = [];
  const left = [...steps];
  for await (const event of stream) {
    if (event === "[DONE]") break;
    events.push(event);
    if (event.part || event.writer) continue;
    const next = left.shift();
    if (next === undefined) chat.provider.finish();
    else play(next);
  }
  const durationMs = expect.any(Number);
  expect(events).toEqual([
    { reply: expect.any(String), at: 0, run: 1, rev: 0 },
    { writer: MODEL },
    { part: { seq: 0, at: 0, kind: "reasoning", rev: 1 } },
    { thought: "Hm", seq: 0, length: 2 },
    { thought: " 😀, a fjord", seq: 0, length: 14 },
    { part: { seq: 0, at: 0, kind: "reasoning", durationMs, rev: 2 } },
    { token: "A long ", at: 7 },
    { token: "inlet", at: 12 },
    { part: { seq: 1, at: 12, kind: "reasoning", rev: 3 } },
    { thought: "Also", seq: 1, length: 4 },
    { part: { seq: 1, at: 12, kind: "reasoning", durationMs, rev: 4 } },
    { token: ", in Norway.", at: 24 },
  ]);
  const message = await last();
  expect(message).toMatchObject({ content: "A long inlet, in Norway.", state: "complete", rev: 4 });
  expect(message.parts).toEqual([
    { seq: 0, at: 0, kind: "reasoning", text: "Hm 😀, a fjord", durationMs },
    { seq: 1, at: 12, kind: "reasoning", text: "Also", durationMs },
  ]);
  expect(message.parts?.map(toKnownPart)).toEqual(message.parts);
  const tree = (await (await chat.call("GET", "/tree")).json()) as { messages: Message[] };
  expect(tree.messages.at(-1)?.parts).toEqual(message.parts);
  await expectExactCounters(chat.app.context.database);
});

it("an answer without streaming has parts too", async () => {
  const { ai_response: answer } = await chat.send({ message: "[scenario:reasoning-first]", model: MODEL });
  expect(answer?.parts).toMatchObject([{ kind: "reasoning", text: "This is a secret thought. So is this." }]);
  expect(answer?.content).toBe("Hello! This is a scripted reply, told in a few words.");
});

it("a reply without parts has none, and no revision", async () => {
  const { ai_response: answer } = await chat.send({ model: MODEL });
  expect(Object.keys(answer ?? {})).not.toContain("parts");
  expect(Object.keys(await last())).not.toContain("rev");
  const stored = chat.app.context.database
    .selectFrom("message_parts")
    .select("seq")
    .where("message_id", "=", answer?.id ?? "");
  expect(await stored.execute()).toEqual([]);
});

it("reasoning of split surrogate pairs and U+0000 is well-formed", async () => {
  const view = new ReplyView();
  const left = ["\u0000 \uD83D", "\uDE00", " \uD83D"];
  for await (const event of readEvents(await held())) {
    if (event === "[DONE]") break;
    view.take(event);
    if (event.part || event.token || event.writer) continue;
    const next = left.shift();
    if (next !== undefined) chat.provider.think(next);
    // The last half of a pair alone makes no event.
    if (left.length === 0 && next !== undefined) {
      chat.provider.release("Well.");
      chat.provider.finish();
    }
  }
  expect(view.parts).toMatchObject([{ text: "\uFFFD 😀 \uFFFD" }]);
  expect((await last()).parts).toEqual(view.parts);
});

it("drops reasoning beyond a million units, and sends long reasoning in pieces", async () => {
  const piece = `${"x".repeat(99_999)}😀`;
  const stream = readEvents(await held());
  const view = new ReplyView();
  const read = async (until: () => boolean) => {
    while (!until()) {
      const { value, done } = await stream.next();
      if (done || value === "[DONE]") return;
      view.take(value);
    }
  };
  await read(() => view.reply !== "");
  for (let count = 0; count < 9; count++) {
    chat.provider.think(piece);
    await read(() => String(view.parts[0]?.text).length === piece.length * (count + 1));
  }
  chat.provider.think(piece);
  chat.provider.release("At last.");
  chat.provider.finish();
  await read(() => false);
  const [part] = (await last()).parts ?? [];
  expect(view.parts).toEqual([part]);
  expect(String(part?.text).length).toBe(1_000_000);
  expect(String(part?.text).isWellFormed()).toBe(true);
  const events = await all(await chat.call("GET", `/reply?reply=${view.reply}`));
  expect(Math.max(...events.map(({ thought = "" }) => thought.length))).toBe(32 * 1024);
  expect(ReplyView.after(events)).toEqual(view);
  await expectExactCounters(chat.app.context.database);
});

describe("resumed replies with reasoning", () => {
  /** The first reader's events, and those after which the reply was at rest. */
  async function writeHalf() {
    const stream = readEvents(await held({ message: "[scenario:held]" }));
    const events: StreamEvent[] = [];
    const left = steps.slice(0, -1);
    for await (const event of stream) {
      if (event === "[DONE]") break;
      events.push(event);
      if (event.part || event.writer) continue;
      const next = left.shift();
      if (next === undefined) break;
      play(next);
    }
    return events;
  }

  it("a reader that resumes receives missing parts while the reply is written, and after its end", async () => {
    const events = await writeHalf();
    const views = events.map((_, at) => ReplyView.after(events.slice(0, at + 1)));
    const following = await Promise.all(views.map(async (view) => readEvents(await chat.call("GET", view.resume))));
    // Each reader has joined before the next piece is sent.
    for (const [at, stream] of following.entries()) {
      const first = await stream.next();
      if (!first.done && first.value !== "[DONE]") views[at]?.take(first.value);
    }
    play(steps.at(-1) ?? "");
    chat.provider.finish();
    for (const [at, stream] of following.entries()) {
      for await (const event of stream) if (event !== "[DONE]") views[at]?.take(event);
    }
    const { content: text, parts, rev } = await last();
    for (const view of views) expect(view).toMatchObject({ text, parts, rev });
    const later = events.map((_, at) => ReplyView.after(events.slice(0, at + 1)));
    for (const view of later) {
      for (const event of await all(await chat.call("GET", view.resume))) view.take(event);
      expect(view).toMatchObject({ text, parts, rev });
    }
  });

  it("a reader that resumes receives only missing events", async () => {
    chat.provider.reply = "An inlet.";
    const events = await all(await chat.stream({ message: "[scenario:reasoning-first]", model: MODEL }));
    const view = ReplyView.after(events);
    expect(await all(await chat.call("GET", view.resume))).toEqual([
      { reply: view.reply, at: view.text.length, run: 1, rev: 2 },
    ]);
    const untilFirstThought = ReplyView.after(events.slice(0, 4));
    expect((await all(await chat.call("GET", untilFirstThought.resume))).slice(0, 3)).toEqual([
      { reply: view.reply, at: 0, run: 1, rev: 1 },
      { thought: "So is this.", seq: 0, length: 37 },
      { part: { seq: 0, at: 0, kind: "reasoning", durationMs: expect.any(Number), rev: 2 } },
    ]);
  });

  it("a reader that names more than there is receives everything again", async () => {
    await readReply(await chat.stream({ message: "[scenario:reasoning-first]", model: MODEL }));
    const { id, parts } = await last();
    for (const lost of ["rev=9&seq=0&length=3", "rev=1&seq=0&length=999", "rev=1&seq=7&length=0"]) {
      const events = await all(await chat.call("GET", `/reply?reply=${id}&from=6&run=1&${lost}`));
      expect(events[0]).toMatchObject({ at: 6, rev: 0 });
      const view = new ReplyView();
      view.text = "Hello!";
      for (const event of events) view.take(event);
      expect(view.parts).toEqual(parts);
    }
  });
});

it("a reader written from the specification alone gets the stored text of a reply with reasoning and notices", async () => {
  await using fresh = await startScriptedChat();
  await fresh.renew();
  fresh.provider.next("error-before-first-word", "reasoning-first");
  const body = await (await fresh.stream()).text();
  const message = await fresh.last();
  expect(message.parts?.map(({ kind }) => kind)).toEqual(["notice", "reasoning"]);
  expect(textBySpecification(body)).toBe(message.content);
});

it("the first reasoning ends the time for the first text, and silence after it ends the reply", async () => {
  const stream = readEvents(await held());
  chat.provider.think("Hm.");
  const events: StreamEvent[] = [];
  for await (const event of stream) if (event !== "[DONE]") events.push(event);
  expect(events.at(-1)).toMatchObject({ code: "assistant-stalled" });
  // The same model is not asked for the same answer again.
  expect(chat.provider.chats).toHaveLength(1);
  const { leaf } = (await (await chat.call("GET", "/tree")).json()) as { leaf: string };
  expect(leaf).toBe((await chat.open()).messages[0]?.id);
});

it("reasoning is never in prompts, titles, search, Markdown and HTML, and is in the JSON export", async () => {
  await chat.send({ message: "[scenario:reasoning-first] Hello", model: MODEL });
  await chat.send({ message: "Again", model: MODEL });
  expect(JSON.stringify(chat.provider.requests)).not.toContain("secret thought");
  const search = await chat.app.call("GET", "/search?q=secret", { token: chat.ada.token });
  expect(await search.json()).toMatchObject({ hits: [] });
  for (const format of ["markdown", "html"]) {
    const text = await (await chat.call("GET", `/export?format=${format}`)).text();
    expect(text).toContain("scripted reply");
    expect(text).not.toContain("secret thought");
  }
  expect(await (await chat.call("GET", "/export?format=json")).text()).toContain("secret thought");
});

it("Stop keeps the reasoning of a reply, and a deletion removes it", async () => {
  const stream = readEvents(await held());
  chat.provider.think("Hm.");
  chat.provider.release("A long");
  for await (const event of stream) if (event !== "[DONE]" && event.token) break;
  await chat.call("POST", "/stop");
  const { parts, state, content, id } = await last();
  expect({ state, content, parts }).toMatchObject({ state: "stopped", content: "A long", parts: [{ text: "Hm." }] });
  await expectExactCounters(chat.app.context.database);
  const { database } = chat.app.context;
  await database.deleteFrom("messages").where("id", "=", id).execute();
  expect(await database.selectFrom("message_parts").selectAll().where("message_id", "=", id).execute()).toEqual([]);
});
