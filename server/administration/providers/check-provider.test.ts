import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { accountRoles, hasRole } from "#contract/accounts/roles.ts";
import { overviewSchema } from "#contract/administration/overview.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { type ProviderCheck, providerCheckSchema } from "#contract/administration/provider-check.ts";
import { MINUTE } from "#contract/limits.ts";
import { signUpAs } from "../../../testing/accounts/roles.ts";
import { signUp, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp, TestClock } from "../../../testing/app/start-test-app.ts";
import { limitOf, pricedModel, settledBudget } from "../../../testing/chats/budgets.ts";
import { startChatWithModels } from "../../../testing/chats/chat-with-models.ts";
import { problemOf } from "../../../testing/http/problem-of.ts";
import { unusedAddress } from "../../../testing/provider/model-calls.ts";
import {
  type Scenario,
  type ScriptedProvider,
  startScriptedProvider,
} from "../../../testing/provider/scripted-provider.ts";
import { refusalOf } from "../../models/connections/refusal-of.ts";
import { ModelError } from "../../models/model-error.ts";
import { checkProvider } from "./check-provider.ts";

const KEY = "sk-provider-canary";

let provider: ScriptedProvider;
let app: TestApp;
let ada: TestAccount;
beforeAll(async () => {
  provider = await startScriptedProvider();
  const keys = { OPENAI_API_KEY: KEY, ANTHROPIC_API_KEY: KEY, LOCAL_API_KEY: KEY };
  const { baseUrl } = provider;
  const addresses = { OPENAI_BASE_URL: baseUrl, ANTHROPIC_BASE_URL: baseUrl, LOCAL_BASE_URL: baseUrl };
  app = await startTestApp({ env: { ...keys, ...addresses, RATE_LIMITS: "off" } });
  ada = await signUpAs(app, "administrator");
});
beforeEach(() => provider.reset());
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

const post = (name: string, body?: object, { token }: TestAccount = ada, at = app, signal?: AbortSignal) =>
  at.call("POST", administrationPaths.providerCheck(name), { token, body, ...(signal && { signal }) });

async function test(name: string, body?: object, by = ada, at = app): Promise<ProviderCheck> {
  const response = await post(name, body, by, at);
  const text = await response.text();
  expect([response.status, text]).toEqual([200, text]);
  expect(text).not.toContain(KEY);
  return providerCheckSchema.parse(JSON.parse(text));
}

const codeOf = async (response: Response) => [response.status, (await problemOf(response)).code];
const lastRecord = async (at = app) => {
  const rows = at.context.database.selectFrom("audit_events").selectAll().orderBy("seq", "desc");
  const row = await rows.executeTakeFirst();
  return row && [row.kind, row.actor, row.subject, JSON.parse(row.after ?? "null")];
};
const callsOf = ({ user }: TestAccount, at = app) =>
  at.context.database.selectFrom("model_calls").selectAll().where("user_id", "=", user.id).orderBy("id").execute();

const models = { openai: "GPT:gpt-5-mini", anthropic: "CLAUDE:claude-sonnet-4-5-20250929", local: "LOCAL:llama3.2:3b" };
const names = Object.keys(models) as (keyof typeof models)[];

