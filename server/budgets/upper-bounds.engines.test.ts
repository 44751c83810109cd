import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { chargedBy, limitOf, pricedModel, sendAsNewPerson, settledBudget } from "../../testing/chats/budgets.ts";
import { startChatWithModels } from "../../testing/chats/chat-with-models.ts";
import type { ScriptedChat } from "../../testing/chats/scripted-chat.ts";
import { readReply } from "../../testing/http/read-events.ts";
import type { ScriptedRequest } from "../../testing/provider/scripted-provider.ts";

const tariffs = { plain: { input: 250_000n, output: 2_000_000n }, thinker: { input: 250_000n, output: 2_000_000n } };
const PLAIN = "LOCAL:plain";
const THINKER = "LOCAL:thinker";
const models = [
  pricedModel(PLAIN, tariffs.plain),
  pricedModel(THINKER, tariffs.thinker, { reasoning: "effort", efforts: ["low", "high"], maxOutputTokens: 3000 }),
];
/** 300 tokens of o200k in 400 bytes. */
const GOTHIC = "𐌰𐌱𐌲𐌳".repeat(25);

/** Counts a token for each byte of the texts of a prompt, and as many as the answer may have. */
function tokenPerByte({ system, messages, ...request }: ScriptedRequest) {
  const texts = [system, ...messages.map(({ content }) => content)];
  const input = texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ""), 4 * texts.length);
  return { input, cached: 0, output: limitOf(request as ScriptedRequest), reasoning: 0 };
}

let chat: ScriptedChat;
beforeEach(async () => {
  chat = await startChatWithModels(models, { MONTHLY_BUDGET_USD: "0.02" });
  await chat.renew();
  await chat.call("PATCH", "", { title: "Goths" });
});
afterEach(() => chat[Symbol.asyncDispose]());

it("K11 a provider that counts a token for each byte charges no more than the budget, and all of it is booked", async () => {
  chat.provider.tokens = tokenPerByte;
  const sends = Array.from({ length: 12 }, () => sendAsNewPerson(chat.app, GOTHIC.repeat(20), PLAIN));
  const statuses = await Promise.all(sends);
  expect(statuses.some((status) => status === 402 || status === 429)).toBe(true);
  expect(statuses).toContain(200);
  const { spent, budget } = await settledBudget(chat.app);
  const charged = chargedBy(chat.provider, tariffs);
  expect(charged).toBe(spent);
  expect(charged).toBeLessThanOrEqual(budget);
});

describe.each([PLAIN, THINKER])("a call of %s that is broken off", (model) => {
  /** Tokens that the provider may charge: a token for each byte of what it has sent, and what was on its way. */
  const unseen = model === THINKER ? 3000 : 256;

  it.each(["stop", "break-off"])(
    "K11 the budget books at least what the provider may charge after a %s",
    async (how) => {
      chat.provider.next("held");
      const response = await chat.stream({ message: GOTHIC, model });
      const request = await chat.provider.chat(1);
      chat.provider.release(GOTHIC);
      await vi.waitUntil(async () => (await chat.last()).content === GOTHIC);
      if (how === "stop") await chat.call("POST", "/stop");
      else chat.provider.breakOff();
      await readReply(response);
      const { spent } = await settledBudget(chat.app);
      const { input } = tokenPerByte(request);
      const output = Math.min(limitOf(request), Buffer.byteLength(GOTHIC) + unseen);
      expect(spent).toBeGreaterThanOrEqual(input * 250 + output * 2000);
    },
  );
});

it("K11 each call books at least what the provider charges and at most what was reserved, for any text and end", async () => {
  await using rich = await startChatWithModels(models, { MONTHLY_BUDGET_USD: "100", RATE_LIMITS: "off" });
  const { provider, app } = rich;
  provider.tokens = tokenPerByte;
  const text = fc.string({ unit: "binary", minLength: 1, maxLength: 400 });
  const call = fc.record({
    model: fc.constantFrom(PLAIN, THINKER),
    question: text,
    answer: text,
    end: fc.constantFrom("finish", "stop", "break off"),
  });
  const property = fc.asyncProperty(call, async ({ model, question, answer, end }) => {
    await rich.renew();
    await rich.call("PATCH", "", { title: "Goths" });
    const before = await settledBudget(app);
    const charged = chargedBy(provider, tariffs);
    provider.next("held");
    const response = await rich.stream({ message: `Q${question}`, model });
    await provider.untilHeld(1);
    const reserved = (await app.context.budgets.budgetOf())?.reserved ?? 0;
    provider.release(`A${answer}`);
    await vi.waitUntil(async () => (await rich.last()).content !== "");
    if (end === "stop") await rich.call("POST", "/stop");
    else if (end === "finish") provider.finish();
    else provider.breakOff();
    await readReply(response);
    const booked = (await settledBudget(app)).spent - before.spent;
    const invoice = chargedBy(provider, tariffs) - charged;
    expect(booked).toBeLessThanOrEqual(reserved);
    expect(booked).toBeGreaterThanOrEqual(invoice);
    if (end === "finish") expect(booked).toBe(invoice);
  });
  await fc.assert(property, { numRuns: 20, endOnFailure: true });
});
