import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type ScriptedChat, startScriptedChat } from "../../../testing/chats/scripted-chat.ts";
import { DEFAULT_TOKENS } from "../../../testing/provider/wire.ts";

let chat: ScriptedChat;
beforeAll(async () => {
  chat = await startScriptedChat((baseUrl) => ({ LOCAL_BASE_URL: baseUrl, RATE_LIMITS: "off" }));
});
beforeEach(() => chat.renew());
afterAll(() => chat[Symbol.asyncDispose]());

const long = "The glacier moves a few metres every year. ".repeat(700);
const noticesOf = async () => (await chat.open()).messages.at(-1)?.parts?.filter(({ kind }) => kind === "notice") ?? [];

it("an answer says that the server has cut the prompt, and how much it has read", async () => {
  chat.provider.tokens = { ...DEFAULT_TOKENS, input: 4096 };
  await chat.send({ message: long, model: "LOCAL:qwen3:8b" });
  const sent = expect.any(Number);
  expect(await noticesOf()).toMatchObject([{ code: "server-cut", params: { sent, received: 4096 } }]);
});

it("an answer says nothing if the server has read the whole prompt", async () => {
  chat.provider.tokens = { ...DEFAULT_TOKENS, input: 7000 };
  await chat.send({ message: long, model: "LOCAL:qwen3:8b" });
  expect(await noticesOf()).toEqual([]);
});
