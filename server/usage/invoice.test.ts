import { expect, it } from "vitest";
import { paths } from "#contract/paths.ts";
import { usageSchema } from "#contract/usage.ts";
import { signUp } from "../../testing/accounts/sign-up.ts";
import { Random } from "../../testing/app/random.ts";
import { startTestApp } from "../../testing/app/start-test-app.ts";
import type { Model, TokenUsage } from "../models/model.ts";
import type { Price } from "../models/prices.ts";
import { counted } from "./call-count.ts";
import { countCalls } from "./usage-store.ts";

/** Prices of an invoice in 1e-12 US dollars per token: integers, so that BigInt sums are exact. */
type Tariff = { value: string; input: bigint; output: bigint; cacheRead?: bigint; cacheWrite?: bigint };

const tariffs: readonly Tariff[] = [
  { value: "GPT:cached", input: 1_250_000n, output: 10_000_000n, cacheRead: 125_000n },
  // Half a nano-dollar for a cached token: costs of single calls are rounded.
  { value: "GPT:fine", input: 75_000n, output: 300_500n, cacheRead: 7_500n },
  { value: "CLAUDE:written", input: 3_000_000n, output: 15_000_000n, cacheRead: 300_000n, cacheWrite: 3_750_000n },
  { value: "LOCAL:plain", input: 100_000n, output: 400_000n },
];

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

/** Returns the charge for a call in 1e-9 US dollars, rounded half up. */
function chargeFor(usage: TokenUsage, { input, output, cacheRead = input, cacheWrite = input }: Tariff): bigint {
  const { inputTokens = 0, outputTokens = 0, cachedInputTokens = 0, cacheWriteTokens = 0 } = usage;
  const pico =
    BigInt(inputTokens - cachedInputTokens - cacheWriteTokens) * input +
    BigInt(cachedInputTokens) * cacheRead +
    BigInt(cacheWriteTokens) * cacheWrite +
    BigInt(outputTokens) * output;
  return (pico + 500n) / 1000n;
}

function toPrice({ input, output, cacheRead, cacheWrite }: Tariff): Price {
  const dollars = (pico: bigint) => Number(pico) / 1e6;
  return {
    input: dollars(input),
    output: dollars(output),
    ...(cacheRead !== undefined && { cacheRead: dollars(cacheRead) }),
    ...(cacheWrite !== undefined && { cacheWrite: dollars(cacheWrite) }),
  };
}

function modelOf(tariff: Tariff, usage: TokenUsage): Model {
  return {
    value: tariff.value,
    provider: "openai",
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

const sink = { onText() {}, onReasoning() {}, onLife() {} };
const prompt = { system: "", messages: [{ role: "user", content: "Hello" }] } as const;

async function callOnce(tariff: Tariff, usage: TokenUsage) {
  let count: Parameters<Parameters<typeof counted>[1]>[0] | undefined;
  const model = counted(modelOf(tariff, usage), (counted) => {
    count = counted;
  });
  await model.stream({ ...prompt, messages: [...prompt.messages] }, sink, new AbortController().signal);
  if (!count) throw new Error("The call was not counted");
  return count;
}

it("the cost of a month agrees with the provider's invoice to the nano-dollar", async () => {
  await using app = await startTestApp();
  const { token, user } = await signUp(app);
  const random = new Random("invoice");
  const invoice = new Map<string, { nanos: bigint; cached: number; written: number; reasoning: number }>();
  for (let nth = 0; nth < 200; nth++) {
    const tariff = tariffs[nth % tariffs.length] as Tariff;
    const usage = usageOf(random, nth);
    const count = await callOnce(tariff, usage);
    await countCalls(app.context.database, user.id, [{ ...count, purpose: "reply", at: Date.now() }]);
    const { nanos, cached, written, reasoning } = invoice.get(tariff.value) ?? {
      nanos: 0n,
      cached: 0,
      written: 0,
      reasoning: 0,
    };
    invoice.set(tariff.value, {
      nanos: nanos + chargeFor(usage, tariff),
      cached: cached + (usage.cachedInputTokens ?? 0),
      written: written + (usage.cacheWriteTokens ?? 0),
      reasoning: reasoning + (usage.reasoningTokens ?? 0),
    });
  }
  const answer = await app.call("GET", `${paths.usage}?months=2`, { token });
  // The calls of a test that runs over midnight may be in two months.
  const { months } = usageSchema.parse(await answer.json());
  const billed = new Map<string, { nanos: bigint; cached: number; written: number; reasoning: number }>();
  for (const { models } of months) {
    for (const each of models) {
      const before = billed.get(each.model) ?? { nanos: 0n, cached: 0, written: 0, reasoning: 0 };
      billed.set(each.model, {
        nanos: before.nanos + BigInt(Math.round((each.cost ?? 0) * 1e9)),
        cached: before.cached + (each.cachedInputTokens ?? 0),
        written: before.written + (each.cacheWriteTokens ?? 0),
        reasoning: before.reasoning + (each.reasoningTokens ?? 0),
      });
    }
  }
  expect(billed.size).toBe(tariffs.length);
  for (const [model, charged] of invoice) expect([model, billed.get(model)]).toEqual([model, charged]);
  const total = months.reduce((sum, { cost }) => sum + (cost ?? 0), 0);
  const invoiced = [...invoice.values()].reduce((sum, { nanos }) => sum + nanos, 0n);
  expect(total.toFixed(2)).toBe((Number(invoiced) / 1e9).toFixed(2));
  expect(BigInt(Math.round(total * 1e9))).toBe(invoiced);
});

it("a share that exceeds its whole is clamped, and absent shares stay unknown", async () => {
  const [, , claude] = tariffs as [Tariff, Tariff, Tariff];
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
  const [gpt] = tariffs as [Tariff];
  // "Let me think." and "A word." have 20 bytes, and a token has about three.
  expect(await callOnce(gpt, {})).toMatchObject({ outputTokens: 7, reasoningTokens: null, isEstimate: true });
});
