import { expect, it } from "vitest";
import type { Chat, Message } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { MINUTE } from "#contract/limits.ts";
import { signUp } from "../../../testing/accounts/sign-up.ts";
import { createTestHarness, startTestApp, TestClock } from "../../../testing/app/start-test-app.ts";
import { ReplyView } from "../../../testing/chats/reply-view.ts";
import { whileBusy } from "../../../testing/chats/while-busy.ts";
import { pngOf } from "../../../testing/files/picture-encoders.ts";
import { problemOf } from "../../../testing/http/problem-of.ts";
import { readEvents, readReply, type StreamEvent } from "../../../testing/http/read-events.ts";
import { dataUrlOf } from "../../../testing/provider/scenarios.ts";
import { startScriptedProvider } from "../../../testing/provider/scripted-provider.ts";

const REST = " and the rest of it.";

/** Starts a reply, restarts its server after `words`, `thought` or a picture, and returns the next server. */
async function cutOff(words: string, thought = "", { picture = "" } = {}) {
  await using opened = new AsyncDisposableStack();
  const provider = opened.use(await startScriptedProvider());
  const harness = opened.use(await createTestHarness());
  const clock = new TestClock(Date.now());
  const env = { OPENAI_API_KEY: "key", OPENAI_BASE_URL: provider.baseUrl, SHUTDOWN_GRACE_MS: "0" };
  const start = () => startTestApp({ env, harness, clock });
  const before = await start();
  const { token } = await signUp(before);
  const { id } = (await (await before.call("POST", "/chat", { token })).json()) as Chat;
  const body = { message: "Tell me something.", model: "GPT:gpt-5-mini" };
  provider.next("held");
  const stream = readEvents(await before.call("POST", `/chat/${id}/send?stream=1`, { token, body }));
  if (words) provider.release(words);
  if (thought) provider.think(thought);
  if (picture) provider.draw(picture);
  const isLast = ({ reply, token, thought: thinking, part }: StreamEvent) => {
    if (picture) return part;
    return thought ? thinking : words ? token : reply;
  };
  for await (const event of stream) if (event !== "[DONE]" && isLast(event)) break;
  await before[Symbol.asyncDispose]();
  provider.reply = REST;
  const now = await start();
  const last = async (): Promise<Message> => {
    const { messages } = (await (await now.call("GET", `/chat/${id}`, { token })).json()) as Chat;
    const message = messages.at(-1);
    if (!message) throw new Error("The chat is empty");
    return message;
  };
  const join = async (from = words.length) => {
    const { id: reply } = await last();
    return whileBusy(now, () => now.call("GET", `/chat/${id}/reply?reply=${reply}&from=${from}`, { token }));
  };
  opened.use(now);
  const resources = opened.move();
  const dispose = () => resources.disposeAsync();
  return { provider, now, clock, token, id, last, join, [Symbol.asyncDispose]: dispose };
}

it("R3 an interrupted reply continues automatically when its reader reconnects, and has a seam", async () => {
  await using scene = await cutOff("The first words");
  expect(await scene.last()).toMatchObject({ content: "The first words", state: "interrupted", resumes: true });
  const told = await readReply(await scene.join());
  expect(told).toMatchObject({ from: "The first words".length, text: REST, isDone: true });
  const whole = await scene.last();
  expect(whole).toMatchObject({ content: `The first words${REST}`, state: "complete", seams: [15] });
  expect(whole.resumes).toBeUndefined();
  expect(scene.provider.chats).toHaveLength(2);
});

it("R11 continues once for any number of readers that reconnect concurrently", async () => {
  await using scene = await cutOff("The first words");
  const joined = await Promise.all(Array.from({ length: 5 }, () => scene.join()));
  const told = await Promise.all(joined.map((response) => readReply(response)));
  expect(told.map(({ text }) => text)).toEqual(Array.from({ length: 5 }, () => REST));
  expect(scene.provider.chats).toHaveLength(2);
});

it("sends a reader that received more than was stored the position where the stored text ends", async () => {
  await using scene = await cutOff("The first words");
  expect(await readReply(await scene.join(1000))).toMatchObject({ from: 15, text: REST, isDone: true });
});

it("an interrupted reply starts again if it had no text", async () => {
  await using scene = await cutOff("");
  expect(await scene.last()).toMatchObject({ role: "assistant", content: "", state: "interrupted", resumes: true });
  expect(await readReply(await scene.join())).toMatchObject({ from: 0, text: REST, isDone: true });
  const whole = await scene.last();
  expect(whole).toMatchObject({ content: REST, state: "complete" });
  expect(whole.seams).toBeUndefined();
});

it("an interrupted reply of a picture alone is kept, and the model is not asked for the picture again", async () => {
  const picture = dataUrlOf(pngOf(2, 1, Buffer.from([0, ...Array(6).fill(9)])));
  await using scene = await cutOff("", "", { picture });
  const interrupted = await scene.last();
  expect(interrupted).toMatchObject({ content: "", state: "interrupted", parts: [{ kind: "file" }] });
  expect(interrupted.resumes).toBeUndefined();
  await (await scene.join()).text();
  const path = conversationPaths.chatReply(scene.id);
  const body = { mode: "continue", parent: interrupted.id };
  const refused = await scene.now.call("POST", path, { token: scene.token, body });
  expect([refused.status, (await problemOf(refused)).code]).toEqual([409, "nothing-to-continue"]);
  expect(await scene.last()).toEqual(interrupted);
  expect(scene.provider.chats).toHaveLength(1);
});

