import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Message } from "#contract/conversation/conversation.ts";
import { startChatWithModels } from "../../../testing/chats/chat-with-models.ts";
import type { ScriptedChat } from "../../../testing/chats/scripted-chat.ts";
import { pdfOf } from "../../../testing/files/pdf-files.ts";
import { pngOf } from "../../../testing/files/picture-encoders.ts";
import { uploadFile } from "../../../testing/files/upload.ts";
import { readReply } from "../../../testing/http/read-events.ts";

const SEEING = "GPT:gpt-4.1-nano";
const BLIND = "GPT:blind";
const SMALL = "GPT:small";
const size = { contextTokens: 100_000, maxOutputTokens: 1000, api: "chat-completions" } as const;
const blind = { images: false, pdf: false } as const;
const models = [
  { ...size, label: "Seeing", value: SEEING, images: true, pdf: true },
  { ...size, ...blind, label: "Blind", value: BLIND },
  { ...size, ...blind, label: "Small", value: SMALL, contextTokens: 8000 },
];

let chat: ScriptedChat;
beforeAll(async () => {
  chat = await startChatWithModels(models);
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(async () => {
  chat.provider.reset();
  await chat.renew();
});

const picture = (name = "a.png") => uploadFile(chat.app, { ...chat.ada, name, bytes: pngOf(1, 1, Buffer.alloc(4)) });
const text = (name: string, bytes: string) => uploadFile(chat.app, { ...chat.ada, name, bytes });

const notices = ({ parts = [] }: Message) =>
  parts.flatMap(({ seq, kind, at, ...body }) => (kind === "notice" ? [body] : []));
const notice = ({ id, name }: { id: string; name: string }, received: string) => ({
  code: "file",
  params: { file: id, name, received },
});

/** Asks a question. @returns the notices of its reply */
async function ask(model: string, files: readonly { id: string }[] = [], message = "And?") {
  await chat.send({ model, message, files: files.map(({ id }) => id) });
  const reply = await chat.last();
  expect(reply.state).toBe("complete");
  return notices(reply);
}

async function again(model: string) {
  await readReply(await chat.call("POST", "/reply", { mode: "regenerate", model }));
  return notices(await chat.last());
}

const asked = () => JSON.stringify(chat.provider.chats.at(-1)?.body);

describe("notices of older questions' files", () => {
  it("an older file is noted once, and again after a reply by another model", async () => {
    const photo = await picture();
    expect(await ask(SEEING, [photo])).toEqual([]);
    expect(await ask(BLIND)).toEqual([notice(photo, "none")]);
    expect(asked()).toContain('The picture \\"a.png\\" is attached, but you did not receive');
    expect(await ask(BLIND)).toEqual([]);
    expect(asked()).toContain("a.png");
    expect(await ask(SEEING)).toEqual([]);
    expect(await ask(BLIND)).toEqual([notice(photo, "none")]);
  });

  it("an older file is noted by a reply that replaces the one with the notice, and where its question is newest", async () => {
    const photo = await picture();
    expect(await ask(BLIND, [photo])).toEqual([notice(photo, "none")]);
    expect(await again(BLIND)).toEqual([notice(photo, "none")]);
    expect(await ask(BLIND)).toEqual([]);
    expect(await again(BLIND)).toEqual([]);
    expect(await ask(BLIND, [photo])).toEqual([notice(photo, "none")]);
  });

  it("many older files are noted together, and again only once there are more", async () => {
    const photos = [await picture("a.png"), await picture("b.png"), await picture("c.png"), await picture("d.png")];
    const names = photos.map(({ name }) => name);
    await ask(SEEING, photos.slice(0, 3));
    expect(await ask(BLIND)).toEqual(photos.slice(0, 3).map((photo) => notice(photo, "none")));
    await ask(SEEING, photos.slice(3));
    expect(await ask(BLIND)).toEqual([{ code: "files", params: { files: 4, names: names.join(", ") } }]);
    expect(await ask(BLIND)).toEqual([]);
    expect(await ask(BLIND, [await picture("e.png")])).toMatchObject([{ params: { name: "e.png" } }]);
    expect(await ask(BLIND)).toEqual([]);
    await ask(SEEING, [await picture("f.png")]);
    expect(await ask(BLIND)).toEqual([
      { code: "files", params: { files: 6, names: `${names.join(", ")}, e.png, f.png` } },
    ]);
  });

  it("an older file is not noted again where a reply continues", async () => {
    const photo = await picture();
    await ask(SEEING, [photo]);
    chat.provider.next("broken-off");
    await readReply(await chat.stream({ model: BLIND }));
    expect(notices(await chat.last())).toEqual([notice(photo, "none")]);
    await readReply(await chat.call("POST", "/reply", { mode: "continue" }));
    expect(notices(await chat.last())).toEqual([notice(photo, "none")]);
  });
});

describe("older documents beyond the window", () => {
  it("an older document is cut to the window, with a notice, while its question and answer stay", async () => {
    const document = await text("fjords.txt", "A fjord is a long inlet.\n".repeat(480));
    expect(await ask(SMALL, [document], "What is a fjord?")).toEqual([]);
    expect(await ask(SMALL, [], "word ".repeat(1800))).toEqual([notice(document, "part")]);
    expect(asked()).toContain('The file \\"fjords.txt\\" is attached. Only a part of its text is here.');
    expect(asked()).toContain("What is a fjord?");
    expect(asked()).toContain(chat.provider.reply);
    expect(await ask(SMALL, [], "word ".repeat(1980))).toEqual([notice(document, "none")]);
    expect(asked()).toContain('The file \\"fjords.txt\\" is attached, but you did not receive its content');
    expect(asked()).toContain("What is a fjord?");
    expect(await ask(SMALL)).toEqual([]);
  });

  it("a document of dropped turns is named with others, also if the turns were not read", async () => {
    const document = await text("fjords.txt", "A fjord is a long inlet.");
    const photo = await picture();
    await ask(SEEING, [document, photo], "What is a fjord?");
    const long = "word ".repeat(4400);
    await ask(SEEING, [], long);
    const cut = (messages: number) => ({ code: "cut", params: { messages } });
    expect(await ask(SMALL)).toEqual([cut(4), notice(document, "none"), notice(photo, "none")]);
    const names = 'Earlier messages, which you did not receive, had these files: \\"fjords.txt\\", \\"a.png\\"; say so';
    expect(asked()).toContain(names);
    expect(asked()).not.toContain("What is a fjord?");
    await ask(SEEING, [], long);
    // Of this branch, only the newest 24,000 bytes are read.
    expect(await ask(SMALL)).toEqual([cut(8), notice(document, "none"), notice(photo, "none")]);
    expect(asked()).toContain(names);
    expect(await ask(SMALL)).toEqual([cut(8)]);
  });
});

it("automatic choice falls back to a model that does not read files: it gets a PDF's text, with notices", async () => {
  const pdf = await uploadFile(chat.app, { ...chat.ada, name: "a.pdf", bytes: pdfOf("Words of a fjord") });
  const photo = await picture();
  chat.provider.next("overloaded", "fast");
  await chat.send({ files: [pdf.id, photo.id] });
  const reply = await chat.last();
  expect(reply).toMatchObject({ state: "complete", model: BLIND });
  const expected = [
    { code: "model", params: { model: BLIND, instead: SEEING } },
    notice(pdf, "text"),
    notice(photo, "none"),
  ];
  expect(notices(reply)).toEqual(expected);
  expect(asked()).toContain("Words of a fjord");
  expect(chat.provider.chats.map(({ messages }) => messages[0]?.files?.length ?? 0)).toEqual([2, 0]);
});