describe("successful tests of a provider", () => {
  it.each(names)(
    "a test of %s makes one small call with the first model, and returns answer and usage",
    async (name) => {
      const by = await signUpAs(app, "administrator");
      const result = await test(name, undefined, by);
      expect(result).toMatchObject({ ok: true, model: models[name], answer: provider.reply, outputTokens: 12 });
      expect(result).toHaveProperty("inputTokens");
      expect("cost" in result).toBe(name !== "local");
      const [call, ...others] = provider.chats;
      expect(others).toEqual([]);
      expect(call?.messages.map(({ role }) => role)).toEqual(["user"]);
      expect(call && limitOf(call)).toBe(1024);
      expect(await lastRecord()).toEqual(["provider-tested", by.user.id, null, { provider: name, ok: true }]);
      const calls = await callsOf(by);
      expect(calls).toMatchObject([{ purpose: "test", model: models[name], message_id: null, output_tokens: 12 }]);
    },
  );

  it("a test asks a reasoning model for its lowest effort", async () => {
    await test("openai");
    expect(provider.chats[0]?.body.reasoning_effort).toBe("minimal");
  });

  it("a test calls OpenAI's Responses API if the model uses it", async () => {
    const chat = await startChatWithModels([{ ...plain("GPT:gpt-new"), api: "responses" }], {
      OPENAI_API_KEY: KEY,
      OPENAI_BASE_URL: provider.baseUrl,
    });
    await using _ = chat;
    const by = await signUpAs(chat.app, "owner");
    expect(await test("openai", {}, by, chat.app)).toMatchObject({ ok: true, model: "GPT:gpt-new" });
    expect(provider.chats[0]?.path).toBe("/v1/responses");
  });

  it("a test calls the named model", async () => {
    expect(await test("openai", { model: "GPT:gpt-5-nano" })).toMatchObject({ ok: true, model: "GPT:gpt-5-nano" });
    expect(await test("local", { model: "LOCAL:qwen3:8b" })).toMatchObject({ ok: true, model: "LOCAL:qwen3:8b" });
    for (const [name, model] of [
      ["openai", "GPT:unheard-of"],
      ["openai", models.anthropic],
      ["anthropic", "gpt"],
      ["local", "LOCAL:unheard-of"],
    ] as const) {
      expect(await codeOf(await post(name, { model }))).toEqual([400, "model-unknown"]);
    }
  });

  it("a test returns 200 characters of a long answer, without half a surrogate pair", async () => {
    provider.reply = `${"x".repeat(199)}😀 and more`;
    expect(await test("openai")).toMatchObject({ ok: true, answer: `${"x".repeat(199)}\uFFFD` });
  });

  it("a test updates the provider's health, and ends a cool-down", async () => {
    const health = async () => {
      const response = await app.call("GET", administrationPaths.overview, { token: ada.token });
      const { providers } = overviewSchema.parse(await response.json()).answeringProcess;
      return providers.find(({ name }) => name === "anthropic");
    };
    provider.next("wrong-key");
    await test("anthropic");
    expect(await health()).toMatchObject({
      coolsUntil: expect.any(Number),
      lastError: { code: "assistant-misconfigured" },
    });
    await test("anthropic");
    expect(await health()).not.toHaveProperty("coolsUntil");
    expect((await health())?.lastSuccessAt).toBeGreaterThan(0);
  });
});

describe("tests that a provider refuses", () => {
  const refusals: [Scenario, string, string][] = [
    ["wrong-key", "assistant-misconfigured", "key"],
    ["unknown-model", "assistant-model-gone", "model"],
    ["rate-limited", "assistant-busy", "rate"],
    ["overloaded", "assistant-busy", "overloaded"],
    ["redirect", "assistant-misconfigured", "address"],
    ["html-instead", "assistant-failed", "address"],
    ["broken-off", "assistant-broken-off", "broken-off"],
    ["refusal", "assistant-refused", "refused"],
    ["error-before-first-word", "assistant-failed", "server"],
  ];

  it.each(names.flatMap((name) => refusals.map((refusal) => [name, ...refusal] as const)))(
    "a test of %s with the fault %s reports %s with the reason “%s”",
    async (name, scenario, code, reason) => {
      provider.next(scenario);
      // Named: after a refusal of the model, its successor is the first one.
      const result = await test(name, { model: models[name] });
      const host = new URL(provider.baseUrl).host;
      expect(result).toMatchObject({ ok: false, model: models[name], code, reason, host });
      expect(await lastRecord()).toEqual(["provider-tested", ada.user.id, null, { provider: name, ok: false, code }]);
    },
  );

  it("a test distinguishes used-up credit from too many requests", async () => {
    const error = {
      message: `You exceeded your quota, ${KEY}`,
      type: "insufficient_quota",
      code: "insufficient_quota",
    };
    provider.refuse = () => ({ status: 429, body: JSON.stringify({ error }) });
    expect(await test("openai")).toMatchObject({ ok: false, reason: "credit", status: 429 });
  });

  it.each([
    [{ status: 402 }, "credit"],
    [{ status: 403 }, "permission"],
    [{ status: 404 }, "model-or-address"],
    [{ status: 405 }, "address"],
    [{ providerCode: "API_KEY_INVALID", status: 400 }, "key"],
    [{}, "key"],
  ])("the details %j of a misconfigured provider have the reason “%s”", (details, reason) => {
    expect(refusalOf(new ModelError("assistant-misconfigured", details))).toBe(reason);
  });

  it("a test reports the host of a server that refuses the connection", async () => {
    const address = await unusedAddress();
    const env = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: address, LOCAL_BASE_URL: address };
    await using away = await startTestApp({ env });
    const by = await signUpAs(away, "administrator");
    const { host } = new URL(address);
    const unreachable = { ok: false, code: "assistant-unreachable", reason: "no-listener", host };
    expect(await test("openai", undefined, by, away)).toMatchObject(unreachable);
    expect(await test("local", undefined, by, away)).toMatchObject(unreachable);
    expect(await codeOf(await post("anthropic", {}, by, away))).toEqual([400, "model-unavailable"]);
  });

  it("a test reports that a local server has no models", async () => {
    const saved = provider.models;
    provider.models = [];
    await using empty = await startTestApp({ env: { LOCAL_BASE_URL: provider.baseUrl } });
    const by = await signUpAs(empty, "administrator");
    const result = await test("local", undefined, by, empty);
    provider.models = saved;
    expect(result).toMatchObject({ ok: false, reason: "no-model" });
    expect(result).not.toHaveProperty("model");
    expect(provider.chats).toEqual([]);
  });

  it("a test aborts an answer that takes too long", async () => {
    provider.next("stalled");
    const { signal } = new AbortController();
    const deps = { ...app.context, limitMs: 50 };
    const result = await checkProvider(deps, { name: "openai", userId: ada.user.id }, signal);
    expect(result).toMatchObject({ ok: false, code: "assistant-stalled", reason: "slow" });
    await vi.waitUntil(() => provider.chats[0]?.signal.aborted);
  });

  it("a client that disconnects aborts its test, which is counted and recorded", async () => {
    const by = await signUpAs(app, "administrator");
    provider.next("held");
    const leaving = new AbortController();
    const answer = post("openai", undefined, by, app, leaving.signal);
    await provider.untilHeld(1);
    leaving.abort();
    await expect(answer).rejects.toThrow();
    await vi.waitUntil(() => provider.chats[0]?.signal.aborted);
    await vi.waitUntil(async () => (await callsOf(by)).length === 1);
    const record = ["provider-tested", by.user.id, null, { provider: "openai", ok: false }];
    await vi.waitFor(async () => expect(await lastRecord()).toEqual(record));
  });
});

