import { expect, it } from "vitest";
import { modelPaths } from "#contract/models/paths.ts";
import { usageSchema } from "#contract/models/usage.ts";
import { signUp } from "../../testing/accounts/sign-up.ts";
import { Random } from "../../testing/app/random.ts";
import { startTestApp } from "../../testing/app/start-test-app.ts";
import {
  billedBy,
  type InvoicedCall,
  invoiceOf,
  nanosOf,
  type Tariff,
  toPrice,
  totalBilledBy,
  totalOf,
} from "../../testing/provider/invoice.ts";
import type { Charges } from "../../testing/provider/wire.ts";
import type { Model, TokenUsage } from "../models/model.ts";
import { promptMessage } from "../models/prompt-message.ts";
import { counted } from "./call-count.ts";
import { countCalls } from "./usage-store.ts";

const tariffs: readonly (Tariff & { value: string })[] = [
  { value: "GPT:cached", input: 1_250_000n, output: 10_000_000n, cacheRead: 125_000n },
  // Half a nano-dollar for a cached token: costs of single calls are rounded.
  { value: "GPT:fine", input: 75_000n, output: 300_500n, cacheRead: 7_500n },
  { value: "CLAUDE:written", input: 3_000_000n, output: 15_000_000n, cacheRead: 300_000n, cacheWrite: 3_750_000n },
  { value: "LOCAL:plain", input: 100_000n, output: 400_000n },
];
type NamedTariff = (typeof tariffs)[number];

/** Returns the usage of a call. Every third has no shares, as of a provider that reports none. */
function usageOf(random: Random, nth: number): TokenUsage {
  const inputTokens = random.between(0, 250_000);
  const outputTokens = random.between(0, 16_000);
  if (nth % 3 === 2) return { inputTokens, outputTokens };
  const cachedInputTokens = random.between(0, inputTokens);
  const cacheWriteTokens = random.between(0, inputTokens - cachedInputTokens);
  return {
    inputTokens,
    cachedInputTokens,
    cacheWriteTokens,
    outputTokens,
    reasoningTokens: random.between(0, outputTokens),
  };
}

function chargesOf(usage: TokenUsage): Charges {
  const { inputTokens = 0, cachedInputTokens = 0, cacheWriteTokens = 0, outputTokens = 0, reasoningTokens = 0 } = usage;
  return {
    input: inputTokens - cachedInputTokens - cacheWriteTokens,
    cacheRead: cachedInputTokens,
    cacheWrite: cacheWriteTokens,
    output: outputTokens,
    reasoning: reasoningTokens,
  };
}

function modelOf(tariff: NamedTariff, usage: TokenUsage): Model {
  return {
    value: tariff.value,
    provider: "openai",
    connectionId: "openai",
    contextTokens: 300_000,
    maxOutputTokens: 16_000,
    price: toPrice(tariff),
    stream: async (_prompt, sink) => {
      sink.onReasoning("Let me think.");
      sink.onText("A word.");
      return { reason: "complete", usage };
    },
  };
}

const sink = { onText() {}, onReasoning() {}, onTakeBack() {}, onCall() {}, onPicture() {}, onLife() {} };
const prompt = { system: "", messages: [promptMessage("user", "Hello")] };

async function callOnce(tariff: NamedTariff, usage: TokenUsage) {
  let count: Parameters<Parameters<typeof counted>[1]>[0] | undefined;
  const model = counted(modelOf(tariff, usage), (counted) => {
    count = counted;
  });
  await model.stream(prompt, sink, new AbortController().signal);
  if (!count) throw new Error("The call was not counted");
  return count;
}

it("the cost of a month agrees with the provider's invoice to the nano-dollar", async () => {
  await using app = await startTestApp();
  const { token, user } = await signUp(app);
  const random = new Random("invoice");
  const calls: InvoicedCall[] = [];
  for (let nth = 0; nth < 200; nth++) {
    const tariff = tariffs[nth % tariffs.length] as NamedTariff;
    const usage = usageOf(random, nth);
    const count = await callOnce(tariff, usage);
    await countCalls(app.context.database, user.id, [{ ...count, purpose: "reply", at: Date.now() }]);
    calls.push({ model: tariff.value, tariff, charges: chargesOf(usage) });
  }
  const invoice = invoiceOf(calls);
  const answer = await app.call("GET", `${modelPaths.usage}?months=2`, { token });
  const billed = usageSchema.parse(await answer.json());
  expect(billedBy(billed)).toEqual(invoice);
  expect(invoice.size).toBe(tariffs.length);
  const total = totalBilledBy(billed);
  expect(total.toFixed(2)).toBe((Number(totalOf(invoice)) / 1e9).toFixed(2));
  expect(nanosOf(total)).toBe(totalOf(invoice));
});

it("a share that exceeds its whole is clamped, and absent shares stay unknown", async () => {
  const [, , claude] = tariffs as [NamedTariff, NamedTariff, NamedTariff];
  const odd = { inputTokens: 10, cachedInputTokens: 8, cacheWriteTokens: 8, outputTokens: 4, reasoningTokens: 9 };
  expect(await callOnce(claude, odd)).toMatchObject({
    inputTokens: 10,
    cachedInputTokens: 8,
    cacheWriteTokens: 2,
    outputTokens: 4,
    reasoningTokens: 4,
    costNanoUsd: 8 * 300 + 2 * 3750 + 4 * 15_000,
    isEstimate: false,
  });
  expect(await callOnce(claude, { inputTokens: 10, outputTokens: 4, cachedInputTokens: -1 })).toMatchObject({
    cachedInputTokens: 0,
    cacheWriteTokens: null,
    reasoningTokens: null,
    costNanoUsd: 10 * 3000 + 4 * 15_000,
  });
});

it("an estimate counts readable reasoning as output", async () => {
  const [gpt] = tariffs as [NamedTariff];
  // "Let me think." and "A word." have 20 bytes, and a token has about three.
  expect(await callOnce(gpt, {})).toMatchObject({ outputTokens: 7, reasoningTokens: null, isEstimate: true });
});
