import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Chat, Message } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { errorSentences } from "#contract/errors.ts";
import { filePaths } from "#contract/files/paths.ts";
import { HOUR } from "#contract/limits.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import { signUp } from "../../../testing/accounts/sign-up.ts";
import { expectExactCounters } from "../../../testing/chats/exact-counters.ts";
import { startKilledChat } from "../../../testing/chats/killed-chat.ts";
import { ReplyView } from "../../../testing/chats/reply-view.ts";
import { type ScriptedChat, startScriptedChat } from "../../../testing/chats/scripted-chat.ts";
import { searchAll } from "../../../testing/chats/search-for.ts";
import { restore, unpack } from "../../../testing/files/archives.ts";
import { pngOf } from "../../../testing/files/picture-encoders.ts";
import { taggedPictures } from "../../../testing/files/pictures.ts";
import { readEvents, type StreamEvent } from "../../../testing/http/read-events.ts";
import { dataUrlOf } from "../../../testing/provider/scenarios.ts";

const MODEL = "GPT:gpt-5-mini";
const QUESTION = "[scenario:held]";
const ID = expect.any(String);
const filePart = (seq: number, at: number, more: object = {}) => {
  const number = seq + 1;
  return { seq, at, kind: "file", id: ID, name: `picture-${number}.png`, type: "image/png", width: 2, ...more };
};
/** A picture of 2 x 1 pixels, of a colour of its own. */
const pixels = (colour: number) => pngOf(2, 1, Buffer.from([0, ...Array(6).fill(colour)]));

let chat: ScriptedChat;
beforeEach(async () => {
  chat = await startScriptedChat();
  await chat.renew();
});
afterEach(() => chat[Symbol.asyncDispose]());

const open = (id: unknown, { token } = chat.ada) => chat.app.call("GET", filePaths.file(String(id)), { token });
const bytesOf = async (id: unknown) => Buffer.from(await (await open(id)).arrayBuffer());
const filesOf = ({ parts = [] }: Pick<Message, "parts">) => parts.filter(({ kind }) => kind === "file");
const noticesOf = ({ parts = [] }: Pick<Message, "parts">) => parts.filter(({ kind }) => kind === "notice");

/** Draws pictures between words, and waits for the end. @param steps pictures as bytes or URLs, and words */
async function answerWith(...steps: (string | Buffer | { url: string })[]): Promise<Message> {
  const response = await chat.stream({ message: QUESTION, model: MODEL });
  for (const step of steps) {
    if (typeof step === "string") chat.provider.release(step);
    else chat.provider.draw("url" in step ? step.url : dataUrlOf(step));
  }
  chat.provider.finish();
  await response.text();
  return chat.last();
}

