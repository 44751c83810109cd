import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { budgetProblemSchema } from "#contract/models/budgets.ts";
import { limitOf, pricedModel, setBudgetsOf, settledSums } from "../../testing/chats/budgets.ts";
import { startChatWithModels } from "../../testing/chats/chat-with-models.ts";
import type { ScriptedChat } from "../../testing/chats/scripted-chat.ts";
import { problemOf } from "../../testing/http/problem-of.ts";
import { readReply } from "../../testing/http/read-events.ts";

import { nextMonthIn } from "./months.ts";

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

describe("a send for which only running calls leave too little", () => {
  const send = async (message: string) => {
    const path = `/chat/${await chat.createChat()}/send?stream=1`;
    return chat.app.call("POST", path, { token: chat.ada.token, body: { message, model: PLAIN } });
  };

  let held: Response;
  beforeEach(async () => {
    await chat.call("PATCH", "", { title: "Fjords" });
    chat.provider.next("held");
    held = await chat.stream({ model: PLAIN });
    await chat.provider.untilHeld(1);
    chat.provider.release("Word");
    await chat.provider.untilHeld(1);
  });

  it("a send that waits for reserved money is refused with 429 and Retry-After, and accepted after that reply", async () => {
    const refused = await send("Hello");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
    expect(await refused.json()).toMatchObject({ code: "budget-reserved" });
    const body = { messages: [{ role: "user", content: "Hello" }], model: PLAIN };
    const temporary = await chat.app.call("POST", conversationPaths.temporaryReply, { token: chat.ada.token, body });
    expect([temporary.status, (await problemOf(temporary)).code]).toEqual([429, "budget-reserved"]);
    chat.provider.finish();
    await readReply(held);
    await settledSums(chat.app);
    expect((await readReply(await send("Hello"))).failure).toBeUndefined();
  });

  it("a question that the whole rest of the budget does not pay is refused with 402 and the own budget's amount", async () => {
    const refused = await send("Word ".repeat(5000));
    expect(refused.status).toBe(402);
    const until = nextMonthIn("UTC", Date.now());
    expect(budgetProblemSchema.parse(await refused.json())).toEqual({ scope: "account", limit: 0.0043, until });
    chat.provider.finish();
    await readReply(held);
  });
});
