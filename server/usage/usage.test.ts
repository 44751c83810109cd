import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { modelPaths } from "#contract/models/paths.ts";
import {
  type CallUsage,
  type MessageUsage,
  messageUsageSchema,
  type Usage,
  usageSchema,
} from "#contract/models/usage.ts";
import { signUp } from "../../testing/accounts/sign-up.ts";
import { createTestHarness, startTestApp, TestClock } from "../../testing/app/start-test-app.ts";
import { type ScriptedChat, startScriptedChat } from "../../testing/chats/scripted-chat.ts";
import { readEvents, readReply } from "../../testing/http/read-events.ts";
import { startScriptedProvider } from "../../testing/provider/scripted-provider.ts";
import { noShares } from "./token-cost.ts";
import { countCalls } from "./usage-store.ts";

let chat: ScriptedChat;
beforeAll(async () => {
  chat = await startScriptedChat({ REPLY_FIRST_TEXT_MS: "3000" });
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(async () => {
  chat.provider.reset();
  await chat.renew();
});

/** Returns the usage of the last reply. */
async function usageOfLast({ app, ada, chatId } = chat): Promise<MessageUsage> {
  const last = await lastReply({ app, chatId });
  const response = await app.call("GET", modelPaths.messageUsage(chatId, last), { token: ada.token });
  return messageUsageSchema.parse(await response.json());
}

/** Includes a reply without text, which is on no branch. */
async function lastReply({ app, chatId }: Pick<ScriptedChat, "app" | "chatId"> = chat): Promise<string> {
  const row = await app.context.database
    .selectFrom("messages")
    .select("id")
    .where("chat_id", "=", chatId)
    .where("role", "=", "assistant")
    .orderBy("created_at", "desc")
    .executeTakeFirstOrThrow();
  return row.id;
}

async function usage(query = "", { token } = chat.ada): Promise<Usage> {
  return usageSchema.parse(await (await chat.app.call("GET", modelPaths.usage + query, { token })).json());
}

const titled = () => vi.waitUntil(async () => (await usage()).months[0]?.calls === 2);
const short = ({ model, inputTokens, outputTokens, isEstimate }: CallUsage) => [
  model,
  inputTokens,
  outputTokens,
  isEstimate,
];
const GPT = "GPT:gpt-5-mini";
const CLAUDE = "CLAUDE:claude-sonnet-4-5-20250929";

describe("calls to a provider", () => {
  // Runs first, while no provider is avoided because of an earlier failure.
  it("a call is counted for each provider that was called under automatic choice", async () => {
    chat.provider.next("overloaded", "fast");
    await chat.send();
    const { calls, cost } = await usageOfLast();
    expect(calls.map(short)).toEqual([
      [GPT, null, 0, true],
      [CLAUDE, 21, 12, false],
    ]);
    expect(calls[0]?.cost).toBe(0);
    expect(cost).toBeCloseTo((21 * 3 + 12 * 15) / 1e6, 12);
  });

  it("a call has the provider's own token counts, the price of the day and the duration", async () => {
    await chat.send({ model: GPT });
    const { calls, ...totals } = await usageOfLast();
    expect(calls.map(short)).toEqual([[GPT, 21, 12, false]]);
    expect(calls[0]).toMatchObject({ purpose: "reply", cost: (21 * 0.25 + 12 * 2) / 1e6 });
    expect(totals).toEqual({
      inputTokens: 21,
      cachedInputTokens: 0,
      outputTokens: 12,
      reasoningTokens: 0,
      estimated: 0,
      cost: calls[0]?.cost,
      unpriced: 0,
      durationMs: calls[0]?.durationMs,
    });
  });

  it("a call for a title is counted without a reply", async () => {
    await chat.send({ model: GPT });
    await titled();
    expect((await usageOfLast()).calls).toHaveLength(1);
    expect((await usage()).months[0]).toMatchObject({ calls: 2, inputTokens: 42, outputTokens: 24 });
  });

  it("a failed title request is counted", async () => {
    chat.provider.titleScenario = "wrong-key";
    await chat.send({ model: GPT });
    await titled();
    expect((await usage()).months[0]).toMatchObject({ calls: 2, inputTokens: 21, outputTokens: 12, estimated: 1 });
  });

  it("each call of a selected model is counted, even if none returned text", async () => {
    chat.provider.next("overloaded", "overloaded");
    await chat.send({ model: GPT });
    expect((await usageOfLast()).calls.map(short)).toEqual([
      [GPT, null, 0, true],
      [GPT, null, 0, true],
    ]);
  });

  it("the prompt of a call is estimated if the provider accepted it and returned nothing", async () => {
    await using strict = await startScriptedChat({ REPLY_FIRST_TEXT_MS: "100" });
    await strict.renew();
    strict.provider.scenario = "silent";
    await strict.send({ model: GPT });
    const [call] = (await usageOfLast(strict)).calls;
    expect(call).toMatchObject({ outputTokens: 0, isEstimate: true });
    expect(call?.inputTokens).toBeGreaterThan(0);
  });

  it("the tokens of a call are estimated if the answer was cut off", async () => {
    chat.provider.reply = "One two three four five six.";
    chat.provider.next("broken-off");
    await chat.send({ model: GPT });
    const { calls, estimated } = await usageOfLast();
    expect(calls).toHaveLength(1);
    // "One two three" has 13 bytes, and a token has about three.
    expect(calls[0]).toMatchObject({ outputTokens: 5, isEstimate: true });
    expect(estimated).toBe(1);
  });

  it("the call of a stopped reply is counted", async () => {
    const response = await chat.stream({ message: "[scenario:held]", model: GPT });
    chat.provider.release("Some words");
    for await (const event of readEvents(response)) if (event !== "[DONE]" && event.token) break;
    await chat.call("POST", "/stop");
    await vi.waitUntil(async () => (await usageOfLast()).calls.length === 1);
    const [call] = (await usageOfLast()).calls;
    expect(call).toMatchObject({ outputTokens: 4, isEstimate: true });
    expect(call?.inputTokens).toBeGreaterThan(0);
    expect(call?.cost).toBeGreaterThan(0);
  });

  it("each run of a continued or retried reply is counted", async () => {
    chat.provider.scenario = "length";
    await chat.send({ model: GPT });
    chat.provider.scenario = "fast";
    await readReply(await chat.call("POST", "/reply", { mode: "continue" }));
    expect((await usageOfLast()).calls).toHaveLength(2);
    await readReply(await chat.call("POST", "/reply", { mode: "regenerate", model: CLAUDE }));
    expect((await usageOfLast()).calls.map(short)).toEqual([[CLAUDE, 21, 12, false]]);
  });

  it("a call is counted even if its chat is deleted meanwhile", async () => {
    const response = await chat.stream({ message: "[scenario:held]", model: GPT });
    chat.provider.release("Some words");
    for await (const event of readEvents(response)) if (event !== "[DONE]" && event.token) break;
    await chat.call("DELETE", "");
    const { database } = chat.app.context;
    const ofReply = database.selectFrom("model_calls").selectAll().where("user_id", "=", chat.ada.user.id);
    const replies = () => ofReply.where("purpose", "=", "reply").execute();
    await vi.waitUntil(async () => (await replies()).length > 0);
    expect(await replies()).toMatchObject([{ model: GPT, is_estimate: 1, output_tokens: 4 }]);
    expect((await usage()).months[0]?.models).toMatchObject([{ model: GPT }]);
  });
});

it("a shutdown loses no counted call, and the next process counts its own", async () => {
  await using provider = await startScriptedProvider();
  await using harness = await createTestHarness();
  const env = { OPENAI_API_KEY: "key", OPENAI_BASE_URL: provider.baseUrl, SHUTDOWN_GRACE_MS: "0" };
  const app = await startTestApp({ env, harness });
  const { token, user } = await signUp(app);
  const { id } = (await (await app.call("POST", conversationPaths.chats, { token })).json()) as { id: string };
  const response = await app.call("POST", `${conversationPaths.chatSend(id)}?stream=1`, {
    token,
    body: { message: "[scenario:held]" },
  });
  provider.release("Some words");
  for await (const event of readEvents(response)) if (event !== "[DONE]" && event.token) break;
  await app[Symbol.asyncDispose]();
  await using next = await startTestApp({ env, harness });
  const rows = next.context.database.selectFrom("model_calls").selectAll().where("user_id", "=", user.id);
  expect(await rows.execute()).toMatchObject([{ output_tokens: 4, is_estimate: 1, purpose: "reply" }]);
});

it("an unfinished call of a killed process is counted by an estimate, limited to the model's context window", async () => {
  await using harness = await createTestHarness();
  const app = await startTestApp({ harness, demoPause: async () => undefined });
  const { token } = await signUp(app);
  const { id } = (await (await app.call("POST", conversationPaths.chats, { token })).json()) as { id: string };
  await app.call("POST", conversationPaths.chatSend(id), { token, body: { message: "Hello there" } });
  // The state after a kill: chunks, but no end.
  const { database } = app.context;
  const half = { state: "writing", content: "", model: GPT, ended_at: null, rev: 1 } as const;
  await database.deleteFrom("model_calls").execute();
  const { id: reply } = await database
    .updateTable("messages")
    .set(half)
    .where("role", "=", "assistant")
    .returning("id")
    .executeTakeFirstOrThrow();
  await database.insertInto("reply_chunks").values({ message_id: reply, at: 0, text: "Nine word" }).execute();
  const reasoning = { message_id: reply, seq: 0, at: 0, kind: "reasoning", body: "{}", run: 1, rev: 1 };
  await database.insertInto("message_parts").values(reasoning).execute();
  await database.insertInto("reasoning_chunks").values({ message_id: reply, seq: 0, at: 0, text: "Thought" }).execute();
  const asked = database.selectFrom("messages").selectAll().where("role", "=", "user");
  const earlier = { ...(await asked.executeTakeFirstOrThrow()), id: "earlier", content: "word ".repeat(500_000) };
  await database.insertInto("messages").values(earlier).execute();
  await database.updateTable("messages").set({ parent: "earlier" }).where("content", "=", "Hello there").execute();
  await app[Symbol.asyncDispose]();
  await using next = await startTestApp({ harness });
  const answer = await next.call("GET", modelPaths.messageUsage(id, reply), { token });
  const { calls } = messageUsageSchema.parse(await answer.json());
  expect(calls).toMatchObject([{ model: GPT, outputTokens: 6, isEstimate: true, durationMs: null }]);
  expect(calls[0]?.cost).toBeGreaterThan(0);
  expect(calls[0]?.inputTokens).toBeLessThan(100);
});

describe("usage of an account by month", () => {
  it("usage lists each month (UTC) with its models, most expensive first", async () => {
    const clock = new TestClock(Date.UTC(2026, 2, 31, 23, 59, 59, 999));
    await using app = await startTestApp({ clock });
    const { token, user } = await signUp(app);
    const call = (at: number, model: string, costNanoUsd: number | null) =>
      countCalls(app.context.database, user.id, [
        {
          purpose: "reply",
          model,
          inputTokens: 10,
          outputTokens: 2,
          ...noShares,
          isEstimate: costNanoUsd === null,
          costNanoUsd,
          durationMs: 1,
          at,
        },
      ]);
    await call(Date.UTC(2026, 2, 31, 23, 59), "GPT:cheap", 1_000);
    await call(Date.UTC(2026, 2, 1), "GPT:cheap", 2_000);
    await call(Date.UTC(2026, 2, 15), "GPT:dear", 5_000_000_000);
    await call(Date.UTC(2026, 2, 15), "LOCAL:free", null);
    await call(Date.UTC(2026, 1, 28, 23, 59, 59, 999), "GPT:cheap", 4_000);
    await call(Date.UTC(2026, 0, 31), "GPT:cheap", 4_000);
    const answer = await app.call("GET", `${modelPaths.usage}?months=2`, { token });
    const told = usageSchema.parse(await answer.json());
    expect(told.months).toMatchObject([
      {
        month: "2026-03",
        calls: 4,
        inputTokens: 40,
        outputTokens: 8,
        estimated: 1,
        unpriced: 1,
        models: [
          { model: "GPT:dear", calls: 1, cost: 5, unpriced: 0 },
          { model: "GPT:cheap", calls: 2, inputTokens: 20 },
          { model: "LOCAL:free", calls: 1, cost: null, estimated: 1, unpriced: 1 },
        ],
      },
      { month: "2026-02", calls: 1, models: [{ model: "GPT:cheap" }] },
    ]);
    expect(told.months[0]?.cost).toBeCloseTo(5.000003, 9);
  });

  it("usage includes months without calls, twelve by default", async () => {
    const { months } = await usage();
    expect(months).toHaveLength(12);
    expect(months[11]).toEqual({
      month: months[11]?.month,
      calls: 0,
      inputTokens: 0,
      outputTokens: 0,
      cost: null,
      estimated: 0,
      unpriced: 0,
      models: [],
    });
    for (const bad of ["0", "37", "1.5", "x", "-1"]) {
      const { status } = await chat.app.call("GET", `${modelPaths.usage}?months=${bad}`, { token: chat.ada.token });
      expect([bad, status]).toEqual([bad, 400]);
    }
  });

  it("usage is visible to its account only", async () => {
    await chat.send({ model: GPT });
    const eve = await signUp(chat.app);
    expect((await usage("", eve)).months.every(({ calls }) => calls === 0)).toBe(true);
    const reply = await lastReply();
    const ofAnother = await chat.app.call("GET", modelPaths.messageUsage(chat.chatId, reply), { token: eve.token });
    const ofNobody = await chat.app.call("GET", modelPaths.messageUsage("x", "y"), { token: eve.token });
    expect([ofAnother.status, await ofAnother.text()]).toEqual([404, await ofNobody.text()]);
    const elsewhere = await chat.createChat();
    const misplaced = await chat.app.call("GET", modelPaths.messageUsage(elsewhere, reply), { token: chat.ada.token });
    expect(misplaced.status).toBe(404);
    expect((await chat.app.call("GET", modelPaths.usage)).status).toBe(401);
  });
});

it("MODELS_FILE sets prices, and the cost of a model without one is unknown", async () => {
  await using provider = await startScriptedProvider();
  const folder = await mkdtemp(join(tmpdir(), "parley-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const size = { contextTokens: 8000, maxOutputTokens: 1000 };
  const models = [
    { label: "own", value: "GPT:own", ...size, inputPrice: 100, outputPrice: 0 },
    { label: "unknown", value: "GPT:unknown", ...size },
  ];
  const file = join(folder, "models.json");
  await writeFile(file, JSON.stringify({ groups: [{ label: "GPT", models }] }));
  await using app = await startTestApp({
    env: { OPENAI_API_KEY: "key", OPENAI_BASE_URL: provider.baseUrl, MODELS_FILE: file },
  });
  const { token } = await signUp(app);
  const costs: unknown[] = [];
  for (const { value } of models) {
    const { id } = (await (await app.call("POST", conversationPaths.chats, { token })).json()) as { id: string };
    const sent = await app.call("POST", conversationPaths.chatSend(id), {
      token,
      body: { message: "Hello", model: value },
    });
    const { ai_response } = (await sent.json()) as { ai_response: { id: string } };
    const answer = await app.call("GET", modelPaths.messageUsage(id, ai_response.id), { token });
    const { cost, unpriced } = messageUsageSchema.parse(await answer.json());
    costs.push([value, cost, unpriced]);
  }
  expect(costs).toEqual([
    ["GPT:own", 0.0021, 0],
    ["GPT:unknown", null, 1],
  ]);
});