describe("permission to test providers", () => {
  it.each(accountRoles)("testing a provider as a %s is permitted by its role", async (role) => {
    const by = await signUpAs(app, role);
    const response = await post("openai", {}, by);
    expect(response.status).toBe(hasRole(role, "administrator") ? 200 : 403);
    expect(provider.chats).toHaveLength(hasRole(role, "administrator") ? 1 : 0);
  });

  it("a test requires a session, a recent proof and a known provider", async () => {
    const eve = await signUp(app);
    await app.context.database.updateTable("users").set({ role: "owner" }).where("id", "=", eve.user.id).execute();
    expect(await codeOf(await post("openai", {}, eve))).toEqual([403, "proof-needed"]);
    expect((await app.call("POST", administrationPaths.providerCheck("openai"))).status).toBe(401);
    for (const name of ["demo", "OpenAI", "constructor", "%00"]) {
      expect(await codeOf(await post(name))).toEqual([404, "not-found"]);
    }
    expect(await codeOf(await post("openai", { model: 7 }))).toEqual([400, "invalid-input"]);
    expect(provider.chats).toEqual([]);
  });

  it("K2 an account may test a provider ten times a minute", async () => {
    const clock = new TestClock();
    const env = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: provider.baseUrl, RATE_LIMITS: "on" };
    await using limited = await startTestApp({ clock, env });
    const by = await signUpAs(limited, "owner");
    const statuses = [];
    for (let count = 0; count < 11; count++) statuses.push((await post("openai", {}, by, limited)).status);
    expect(statuses).toEqual([...Array(10).fill(200), 429]);
    clock.advance(MINUTE);
    expect((await post("openai", {}, by, limited)).status).toBe(200);
  });
});

const MODEL = "GPT:gpt-priced";
const dear = pricedModel(MODEL, { input: 1_000_000n, output: 10_000_000n }, { maxOutputTokens: 50_000 });

it("a test reserves little of the budget, books its cost, and makes no call when the budget is used up", async () => {
  const env = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: provider.baseUrl, MONTHLY_BUDGET_USD: "1" };
  await using chat = await startChatWithModels([dear], env);
  const by = await signUpAs(chat.app, "administrator");
  const { budgets, database } = chat.app.context;
  expect(await test("openai", {}, by, chat.app)).toMatchObject({ ok: true, cost: 21e-6 + 120e-6 });
  expect((await settledBudget(chat.app)).spent).toBe(141_000);
  expect(provider.chats.map(limitOf)).toEqual([1024]);

  // Enough for a short answer of a test, not for one of 8,192 tokens.
  await database
    .updateTable("budget_totals")
    .set({ spent: 1e9 - 20_000_000 })
    .execute();
  provider.next("wrong-key");
  expect(await test("openai", {}, by, chat.app)).toMatchObject({ ok: false, reason: "key" });
  expect(await settledBudget(chat.app)).toMatchObject({ spent: 1e9 - 20_000_000, reserved: 0 });
  expect(provider.chats.map(limitOf)).toEqual([1024, 1024]);

  await database.updateTable("budget_totals").set({ spent: 1e9 }).execute();
  expect(await codeOf(await post("openai", {}, by, chat.app))).toEqual([402, "budget-reached"]);
  expect(provider.chats).toHaveLength(2);
  expect(await budgets.budgetOf()).toMatchObject({ spent: 1e9, reserved: 0 });
});

function plain(value: string) {
  return { label: value, value, contextTokens: 100_000, maxOutputTokens: 2000 };
}
