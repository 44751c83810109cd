import { afterEach, beforeEach, expect, it } from "vitest";
import { limitOf, pricedModel, setBudgetsOf, settledSums } from "../../testing/chats/budgets.ts";
import { startChatWithModels } from "../../testing/chats/chat-with-models.ts";
import type { ScriptedChat } from "../../testing/chats/scripted-chat.ts";
import { readReply } from "../../testing/http/read-events.ts";

const PLAIN = "LOCAL:plain";
/** A bit more than the largest cost of one call with an answer of 2,000 tokens. */
const ONE_CALL = 4_300_000;
let chat: ScriptedChat;
beforeEach(async () => {
  const tariff = { input: 250_000n, output: 2_000_000n };
  chat = await startChatWithModels([pricedModel(PLAIN, tariff)], { SYSTEM_PROMPT: "Be kind." });
  await chat.renew();
  await setBudgetsOf(chat.app, chat.ada.user.id, { budget: ONE_CALL });
});
afterEach(() => chat[Symbol.asyncDispose]());

it("a title reserves a short answer, so that the next question is answered while it is asked for", async () => {
  chat.provider.titleScenario = "held";
  await readReply(await chat.stream({ model: PLAIN }));
  await chat.provider.untilHeld(1);
  expect(limitOf(chat.provider.titles[0] ?? { body: {} })).toBe(1024);
  expect((await readReply(await chat.stream({ model: PLAIN }))).failure).toBeUndefined();
  chat.provider.finish();
  await settledSums(chat.app);
});