it("a shutdown keeps reasoning with its duration, and the reader of the earlier run receives all parts again", async () => {
  await using scene = await cutOff("The first words", "Hm 😀");
  const durationMs = expect.any(Number);
  const reasoning = { seq: 0, at: 15, kind: "reasoning", text: "Hm 😀", durationMs };
  const interrupted = await scene.last();
  expect(interrupted).toMatchObject({ content: "The first words", state: "interrupted", parts: [reasoning], rev: 2 });
  const path = `/chat/${scene.id}/reply?reply=${interrupted.id}&from=15&run=1&rev=2&seq=0&length=5`;
  const view = new ReplyView();
  view.text = "The first words";
  for await (const event of readEvents(await scene.now.call("GET", path, { token: scene.token }))) {
    if (event === "[DONE]") break;
    if (event.reply) expect(event).toMatchObject({ at: 15, run: 2, rev: 0 });
    view.take(event);
  }
  const whole = await scene.last();
  expect(whole).toMatchObject({
    content: `The first words${REST}`,
    state: "complete",
    seams: [15],
    parts: [reasoning],
  });
  expect(view).toMatchObject({ text: whole.content, parts: whole.parts });
});

it("the next question skips an interrupted reply without text", async () => {
  await using scene = await cutOff("");
  const body = { message: "Another question", parent: (await scene.last()).id };
  await readReply(await scene.now.call("POST", `/chat/${scene.id}/send?stream=1`, { token: scene.token, body }));
  const { messages } = (await (
    await scene.now.call("GET", `/chat/${scene.id}`, { token: scene.token })
  ).json()) as Chat;
  expect(messages.map(({ content }) => content)).toEqual(["Tell me something.", "Another question", REST]);
});

it("an interrupted reply does not continue automatically after ten minutes, but with Continue", async () => {
  await using scene = await cutOff("The first words");
  scene.clock.advance(10 * MINUTE);
  const { resumes, id } = await scene.last();
  expect(resumes).toBeUndefined();
  expect(await readReply(await scene.join())).toMatchObject({ text: "", isDone: true });
  expect(scene.provider.chats).toHaveLength(1);
  const path = `/chat/${scene.id}/reply`;
  const asked = await scene.now.call("POST", path, { token: scene.token, body: { mode: "continue" } });
  expect(await readReply(asked)).toMatchObject({ reply: id, text: REST });
});

it("an interrupted reply continues automatically at most once, and not if the chat has newer messages", async () => {
  await using scene = await cutOff("The first words");
  await scene.now.call("POST", `/chat/${scene.id}/message`, {
    token: scene.token,
    body: { role: "user", content: "Never mind." },
  });
  const { messages } = (await (
    await scene.now.call("GET", `/chat/${scene.id}`, { token: scene.token })
  ).json()) as Chat;
  const path = `/chat/${scene.id}/reply?reply=${messages[1]?.id}`;
  const joined = await readReply(await scene.now.call("GET", path, { token: scene.token }));
  expect(joined).toMatchObject({ text: "The first words", isDone: true });
  expect(scene.provider.chats).toHaveLength(1);
});

it("R2 a stopped reply does not continue automatically", async () => {
  await using scene = await cutOff("The first words");
  const path = `/chat/${scene.id}/stop`;
  expect((await scene.now.call("POST", path, { token: scene.token })).status).toBe(204);
  expect(await readReply(await scene.join())).toMatchObject({ text: "", isDone: true });
  expect(await scene.last()).toMatchObject({ content: "The first words", state: "stopped" });
  expect(scene.provider.chats).toHaveLength(1);
});

it("a reader whose last words were never stored receives the words that replaced them", async () => {
  await using scene = await cutOff("The first words");
  await readReply(await scene.join());
  // The reader has 25 of 35 UTF-16 units, of which only the first 15 are still the same.
  const { id: reply } = await scene.last();
  const again = (run: string) =>
    scene.now.call("GET", `/chat/${scene.id}/reply?reply=${reply}&from=25${run}`, { token: scene.token });
  expect(await readReply(await again(""))).toMatchObject({ from: 15, text: REST });
  expect(await readReply(await again("&run=1"))).toMatchObject({ from: 15, text: REST });
  expect(await readReply(await again("&run=2"))).toMatchObject({ from: 25, text: REST.slice(10) });
});

it("readers that join later receive the seam of a reply", async () => {
  await using scene = await cutOff("The first words");
  await readReply(await scene.join());
  const seams = [];
  for await (const event of readEvents(await scene.join(0))) {
    if (event !== "[DONE]" && event.seam !== undefined) seams.push(event.seam);
  }
  expect(seams).toEqual([15]);
});
