import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Message } from "#contract/conversation/conversation.ts";
import { startChatWithModels } from "../../../testing/chats/chat-with-models.ts";
import type { ScriptedChat } from "../../../testing/chats/scripted-chat.ts";
import { canvasPng, losslessWebp } from "../../../testing/files/canvas-pictures.ts";
import { GIF_TRAILER, gifExtension, gifHeader, gifPixel, pngOf } from "../../../testing/files/picture-encoders.ts";
import { animatedPng, animatedWebp } from "../../../testing/files/pictures.ts";
import { uploadFile } from "../../../testing/files/upload.ts";
import { readReply } from "../../../testing/http/read-events.ts";
import type { ProviderRequest } from "../../../testing/provider/provider-request.ts";
import type { ErrorAnswer } from "../../../testing/provider/wire.ts";

const CHAT = "GPT:gpt-4.1-nano";
const RESPONSES = "GPT:by-responses";
const MESSAGES = "CLAUDE:by-messages";
const LOCAL = "LOCAL:llava";
const seeing = { contextTokens: 100_000, maxOutputTokens: 1000, images: true, pdf: true };
const models = [
  { ...seeing, label: "Chat", value: CHAT, api: "chat-completions" },
  { ...seeing, label: "Responses", value: RESPONSES, api: "responses" },
  { ...seeing, label: "Messages", value: MESSAGES },
  { ...seeing, label: "Local", value: LOCAL },
] as const;

