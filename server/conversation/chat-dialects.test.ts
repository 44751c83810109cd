import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { errorSentences } from "#contract/errors.ts";
import { modelPaths } from "#contract/models/paths.ts";
import { messageUsageSchema } from "#contract/models/usage.ts";
import { type ScriptedChat, startScriptedChat } from "../../testing/chats/scripted-chat.ts";
import { readReply } from "../../testing/http/read-events.ts";
import { chatDialects } from "../../testing/provider/openai/openai-chat-wire.ts";

let chat: ScriptedChat;
beforeAll(async () => {
  chat = await startScriptedChat();
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(async () => {
  chat.provider.reset();
  await chat.renew();
});

test.each(chatDialects)("an answer of %s has its text without reasoning, and the counted tokens", async (dialect) => {
  chat.provider.chatDialect = dialect;
  chat.provider.tokens = { input: 3000, cached: 2048, output: 700, reasoning: 512 };
  chat.provider.next("reasoning-first");
  const { text } = await readReply(await chat.stream({ model: "GPT:gpt-5-mini" }));
  const message = (await chat.open()).messages.at(-1);
  expect([text, message?.content, message?.state]).toEqual([chat.provider.reply, chat.provider.reply, "complete"]);
  const usage = await chat.app.call("GET", modelPaths.messageUsage(chat.chatId, message?.id ?? ""), {
    token: chat.ada.token,
  });
  expect(messageUsageSchema.parse(await usage.json()).calls).toMatchObject([
    { inputTokens: 3000, outputTokens: 700, isEstimate: false },
  ]);
});

describe("errors of Gemini", () => {
  beforeEach(() => {
    chat.provider.chatDialect = "gemini";
  });

  test.each([
    ["wrong-key", "assistant-misconfigured"],
    ["unknown-model", "assistant-model-gone"],
    ["too-long", "assistant-too-long"],
    ["overloaded", "assistant-busy"],
    ["error-before-first-word", "assistant-failed"],
  ] as const)("Gemini's error %s, which is an array, ends a reply with the code %s", async (scenario, code) => {
    chat.provider.scenario = scenario;
    const { text, failure } = await readReply(await chat.stream({ model: "GPT:gpt-5-mini" }));
    expect([text, failure]).toEqual(["", { code, error: errorSentences[code] }]);
  });

  test("Gemini's error is logged by its code, without its sentence", async () => {
    chat.provider.scenario = "wrong-key";
    await readReply(await chat.stream({ model: "GPT:gpt-5-mini" }));
    const line = chat.app.logLines.findLast((each) => each.includes("model failed"));
    expect(line).toContain("assistant-misconfigured, status 400, API_KEY_INVALID");
    expect(line).not.toContain("Please pass");
  });

  test("Gemini's error in the middle of a stream keeps the text before it", async () => {
    chat.provider.reply = "One two three four";
    chat.provider.next("error-mid-stream");
    const { text, failure } = await readReply(await chat.stream({ model: "GPT:gpt-5-mini" }));
    expect([text, failure?.code]).toEqual(["One two", "assistant-busy"]);
    expect((await chat.last()).content).toBe(text);
  });
});