describe("pictures of answers", () => {
  it("a picture becomes a file of the answer at its position, without metadata, and leaves the text unchanged", async () => {
    const [jpeg] = taggedPictures();
    if (!jpeg) throw new Error("There is no picture");
    const { id, ...answer } = await answerWith("One ", pixels(7), "two", { url: dataUrlOf(jpeg.tagged, jpeg.type) });
    expect(answer).toMatchObject({ content: "One two", state: "complete" });
    const { width, height, type } = jpeg;
    expect(answer.parts).toEqual([
      filePart(0, 4, { height: 1, size: pixels(7).length }),
      filePart(1, 7, { name: "picture-2.jpg", type, width, height, size: jpeg.clean.length }),
    ]);
    const [first, second] = filesOf(answer);
    expect([await bytesOf(first?.id), await bytesOf(second?.id)]).toEqual([pixels(7), jpeg.clean]);
    expect((await open(first?.id, await signUp(chat.app))).status).toBe(404);
    const hits = await searchAll(chat.app, chat.ada.token, { q: "picture-2" });
    expect(hits.map(({ messageId }) => messageId)).toContain(id);
    await expectExactCounters(chat.app.context.database);
  });

  it("an answer of a picture alone is complete, has a follow-up, and has no message removed by the sweep", async () => {
    const alone = await answerWith(pixels(1));
    expect(alone).toMatchObject({ content: "", state: "complete", parts: [filePart(0, 0)] });
    const aged = chat.app.context.database.updateTable("messages").where("id", "=", alone.id);
    await aged.set({ created_at: Date.now() - 1000 * HOUR }).execute();
    await chat.app.context.sweep.run();
    const { user_message: next, ai_response: answer } = await chat.send({ message: "And now?", model: MODEL });
    expect(next).toMatchObject({ parent: alone.id });
    expect(answer?.state).toBe("complete");
    expect((await chat.open()).messages.map(({ id }) => id)).toContain(alone.id);
    expect(await bytesOf(filesOf(alone)[0]?.id)).toEqual(pixels(1));
    await expectExactCounters(chat.app.context.database);
  });

  it("a call that waits for the whole answer receives an answer of a picture alone", async () => {
    chat.provider.draw(dataUrlOf(pixels(2)));
    chat.provider.finish();
    const { ai_response: answer, error } = await chat.send({ message: QUESTION, model: MODEL });
    expect({ answer, error }).toMatchObject({ answer: { content: "", parts: [filePart(0, 0)] }, error: null });
  });

  it("several readers receive the picture in its order, and a reader that knows the specification only has the text", async () => {
    const stream = readEvents(await chat.stream({ message: QUESTION, model: MODEL }));
    const views = [new ReplyView(), new ReplyView()] as const;
    chat.provider.release("Before ");
    await takeUntil(stream, views[0], ({ token }) => token);
    const second = readEvents(await chat.call("GET", `/reply?reply=${views[0].reply}&from=0`));
    await takeUntil(second, views[1], ({ token }) => token);
    chat.provider.draw(dataUrlOf(pixels(3)));
    await takeUntil(stream, views[0], ({ part }) => part);
    chat.provider.release("after");
    chat.provider.finish();
    let plain = "Before ";
    for await (const event of stream) {
      if (event === "[DONE]") break;
      plain += event.token ?? "";
    }
    await takeUntil(second, views[1], () => false);
    expect(plain).toBe("Before after");
    expect(views[1]).toMatchObject({ text: "Before after", parts: [filePart(0, 7)] });
    const third = readEvents(await chat.call("GET", views[0].resume));
    await takeUntil(third, views[0], () => false);
    expect(views[0]).toMatchObject({ text: "Before after", parts: [filePart(0, 7)] });
  });

  it("the bytes of a picture are removed with its chat", async () => {
    const [picture] = filesOf(await answerWith("Here", pixels(4)));
    await chat.call("DELETE", "");
    const { database, sweep } = chat.app.context;
    await database
      .updateTable("chats")
      .set({ deleted_at: Date.now() - 2 * HOUR })
      .execute();
    await sweep.run();
    expect((await open(picture?.id)).status).toBe(404);
    expect(await database.selectFrom("files").selectAll().execute()).toEqual([]);
    expect(await database.selectFrom("file_removals").selectAll().execute()).toEqual([]);
    await expectExactCounters(database);
  });

  it("an exported answer of a picture alone is imported with its file", async () => {
    const alone = await answerWith(pixels(5));
    const [picture] = filesOf(alone);
    const path = `${transferPaths.chatExport(chat.chatId)}?format=json`;
    const archive = await unpack(await chat.app.call("GET", path, chat.ada));
    expect(archive.document.chats[0]?.messages[1]).toMatchObject({ content: "", parts: [filePart(0, 0)] });
    const bob = await signUp(chat.app);
    expect(await restore(chat.app, archive, bob)).toMatchObject({ imported: 1, problems: [] });
    const listed = (await (await chat.app.call("GET", conversationPaths.chatHistory, bob)).json()) as { id: string }[];
    const theirs = (await (await chat.app.call("GET", `/chat/${listed[0]?.id}`, bob)).json()) as Chat;
    expect(theirs.messages[1]).toMatchObject({ content: "", state: "complete", parts: [filePart(0, 0)] });
    await chat.call("DELETE", "");
    expect((await open(picture?.id, bob)).status).toBe(200);
    await expectExactCounters(chat.app.context.database);
  });
});