let chat: ScriptedChat;
beforeAll(async () => {
  chat = await startChatWithModels(models);
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(async () => {
  chat.provider.reset();
  await chat.renew();
});

/** Uploads a picture of a width of its own, by which requests are recognised. */
async function upload(width: number) {
  const png = pngOf(width, 1, Buffer.alloc(1 + 3 * width));
  const file = await uploadFile(chat.app, { ...chat.ada, name: `${width}.png`, bytes: png });
  return { ...file, base64: png.toString("base64") };
}

type Uploaded = Awaited<ReturnType<typeof upload>>;

const unnamed: ErrorAnswer = {
  status: 400,
  body: '{"type":"error","error":{"type":"invalid_request_error","message":"Could not process image"}}',
};

type Answer = (request: ProviderRequest, place: string) => ErrorAnswer | undefined;

/** Refuses requests with a picture. @param answer to a picture at a place such as `2.0`: the indices of its message and its part */
function refuse({ base64 }: Pick<Uploaded, "base64">, answer: Answer = atPath): void {
  chat.provider.refuse = (request) => {
    const { input, messages = [] } = request.body;
    const list = typeof input === "object" ? input : messages;
    for (const [at, { content }] of list.entries()) {
      if (!Array.isArray(content)) continue;
      const part = content.findIndex((one) => JSON.stringify(one).includes(base64));
      if (part >= 0) return answer(request, `${at}.${part}`);
    }
    return undefined;
  };
}

/** The answer of each API that names the part. */
function atPath({ path, body }: ProviderRequest, place: string): ErrorAnswer {
  const [at, part] = place.split(".");
  if (path.endsWith("/messages")) {
    const message = `messages.${at}.content.${part}.image.source.base64.data: The image is damaged`;
    return { status: 400, body: JSON.stringify({ type: "error", error: { type: "invalid_request_error", message } }) };
  }
  const list = body.input === undefined ? "messages" : "input";
  const error = { type: "invalid_request_error", code: "invalid_value", param: `${list}[${at}].content[${part}]` };
  return { status: 400, body: JSON.stringify({ error: { ...error, message: "The image is damaged" } }) };
}

const notices = ({ parts = [] }: Message) => parts.flatMap(({ seq, kind, at, ...body }) => (at === 0 ? [body] : []));
const refusalOf = ({ id, name }: Uploaded, by: string) => ({
  code: "file",
  params: { file: id, name, received: "none", reason: "refused", by },
});
/** Returns how many files each request for a reply had. */
const filesSent = () => chat.provider.chats.map(({ messages }) => messages.flatMap(({ files = [] }) => files).length);

async function ask(model: string, files: readonly Uploaded[] = []) {
  await chat.send({ model, files: files.map(({ id }) => id) });
  return chat.last();
}

const wires = [
  [CHAT, "openai"],
  [RESPONSES, "openai"],
  [MESSAGES, "anthropic"],
  [LOCAL, LOCAL],
] as const;

it.each(wires)(
  "a picture that %s refuses by its path is left out, with a notice, and is not sent again",
  async (model, by) => {
    const [good, bad, other] = [await upload(1), await upload(2), await upload(3)];
    await ask(model, [good]);
    refuse(bad);
    const reply = await ask(model, [other, bad]);
    expect(reply).toMatchObject({ state: "complete", content: chat.provider.reply });
    expect(notices(reply)).toEqual([refusalOf(bad, by)]);
    expect(filesSent()).toEqual([1, 3, 2]);
    expect(JSON.stringify(chat.provider.chats.at(-1)?.body)).toContain(`The picture \\"2.png\\" is attached, but`);
    const further = await ask(model);
    expect(notices(further)).toEqual([]);
    expect(filesSent()).toEqual([1, 3, 2, 2]);
  },
);

describe("pictures that a provider refuses without naming them", () => {
  it("an unnamed refused picture is found by a call without the files of the last question", async () => {
    const [good, bad] = [await upload(1), await upload(2)];
    await ask(MESSAGES, [good]);
    refuse(bad, () => unnamed);
    const reply = await ask(MESSAGES, [bad]);
    expect([reply.state, notices(reply)]).toEqual(["complete", [refusalOf(bad, "anthropic")]]);
    expect(filesSent()).toEqual([1, 2, 1]);
    expect(notices(await ask(MESSAGES))).toEqual([]);
    expect(filesSent().at(-1)).toBe(1);
  });

  it("an unnamed refused picture is found among the files of older questions", async () => {
    const [bad, good] = [await upload(1), await upload(2)];
    await ask(CHAT, [bad]);
    refuse(bad, () => unnamed);
    const reply = await ask(MESSAGES, [good]);
    expect(reply.state).toBe("complete");
    expect(notices(reply)).toEqual([refusalOf(bad, "anthropic")]);
    expect(JSON.stringify(chat.provider.chats.at(-1)?.body)).toContain(good.base64);
    expect(filesSent()).toEqual([1, 2, 1, 1]);
  });

  it("unnamed refused pictures are found among the files of all questions", async () => {
    const [old, newest] = [await upload(1), await upload(2)];
    await ask(CHAT, [old]);
    refuse({ base64: "base64" }, () => unnamed);
    const reply = await ask(MESSAGES, [newest]);
    expect(notices(reply)).toEqual([refusalOf(old, "anthropic"), refusalOf(newest, "anthropic")]);
    expect(filesSent()).toEqual([1, 2, 1, 1, 0]);
  });

  it("a prompt that is refused without files too fails as it is, and its files are sent again", async () => {
    const file = await upload(1);
    chat.provider.refuse = () => unnamed;
    expect(await readReply(await chat.stream({ model: MESSAGES, files: [file.id] }))).toMatchObject({
      failure: { code: "assistant-failed" },
    });
    expect(filesSent()).toEqual([1, 0]);
    chat.provider.refuse = () => undefined;
    await readReply(await chat.call("POST", "/reply", { mode: "regenerate", model: MESSAGES }));
    expect(filesSent()).toEqual([1, 0, 1]);
    expect((await chat.last()).parts).toBeUndefined();
  });

  it("a picture is found by the size of the request, where a gateway accepts less than the provider", async () => {
    const file = await upload(1);
    refuse(file, () => ({ status: 413, body: "<html>Too large</html>" }));
    const reply = await ask(CHAT, [file]);
    expect([reply.state, notices(reply)]).toEqual(["complete", [refusalOf(file, "openai")]]);
  });

  it("a refused picture is found at a local server that fails with 500 twice", async () => {
    const file = await upload(1);
    refuse(file, () => ({ status: 500, body: '{"error":{"message":"failed to decode image","type":"api_error"}}' }));
    const reply = await ask(LOCAL, [file]);
    expect([reply.state, notices(reply)]).toEqual(["complete", [refusalOf(file, LOCAL)]]);
    expect(filesSent()).toEqual([1, 1, 0]);
  });

  it("no picture is suspected where the prompt is beyond the window", async () => {
    const file = await upload(1);
    refuse(file, () => ({ status: 400, body: '{"error":{"code":"context_length_exceeded"}}' }));
    expect(await readReply(await chat.stream({ model: CHAT, files: [file.id] }))).toMatchObject({
      failure: { code: "assistant-too-long" },
    });
    expect(filesSent()).toEqual([1]);
  });

  it("no picture is suspected where a provider that is not local fails with 500", async () => {
    const file = await upload(1);
    refuse(file, () => ({ status: 500, body: '{"error":{"type":"server_error"}}' }));
    expect(await readReply(await chat.stream({ model: CHAT, files: [file.id] }))).toMatchObject({
      failure: { code: "assistant-failed" },
    });
    expect(filesSent()).toEqual([1, 1]);
  });
});

describe("refused pictures", () => {
  it("a refused picture is left out by its error code", async () => {
    const file = await upload(1);
    const error = { code: "image_parse_error", type: "invalid_request_error", param: null, message: "Words" };
    refuse(file, () => ({ status: 400, body: JSON.stringify({ error }) }));
    expect(notices(await ask(RESPONSES, [file]))).toEqual([refusalOf(file, "openai")]);
  });

  it("many pictures of which each is refused cause four calls at most", async () => {
    const files = [await upload(1), await upload(2), await upload(3), await upload(4)];
    refuse({ base64: ";base64," });
    const reply = await ask(CHAT, files);
    expect(reply.state).toBe("complete");
    expect(notices(reply)).toEqual(files.map((file) => refusalOf(file, "openai")));
    expect(filesSent()).toEqual([4, 3, 2, 0]);
  });

  it("many refused pictures of older questions have a notice each, and none is sent again", async () => {
    const files = [await upload(1), await upload(2), await upload(3), await upload(4)];
    await ask(CHAT, files);
    refuse({ base64: "base64" }, () => unnamed);
    expect(notices(await ask(MESSAGES))).toEqual(files.map((file) => refusalOf(file, "anthropic")));
    expect(notices(await ask(MESSAGES))).toEqual([]);
    expect(filesSent()).toEqual([4, 4, 0, 0]);
  });

  it("a refused picture is sent to another provider for later questions", async () => {
    const file = await upload(1);
    refuse(file, (request, place) => (request.model === "by-messages" ? undefined : atPath(request, place)));
    await ask(CHAT, [file]);
    expect(notices(await ask(MESSAGES))).toEqual([]);
    expect(notices(await ask(CHAT))).toEqual([refusalOf(file, "openai")]);
    expect(filesSent()).toEqual([1, 0, 1, 0]);
  });

  it("a refused picture is left out, too, by the last model that can continue a reply", async () => {
    await using two = await startChatWithModels([models[0], models[3]]);
    await two.renew();
    const bytes = pngOf(1, 1, Buffer.alloc(4));
    const file = await uploadFile(two.app, { ...two.ada, name: "1.png", bytes });
    two.provider.next("broken-off", "fast");
    const error = { status: 400, body: '{"error":{"code":"invalid_image"}}' };
    two.provider.refuse = ({ model, messages }) =>
      model === "llava" && messages.some(({ files }) => files) ? error : undefined;
    await two.send({ files: [file.id] });
    const reply = await two.last();
    expect(reply).toMatchObject({ state: "complete", model: LOCAL });
    expect(reply.parts).toMatchObject([{ code: "model" }, refusalOf({ ...file, base64: "" }, LOCAL)]);
  });

  it("a refused picture is sent to another provider, and to the same one in a regenerated reply", async () => {
    const file = await upload(1);
    refuse(file);
    await ask(CHAT, [file]);
    chat.provider.refuse = () => undefined;
    await readReply(await chat.call("POST", "/reply", { mode: "regenerate", model: MESSAGES }));
    expect(notices(await chat.last())).toEqual([]);
    await readReply(await chat.call("POST", "/reply", { mode: "regenerate", model: CHAT }));
    expect(notices(await chat.last())).toEqual([]);
    expect(filesSent()).toEqual([1, 0, 1, 1]);
  });

  it("automatic choice sends a refused picture to the next model", async () => {
    const file = await upload(1);
    refuse(file, (request, place) => (request.model === "by-messages" ? undefined : atPath(request, place)));
    await chat.send({ files: [file.id] });
    const reply = await chat.last();
    expect(reply).toMatchObject({ state: "complete", model: MESSAGES });
    expect(notices(reply)).toEqual([{ code: "model", params: { model: MESSAGES, instead: CHAT } }]);
    expect(filesSent()).toEqual([1, 1]);
  });

  it("automatic choice leaves out a picture that no model accepts", async () => {
    const file = await upload(1);
    refuse(file);
    await chat.send({ files: [file.id] });
    const reply = await chat.last();
    expect(reply).toMatchObject({ state: "complete", model: CHAT });
    expect(notices(reply)).toEqual([refusalOf(file, "openai")]);
    expect(filesSent()).toEqual([1, 1, 1, 0]);
  });
});

describe("animated pictures", () => {
  const frame = (x: number) => Buffer.concat([gifExtension(0xf9, Buffer.from([1, 50, 0, 0])), gifPixel(x)]);
  const still = Buffer.concat([gifHeader(3, 2), frame(0), GIF_TRAILER]);
  const loops = gifExtension(0xff, "NETSCAPE2.0", Buffer.from([1, 0, 0]));
  const moving = Buffer.concat([gifHeader(3, 2), loops, frame(0), frame(1), GIF_TRAILER]);

  const pictures: Record<string, [Buffer, Buffer]> = {
    gif: [moving, still],
    webp: [animatedWebp(true), losslessWebp],
    png: [animatedPng(true), canvasPng],
  };

  it.each(Object.entries(pictures))(
    "only a picture of several frames has a remark: %s",
    async (kind, [animated, quiet]) => {
      const { token } = chat.ada;
      const file = await uploadFile(chat.app, { token, name: "a", bytes: animated });
      expect(file).toMatchObject({ type: `image/${kind}`, remark: "animated" });
      expect(await uploadFile(chat.app, { token, name: "b", bytes: quiet })).not.toHaveProperty("remark");
    },
  );

  it("an animated GIF is left out for OpenAI with a notice, unlike other animated pictures, and is sent to others", async () => {
    const { token } = chat.ada;
    const named = Object.entries(pictures).map(([kind, [bytes]]) => ({ token, name: `a.${kind}`, bytes }));
    const [gif, ...others] = await Promise.all(named.map((each) => uploadFile(chat.app, each)));
    await chat.send({ model: CHAT, files: [gif?.id ?? "", ...others.map(({ id }) => id)] });
    const notice = {
      code: "file",
      params: { file: gif?.id, name: "a.gif", received: "none", reason: "animated", by: "openai" },
    };
    expect(notices(await chat.last())).toEqual([notice]);
    for (const model of [MESSAGES, LOCAL]) {
      await readReply(await chat.call("POST", "/reply", { mode: "regenerate", model }));
      expect(notices(await chat.last())).toEqual([]);
    }
    expect(filesSent()).toEqual([2, 3, 3]);
  });
});
