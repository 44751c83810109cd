import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { paths } from "#contract/paths.ts";
import { messageUsageSchema } from "#contract/usage.ts";
import { type ScriptedChat, startScriptedChat } from "../../testing/chats/scripted-chat.ts";
import { readReply } from "../../testing/http/read-events.ts";
import { chatDialects } from "../../testing/provider/openai-chat-wire.ts";

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
  const usage = await chat.app.call("GET", paths.messageUsage(chat.chatId, message?.id ?? ""), {
    token: chat.ada.token,
  });
  expect(messageUsageSchema.parse(await usage.json()).calls).toMatchObject([
    { inputTokens: 3000, outputTokens: 700, isEstimate: false },
  ]);
});