describe("pictures that are not stored", () => {
  it.each([
    ["a broken picture", { url: dataUrlOf(pixels(1).subarray(0, 30)) }, "unreadable"],
    [
      "an SVG",
      { url: dataUrlOf(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), "image/svg+xml") },
      "unreadable",
    ],
    ["a text that is called a picture", { url: dataUrlOf(Buffer.from("Hello")) }, "unreadable"],
    ["an address elsewhere", { url: "https://pictures.example/cat.png" }, "unreadable"],
  ])("%s leaves the text of the answer and a notice", async (_, picture, reason) => {
    const answer = await answerWith("Here: ", picture, "done");
    expect(answer).toMatchObject({ content: "Here: done", state: "complete" });
    expect(noticesOf(answer)).toMatchObject([{ code: "picture", params: { reason } }]);
    expect(filesOf(answer)).toEqual([]);
    expect(await chat.app.context.database.selectFrom("files").selectAll().execute()).toEqual([]);
    await expectExactCounters(chat.app.context.database);
  });

  it("a picture for which the account has no room left gets a notice, and alone it is a failure with the reason", async () => {
    const { database } = chat.app.context;
    await answerWith("First");
    await database.updateTable("users").set({ quota_mb: 1 }).execute();
    const large = pngOf(1, 1, randomBytes(2 * 1024 * 1024));
    const answer = await answerWith("Here: ", large);
    expect(answer).toMatchObject({ content: "Here: ", state: "complete" });
    expect(noticesOf(answer)).toMatchObject([{ code: "picture", params: { reason: "quota" } }]);
    chat.provider.draw(dataUrlOf(large));
    chat.provider.finish();
    const before = chat.provider.chats.length;
    const failed = await chat.send({ message: QUESTION, model: MODEL });
    expect(failed).toMatchObject({ ai_response: null, error: errorSentences["quota-reached"] });
    expect(chat.provider.chats).toHaveLength(before + 1);
    await expectExactCounters(database);
  });

  it("a temporary chat stores no picture and says so", async () => {
    const { token } = chat.ada;
    const body = { messages: [{ role: "user", content: QUESTION }], model: MODEL };
    const response = await chat.app.call("POST", conversationPaths.temporaryReply, { token, body });
    chat.provider.release("Here: ");
    chat.provider.draw(dataUrlOf(pixels(6)));
    chat.provider.finish();
    const view = new ReplyView();
    for await (const event of readEvents(response)) if (event !== "[DONE]") view.take(event);
    expect(view).toMatchObject({
      text: "Here: ",
      parts: [{ kind: "notice", code: "picture", params: { reason: "temporary" } }],
    });
    expect(await chat.app.context.database.selectFrom("files").selectAll().execute()).toEqual([]);
  });
});

describe("pictures of answers in later prompts", () => {
  it("the picture of an answer travels with the next question, because APIs take none from an assistant", async () => {
    await answerWith(pixels(8));
    await answerWith("And: ", pixels(9));
    await chat.send({ message: "Which is darker?", model: MODEL });
    const { messages } = chat.provider.chats.at(-1) ?? {};
    const sent = messages?.map(({ role, content, files = [] }) => [role, content, files.map(({ bytes }) => bytes)]);
    expect(sent).toEqual([
      ["user", QUESTION, []],
      ["assistant", "[picture-1.png]", []],
      ["user", QUESTION, [pixels(8)]],
      ["assistant", "And: ", []],
      ["user", "Which is darker?", [pixels(9)]],
    ]);
  });
});

it("a process that is killed between a picture and the end of its answer leaves the picture in the interrupted answer", async () => {
  await using chat = await startKilledChat();
  const { id, token, provider } = chat;
  const response = await chat.send(QUESTION, MODEL);
  provider.release("Here ");
  provider.draw(dataUrlOf(pixels(9)));
  await takeUntil(readEvents(response), new ReplyView(), ({ part }) => part);
  const wasStored = async () => {
    const stored = await chat.get(`/chat/${id}`);
    const { messages } = (await stored.json()) as Chat;
    return filesOf(messages.at(-1) ?? {}).length > 0;
  };
  await vi.waitUntil(wasStored);
  // A checkpoint stores a part together with the words after it.
  provider.release("there");
  for await (const event of readEvents(await chat.get(`/chat/${id}/reply`))) {
    if (event === "[DONE]" || event.token?.includes("there")) break;
  }
  await using app = await chat.restart();
  const { messages } = (await (await app.call("GET", `/chat/${id}`, { token })).json()) as Chat;
  const answer = messages.at(-1);
  expect(answer?.state).toBe("interrupted");
  expect("Here there".startsWith(answer?.content ?? "?")).toBe(true);
  const { database } = app.context;
  const named = await database.selectFrom("message_files").selectAll().execute();
  const files = filesOf(answer ?? {});
  expect(named.map(({ file_id }) => file_id)).toEqual(files.map((part) => part.id));
  for (const part of files) {
    const served = await app.call("GET", filePaths.file(String(part.id)), { token });
    expect(Buffer.from(await served.arrayBuffer())).toEqual(pixels(9));
  }
  await expectExactCounters(database);
});

/** Takes events until one satisfies `isLast`. */
async function takeUntil(
  events: AsyncGenerator<StreamEvent | "[DONE]">,
  view: ReplyView,
  isLast: (event: StreamEvent) => unknown,
): Promise<void> {
  for (;;) {
    const { value, done } = await events.next();
    if (done || value === "[DONE]") return;
    view.take(value);
    if (isLast(value)) return;
  }
}
